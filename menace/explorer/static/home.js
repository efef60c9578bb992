// Draw the home page of the explorer and of a site: an open matchbox that can be shaken, the closed matchboxes around it, and three pictures of a turn.
"use strict";
(menace => {
  const BOARD_VIEW_BOX = "118 14 184 184"; // the board on a closed box
  const FRAME = 100; // milliseconds between the frames of the film
  const place = document.getElementById("first-box");

  /** Draw a bead at random and return the index of its move. */
  function drawBead(moves) {
    let left = Math.random() * moves.reduce((sum, move) => sum + move.amount, 0);
    return moves.findIndex(move => (left -= move.amount) < 0);
  }

  function draw() {
    const { closed, clauses, film, ...view } = JSON.parse(place.dataset.heap);
    menace.clauses = clauses;
    const closedBox = box => menace.closedMatchbox({ ...view, ...box, moves: [] });
    place.querySelector(".heap").innerHTML = closed.map(closedBox).join("");
    const open = place.querySelector(".open");
    const [board, drawer] = document.querySelectorAll(".steps .picture");
    board.innerHTML = closedBox(view).replace(/viewBox="[^"]*"/, `viewBox="${BOARD_VIEW_BOX}"`);
    drawer.innerHTML = menace.smallDrawer(view, menace.smallBeadScale([view]));
    const swing = () => open.firstElementChild.animate([0, -7, 6, -5, 3, 0].map(angle => ({ transform: `rotate(${angle / 3}deg) translateX(${angle}px)` })),
      { duration: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 500 });
    const caption = place.querySelector("figcaption");
    const [shakeButton, practiseButton] = ["shake", "practise"].map(id => document.getElementById(id));
    const movesIn = amounts => view.moves.map((move, row) => ({ ...move, amount: amounts[row] }));
    const isNarrow = matchMedia("(max-width: 60rem)").matches; // as in home.css
    let [shakes, moves] = [0, movesIn(film[0][1])];
    const show = drawn => { open.innerHTML = menace.matchbox({ ...view, moves, board: `${view.board} ${shakes}`, drawn }, undefined, isNarrow ? menace.MAX_PUSHED : 0); };
    const shake = () => {
      shakes += 1;
      show(drawBead(moves));
      swing();
    };
    /** Show the box while the machine practises, as a film or, if the system asks for reduced motion, as the film's last frame only. */
    function practise(frame = matchMedia("(prefers-reduced-motion: reduce)").matches ? film.length - 1 : 0) {
      const [games, amounts, loss] = film[frame];
      moves = movesIn(amounts);
      show(null);
      const last = frame === film.length - 1;
      caption.textContent = last ? place.dataset.after : menace.phrase("film_frame", { games: menace.counted(games, "game"), losses: Math.round(100 * loss) });
      if (last) shakeButton.disabled = practiseButton.disabled = false;
      else setTimeout(() => practise(frame + 1), FRAME);
    }
    shakeButton.addEventListener("click", shake);
    practiseButton.addEventListener("click", () => {
      shakeButton.disabled = practiseButton.disabled = true;
      practise();
    });
    show(null);
    swing();
  }
  if (place) draw();
  for (const { dataset } of document.querySelectorAll(".opponents")) {
    menace.clauses = JSON.parse(dataset.clauses);
    for (const box of document.querySelectorAll("[data-box]")) box.innerHTML = menace.matchbox(JSON.parse(box.dataset.box));
  }

  // On a site, show the number of games from which each machine has learned in this browser. learner_memory.js stores this number.
  for (const print of document.querySelectorAll("[data-print]")) {
    try {
      const { games } = JSON.parse(localStorage.getItem(`menace memory ${print.dataset.print}`));
      if (games > 0) print.textContent = menace.phrase("and_here", { games: menace.thousands(Number(games)) });
    } catch { /* the machine has learned nothing here */ }
  }
})(globalThis.menace ??= {});
