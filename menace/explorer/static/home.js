// The first page: the first box of the machine to play, drawn as a matchbox.
const { matchbox } = menace;
const place = document.getElementById("first-box");
menace.clauses = JSON.parse(place.dataset.clauses);
place.innerHTML = matchbox(JSON.parse(place.dataset.view));
