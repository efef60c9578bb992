// The page contains a learner's boxes as they were when it was exported. If the learner has since learned in this browser,
// this script can show its current boxes.
"use strict";
(menace => {
  const shelf = document.getElementById("boxes");
  if (!shelf) return;
  const at = id => document.getElementById(id);
  const curve = at("so-far");
  if (curve) {
    const points = JSON.parse(curve.dataset.curve);
    const label = menace.opening("value_curve", { first: points[0][1].toFixed(2), last: points.at(-1)[1].toFixed(2) });
    curve.innerHTML = menace.curves([[menace.phrase("unit_value"), points]], { ...menace.VALUE, label });
  }
  const game = new menace.Game(menace.tables);
  const learner = menace.machines.find(machine => machine.print === shelf.dataset.print);
  const records = new menace.Records(game, learner);
  const here = menace.storedMemory(game, learner);

  function show(memory) {
    const { share } = menace.playerOf(game.graph, learner, memory).policy();
    for (const table of shelf.querySelectorAll("table.box")) {
      const box = records.box(game.numbers.get(table.dataset.board), memory, share);
      const { caption } = table;
      caption.querySelector("small").textContent = menace.counted(box.moves.reduce((sum, move) => sum + move.amount, 0), "bead");
      table.innerHTML = menace.boxRows(box);
      table.prepend(caption);
    }
    shelf.classList.toggle("closed", memory === here); // the drawers show the exported beads
    const whose = memory === here ? menace.opening("as_here", { name: learner.name, games: menace.counted(here.games, "game") }) : menace.opening("as_exported");
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
