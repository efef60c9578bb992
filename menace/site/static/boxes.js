// The boxes of a learner stand on the page as it was exported; where it has learned in this browser, they can be seen as they are here.
"use strict";
(menace => {
  const shelf = document.getElementById("boxes");
  if (!shelf) return;
  const at = id => document.getElementById(id);
  const curve = at("so-far");
  if (curve) {
    const points = JSON.parse(curve.dataset.curve);
    curve.innerHTML = menace.spark(points, menace.opening("value_curve", { first: points[0][1].toFixed(2), last: points.at(-1)[1].toFixed(2) }));
  }
  const game = new menace.Game(menace.tables);
  const learner = menace.machines.find(machine => machine.print === shelf.dataset.print);
  const here = learner.learns ? menace.recalled(game, learner) : undefined;

  function show(kept) {
    const policy = menace.playerOf(game.graph, learner, kept).policy();
    for (const table of shelf.querySelectorAll("table.box")) {
      const board = game.numbers.get(table.dataset.board);
      const marks = menace.marksOf(game, learner, kept, policy, board);
      const beads = game.graph.movesOf(game.home[board]).reduce((sum, move) => sum + kept.weight[move], 0);
      const caption = table.caption.cloneNode(true);
      caption.querySelector("small").textContent = menace.counted(beads, "bead");
      table.innerHTML = menace.rows(game.shown(board), marks);
      table.prepend(caption);
    }
    shelf.classList.toggle("closed", kept === here); // drawers are drawn as they were exported
    const whose = kept === here ? menace.opening("as_here", { name: learner.name, games: menace.counted(here.games, "game") }) : menace.opening("as_exported");
    at("whose").textContent = `${whose}.`;
  }

  if (here?.games) {
    const exported = menace.fresh(game, learner);
    at("which").hidden = false;
    at("here").addEventListener("change", event => show(event.target.checked ? here : exported));
    show(here);
  }
  at("by-colour")?.addEventListener("change", event => shelf.classList.toggle("by-beads", event.target.checked));
  at("by-worth").addEventListener("change", event => shelf.classList.toggle("by-minimax", event.target.checked));
})(globalThis.menace ??= {});
