// The page Play: a board, the machine's box beside it, and the machine's memory in this browser.
"use strict";
(menace => {
  const { ONGOING, counted, escaped, listMoves, opening, phrase } = menace;
  const at = id => document.getElementById(id);
  const place = at("play");
  if (!place) return;
  const SCORE = { 1: 3, 0: 1, [-1]: -1 }; // as Michie counted: D. Michie, Trial and error (1961)

  const game = new menace.Game(menace.tables);
  const learner = menace.machines.find(machine => machine.print === place.dataset.print);
  const name = learner.name;
  const you = phrase("you");
  let kept = (learner.learns && menace.recalled(game, learner)) || menace.fresh(game, learner);
  let keeps = true; // whether this browser does
  let under = null; // the game under way
  let changes = null; // of the game, once it is over
  let busy = false; // while it trains
  const score = { you: 0, machine: 0, drawn: 0 };

  const say = text => { at("status").textContent = text; };

  // What is shown.

  function draw() {
    const over = under.outcome !== ONGOING;
    const { board } = under;
    const before = under.plies.length ? game.shown(under.plies.at(-1).board).pieces : undefined;
    hands.show({ ...game.shown(board), before }, under.personsTurn ? game.movesOf(board) : [], "The board");
    listMoves(game.of_cells || !under.personsTurn ? [] : game.movesOf(board), person);
    at("box").innerHTML = boxHtml();
    at("moves").innerHTML = under.plies.map(ply => `<li>${escaped(ply.byMachine ? name : you)}: ${escaped(menace.nameOf(game, learner, ply.look))}</li>`).join("");
    at("undo").disabled = over || !under.canUndo;
    at("resign").disabled = over || !under.plies.length;
    at("learned").hidden = !changes?.length;
    at("changes").innerHTML = (changes ?? []).map(changedHtml).join("");
    menace.showScore(you, name, { person: score.you, machine: score.machine, draws: game.draws ? score.drawn : null, points: kept.score });
    say(words());
    keeping();
  }

  function words() {
    const last = under.plies.at(-1);
    let moved = "";
    if (last?.byMachine) {
      const parts = { name, move: menace.nameOf(game, learner, last.look) };
      moved = `${last.restocked ? `${opening("restocked")}. ` : ""}${opening(last.explored ? "explores" : "plays", parts)}. `;
    }
    if (under.outcome === ONGOING) return `${moved}${opening("your_move", { side: learner.side === 0 ? "O" : "X" })}.`;
    let end = opening(["draw", "has_won", "you_won"].at(under.result), { winner: name });
    if (under.resigned || under.personResigned) end = phrase(under.resigned ? "it_resigned" : "you_resigned", { end, name });
    return `${moved}${end}. ${opening(!learner.learns ? "learns_not" : changes.length ? "learns" : "changes_nothing", { name })}.`;
  }

  function boxHtml() {
    const view = under.resigned ? under.view : under.plies.findLast(ply => ply.byMachine)?.view;
    if (!view) return menace.paragraph("not_moved");
    const groups = game.groupsOf(view.board);
    const moves = groups.map(({ move, first, all }) =>
      ({ ...named(first, all), ...view.held.get(move), ...menace.beadOf(learner, move) }));
    const boxed = learner.rule.boxed[view.position] === "1";
    const number = Array.from(learner.rule.boxed.slice(0, view.position + 1)).filter(flag => flag === "1").length;
    const beads = counted(moves.reduce((sum, move) => sum + move.amount, 0), "bead");
    return menace.openBox({
      ...game.shown(view.board), board: game.texts[view.board], moves,
      kind: game.of_cells ? "cell" : "move",
      unit: boxed ? learner.unit : null,
      number,
      title: opening(learner.unit === "beads" ? "box" : "values", { number, beads }),
      drawn: groups.findIndex(({ move }) => move === view.drawn),
    });
  }

  /** Return a move with the learner's name of it, and the names of all equivalent ones. */
  function named(look, all) {
    const names = [look, ...all].map(move => menace.nameOf(game, learner, move));
    return { ...look, name: names[0], names: names.slice(1) };
  }

  function changedHtml({ ply, changed }) {
    const moves = changed.map(({ look, all, before, after, put }) => ({ ...named(look, all), before, after, put_back: put }));
    return menace.changedBox({ ...game.shown(ply.board), moves });
  }

  function keeping() {
    if (!learner.learns) return;
    at("games").textContent = counted(learner.games + kept.games, "game");
    const here = kept.games ? `${name} has learned from ${counted(kept.games, "game")} in this browser` : `${name} has learned nothing in this browser yet`;
    at("kept").textContent = keeps ? `${here}${kept.games ? ", and what it learned is kept here" : ""}.`
      : `${here}. This browser keeps nothing: download it, or it is gone with the page.`;
    at("forget").disabled = !kept.games;
    strength();
  }

  function strength() {
    if (!kept.curve.length) measure();
    const [, value] = kept.curve.at(-1);
    at("value").textContent = menace.minus(menace.VALUE.exactly(value));
    const [begun, from] = kept.curve[0];
    const label = `Value of ${name} against random play, from ${from.toFixed(2)} to ${value.toFixed(2)}, by games`;
    at("strength").innerHTML = kept.curve.length > 1 ? menace.curves([[name, kept.curve]], { ...menace.VALUE, label })
      + `<p class="note">By games learned, from ${counted(begun, "game")} to ${menace.thousands(kept.curve.at(-1)[0])}.</p>` : "";
  }

  // What is done.

  function measure() {
    const policy = menace.playerOf(game.graph, learner, kept).policy();
    const [win, , loss] = menace.against(game.graph, policy, random, learner.side)[game.home[game.start]];
    menace.extend(kept.curve, [learner.games + kept.games, win - loss]);
  }
  const random = game.graph.anyMove.policy();

  function begin() {
    under = new menace.GameUnderWay(game, learner, kept);
    changes = null;
    if (!under.personsTurn && under.outcome === ONGOING) under.machineMoves();
    over();
    draw();
  }

  function person(look) {
    if (!under.personsTurn) return;
    under.personMoves(look);
    if (under.outcome === ONGOING) under.machineMoves();
    over();
    draw();
  }

  /** Load what the machine has learned meanwhile in another tab. */
  function refresh() {
    kept = (learner.learns && keeps && menace.recalled(game, learner)) || kept;
  }

  function over() {
    if (under.outcome === ONGOING || changes) return;
    if (!under.plies.length) { // to open the page is no game, even where the machine has nothing left to begin with
      changes = [];
      return;
    }
    refresh();
    under.kept = kept;
    if (!kept.curve.length) measure();
    changes = under.finish();
    score[under.result > 0 ? "machine" : under.result < 0 ? "you" : "drawn"] += 1;
    menace.scored(kept.score, SCORE[under.result]);
    if (!learner.learns) return;
    measure();
    keeps = menace.keep(learner, kept);
  }

  const surely = menace.twice(() => say(`${opening("resign")}.`), () => {
    under.personResigned = true;
    over();
    draw();
  });
  const resign = () => { if (!at("resign").disabled) surely(); };

  function undo() {
    if (at("undo").disabled) return;
    under.undo();
    draw();
  }

  const hands = new menace.Hands(at("board"), { chosen: person, asks: text => { if (under.personsTurn) say(text); } });
  const setWorth = menace.worthSwitch(place, hands);
  const keys = { u: undo, n: begin, r: resign, "?": () => { at("key-list").open = !at("key-list").open; at("key-list").scrollIntoView({ block: "nearest" }); } };
  addEventListener("keydown", event => {
    if (busy || event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.target.matches?.("input, select, textarea")) return;
    if (event.key === "h") setWorth(true);
    else if (game.of_cells && under.personsTurn && /^\d$/.test(event.key)) {
      const look = game.movesOf(under.board).find(move => menace.nameOf(game, learner, move) === event.key);
      if (look) person(look);
    } else if (event.key in keys) {
      event.preventDefault();
      keys[event.key]();
    }
  });
  at("undo").addEventListener("click", undo);
  at("next").addEventListener("click", begin);
  at("resign").addEventListener("click", resign);

  if (learner.learns) {
    at("download").addEventListener("click", () => menace.download(learner, kept));
    at("load").addEventListener("change", async event => {
      const [file] = event.target.files;
      if (!file) return;
      try {
        become(await menace.readFile(file, game, learner));
        say(`${name} has learned from ${counted(kept.games, "game")} more than when it was exported. ${words()}`);
      } catch (error) {
        say(error.message);
      }
      event.target.value = "";
    });
    at("forget").addEventListener("click", () => {
      if (!confirm(`Forget what ${name} has learned from ${counted(kept.games, "game")} in this browser?`)) return;
      become(menace.fresh(game, learner));
      menace.forget(learner);
      keeping();
    });
  }

  /** Continue with another memory of the machine. */
  function become(memory) {
    kept = memory;
    keeps = menace.keep(learner, kept);
    begin();
  }

  /** Disable the board and the memory while the machine trains. */
  function setBusy(now) {
    busy = now;
    at("hand").inert = at("keeping").inert = now;
    if (now) say(`${name} trains.`);
  }

  Object.assign(menace, { table: { game, learner, now: () => kept, refresh, begin, keeping, measure, setBusy, keep: () => { keeps = menace.keep(learner, kept); } } });
  begin();
})(globalThis.menace ??= {});
