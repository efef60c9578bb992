// Store the machine of a site's Play page, with its memory from this browser or from a link.
"use strict";
(menace => {
  const { opening, phrase } = menace;
  const at = id => document.getElementById(id);
  const { print } = at("source").dataset;
  const MEASURED = ["random", "optimal"]; // in addition to the best response

  const game = new menace.Game(menace.tables);
  const machine = menace.machineOf(game, menace.machines.find(each => each.print === print));
  const { learner, name } = machine;
  const opponents = MEASURED.map(who => menace.fixedOf(game.graph, game.players[who]).policy());
  // `guest` is the link that contains the machine, if any; such a machine does not replace the memory in this browser. `keeps` is true if this
  // browser stores the memory.
  const here = { ...machine, game, guest: "", keeps: true, going: false, refresh, save, measure, showKept };

  if (learner.learns && location.hash.startsWith("#m=")) {
    here.guest = location.hash.slice("#m=".length);
    at("beat-it").hidden = false;
    try {
      here.memory = menace.fromLink(here.guest, game, learner);
      here.keeps = false;
      at("beat-it").textContent = opening("beat_it");
    } catch (error) {
      at("beat-it").textContent = error.message;
    }
  }

  /** Load what the machine has learned in another tab. */
  function refresh() {
    if (here.keeps && !here.going) here.memory = menace.storedMemory(game, learner) ?? here.memory;
  }

  function save() {
    if (!learner.learns) return;
    here.keeps = !here.guest && menace.keep(learner, here.memory);
    showKept();
  }

  function showKept() {
    const { games } = here.memory;
    const learned = opening(games ? "learned_here" : "learned_nothing_here", { name, games: menace.counted(games, "game") });
    at("kept").textContent = `${!here.keeps ? phrase("keeps_nothing", { learned }) : games ? phrase("kept_here", { learned }) : learned}.`;
    at("forget").disabled = !games;
  }

  /** Add the machine's current losses to the curve. */
  function measure() {
    const { memory } = here;
    const policy = menace.playerOf(game.graph, learner, memory).policy();
    const start = game.home[game.start];
    const losses = opponents.map(opponent => menace.against(game.graph, policy, opponent, learner.side)[start][2]);
    menace.extend(memory.curve, [learner.games + memory.games, ...losses, menace.lossInTheWorstCase(game.graph, policy, learner.side)]);
  }

  const refusal = (clause, parts) => Object.assign(new Error(phrase(clause, parts)), { status: 400 });

  /** Return the requested seed as text. */
  function seedOf(text) {
    if (!menace.isSeed(text)) throw refusal("no_seed", { text });
    return text;
  }

  Object.assign(menace, { here, refusal, seedOf });
})(globalThis.menace ??= {});
