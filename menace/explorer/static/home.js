// Draw the home page of the explorer and of a site: an open matchbox that can be shaken, closed ones around it, and a turn in three pictures.
"use strict";
(menace => {
  const BOARD_VIEW_BOX = "118 14 184 184"; // the board on a closed box
  const place = document.getElementById("first-box");

  /** Draw a bead at random and return the index of its move. */
  function drawBead(moves) {
    let left = Math.random() * moves.reduce((sum, move) => sum + move.amount, 0);
    return moves.findIndex(move => (left -= move.amount) < 0);
  }

  function draw() {
    const { closed, clauses, ...view } = JSON.parse(place.dataset.heap);
    menace.clauses = clauses;
    const closedBox = box => menace.closedMatchbox({ ...view, ...box, moves: [] });
    place.querySelector(".heap").innerHTML = closed.map(closedBox).join("");
    const open = place.querySelector(".open");
    open.innerHTML = menace.matchbox(view);
    const [board, drawer] = document.querySelectorAll(".steps .picture");
    board.innerHTML = closedBox(view).replace(/viewBox="[^"]*"/, `viewBox="${BOARD_VIEW_BOX}"`);
    drawer.innerHTML = menace.smallDrawer(view, menace.smallBeadScale([view]));
    const swing = () => open.firstElementChild.animate([0, -7, 6, -5, 3, 0].map(angle => ({ transform: `rotate(${angle / 3}deg) translateX(${angle}px)` })),
      { duration: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 500 });
    const caption = place.querySelector("figcaption");
    let [shakes, moves] = [0, view.moves];
    const shake = () => {
      shakes += 1;
      open.innerHTML = menace.matchbox({ ...view, moves, board: `${view.board} ${shakes}`, drawn: drawBead(moves) });
      swing();
    };
    document.getElementById("shake").addEventListener("click", shake);
    document.getElementById("before")?.addEventListener("click", ({ target }) => {
      const before = moves === view.moves;
      target.setAttribute("aria-pressed", String(before));
      moves = before ? moves.map(move => ({ ...move, amount: Math.ceil(view.beads / moves.length) })) : view.moves; // all colours are equally likely
      [caption.textContent, target.dataset.caption] = [target.dataset.caption, caption.textContent];
      shake();
    });
    swing();
  }
  if (place) draw();

  // On a site: the number of games from which each machine has learned in this browser, as learner_memory.js stores it.
  for (const print of document.querySelectorAll("[data-print]")) {
    try {
      const { games } = JSON.parse(localStorage.getItem(`menace memory ${print.dataset.print}`));
      if (games > 0) print.textContent = menace.phrase("and_here", { games: menace.thousands(Number(games)) });
    } catch { /* the machine has learned nothing here */ }
  }
})(globalThis.menace ??= {});
