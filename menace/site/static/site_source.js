// The source of the page Play on a site: sessions with a learner of this browser, and its training. Its answers are those
// of the explorer's server (menace/explorer/session_scene.py, progress.py and training_game.py).
"use strict";
(menace => {
  const { ONGOING, counted, opening, phrase, thousands } = menace;
  const at = id => document.getElementById(id);
  const page = at("source").dataset;
  const OUTCOMES = { 1: "X", 0: "draw", [-1]: "O" };
  const SCORE = { 1: 3, 0: 1, [-1]: -1 }; // as Michie counted: D. Michie, Trial and error (1961)
  const GAMES_MOST = 1_000_000;
  const BOXES_FIRST = 12; // as progress.py
  const MILLISECONDS = 20; // of games between two pictures
  const STEP = 200; // milliseconds of a step, at most
  const MEASURED = ["random", "optimal"]; // and in the worst case

  const game = new menace.Game(menace.tables);
  const learner = menace.machines.find(machine => machine.print === page.print);
  const { name, plays } = learner;
  const records = new menace.Records(game, learner);
  let kept = menace.recalled(game, learner) ?? menace.fresh(game, learner);
  let keeps = true; // whether this browser does

  // A link can bring a machine that somebody has trained; it is a guest, and what this browser keeps stays as it is.
  const guest = learner.learns && location.hash.startsWith("#m=") ? location.hash.slice("#m=".length) : "";
  if (guest) {
    at("beat-it").hidden = false;
    try {
      kept = menace.fromLink(guest, game, learner);
      keeps = false;
      at("beat-it").textContent = opening("beat_it");
    } catch (error) {
      at("beat-it").textContent = error.message;
    }
  }

  const refusal = (clause, parts) => Object.assign(new Error(phrase(clause, parts)), { status: 400 });

  function seedOf(text) {
    if (/^\d{1,19}$/.test(text) && BigInt(text) < 1n << 63n) return String(text);
    throw refusal("no_seed", { text });
  }

  // What is kept in this browser.

  /** Load what the machine has learned meanwhile in another tab. */
  function refresh() {
    if (keeps && !going) kept = menace.recalled(game, learner) ?? kept;
  }

  function save() {
    if (!learner.learns) return;
    keeps = !guest && menace.keep(learner, kept);
    showKept();
  }

  function measure() {
    const policy = menace.playerOf(game.graph, learner, kept).policy();
    const start = game.home[game.start];
    const losses = MEASURED.map(who => menace.against(game.graph, policy, opponents[who], learner.side)[start][2]);
    menace.extend(kept.curve, [learner.games + kept.games, ...losses, menace.lossInTheWorstCase(game.graph, policy, learner.side)]);
  }
  const opponents = Object.fromEntries(MEASURED.map(who => [who, menace.fixedOf(game.graph, game.players[who]).policy()]));

  // The session of this tab.

  const place = `${menace.keyOf(learner)} session ${guest}`; // in sessionStorage
  let session = null; // its `order`, the `chance` of its seed, if it was given one, how many `games` have ended, and how
  let under; // its game
  let changes = null; // of the game, once it is over

  function sitDown(chance, start = kept) {
    const { greedy, learning } = session.order;
    under = new menace.GameUnderWay(game, learner, start, { chance, greedy, learns: learner.learns && learning });
    changes = null;
    under.machineMoves();
  }

  const nextGame = () => sitDown(session.chance ?? kept);

  async function begin(order) {
    const chance = order.seed ? { seed: seedOf(order.seed), numbers: 0, turns: 0 } : null;
    session = { token: String(menace.newSeed()), order, chance, games: 0, ended: { 1: 0, 0: 0, [-1]: 0 }, points: kept.score };
    nextGame();
    return arrived();
  }

  async function again() {
    return menace.tried(() => resumed(JSON.parse(sessionStorage.getItem(place))), null);
  }

  /** Set the stored session up again, by its moves, and return its scene. */
  function resumed({ session: stored, start, moves }) {
    session = stored;
    if (start) sitDown(start, start);
    else nextGame();
    for (const move of moves ?? []) {
      under.personMoves(game.movesOf(under.board).find(({ action }) => action === move));
      under.machineMoves();
    }
    return scene();
  }

  /** Finish the game if it is over, remember the session, and return its scene. */
  function arrived() {
    if (under.isOver && !changes && under.plies.length) finish();
    const moves = under.plies.filter(ply => !ply.byMachine).map(ply => ply.look.action);
    const stored = JSON.stringify({ session, ...(changes ? {} : { start: under.start, moves }) });
    menace.tried(() => sessionStorage.setItem(place, stored)); // where nothing can be kept, a reload begins anew
    return scene();
  }

  function finish() {
    refresh();
    Object.assign(under, { kept, chance: session.chance ?? kept });
    changes = under.finish();
    session.games += 1;
    session.ended[under.result] += 1;
    if (!under.learns) session.points = [...session.points, session.points.at(-1) + SCORE[under.result]];
    else {
      menace.scored(kept.score, SCORE[under.result]);
      session.points = kept.score;
      measure();
      save();
      ended({ [under.result]: 1 });
      tell();
    }
  }

  const acts = {
    move({ move }) {
      const text = move.trim().toLowerCase();
      const look = under.personsTurn && game.movesOf(under.board).find(each => records.look(each).name.toLowerCase() === text);
      if (!look) throw refusal(under.personsTurn ? "no_such_move" : "game_over", { move });
      under.personMoves(look);
      under.machineMoves();
    },
    undo() {
      if (changes || under.plies.every(ply => ply.byMachine)) throw refusal("no_undo");
      under.undo();
    },
    resign() {
      if (!under.personsTurn || !under.plies.length) throw refusal("no_resigning");
      under.personResigned = true;
    },
    next: nextGame,
  };

  async function act(what, body) {
    acts[what](body);
    return arrived();
  }

  function scene() {
    const last = under.resigned ? undefined : under.plies.findLast(ply => ply.byMachine);
    const saw = under.resigned ? records.seen(under.board, under.atBoard.kept, null) : last?.saw ?? null;
    const { ended: ends, order, points } = session;
    return {
      token: session.token, player: name, plays, person: plays === "X" ? "O" : "X", name: order.name || null,
      policy: order.greedy ? "greedy" : "behaviour", learns: under.learns, seed: String((session.chance ?? kept).seed),
      game: session.games + (changes ? 0 : 1), ...records.played(under.board), outcome: OUTCOMES[under.outcome] ?? null,
      recorded: changes && session.games, error: under.isOver && !changes ? phrase("nobody_moved") : null, said: said(),
      plies: under.plies.map(({ look, board, byMachine }) =>
        ({ name: records.look(look).name, board: game.texts[board], pieces: game.shown(board).pieces, by_machine: byMachine })),
      moves: under.isOver ? [] : records.moves(under.board),
      drawn: last ? { name: records.look(last.look).name, row: saw.drawn, explored: Boolean(last.explored), restocked: last.restocked } : null,
      saw, changes: changes ?? [], resigned: under.resigned,
      score: { person: ends[-1], machine: ends[1], draws: game.draws ? ends[0] : null, points: [...points] },
    };
  }

  function said() {
    if (!under.isOver) return `${opening("your_move", { side: plays === "X" ? "O" : "X" })}.`;
    let end = opening(["draw", "has_won", "you_won"].at(under.result), { winner: name });
    if (under.resigned || under.personResigned) end = phrase(under.resigned ? "it_resigned" : "you_resigned", { end, name });
    return `${end}. ${opening(!under.learns ? "learns_not" : changes?.length ? "learns" : "changes_nothing", { name })}.`;
  }

  // Training: a run is played a few milliseconds at a time.

  let run = null; // the latest
  let chance; // of the run
  let rival = null; // its opponent, if that is a learner: its table, memory and records
  let going = false;
  let block = 0; // the number of the last one
  let blocks = []; // that have not been shown
  let show; // what is called with the progress
  let drawn = false; // whether it has been: the boxes are drawn once, and then have new contents

  let most = BOXES_FIRST; // boxes that are shown

  const bySide = (own, other) => (learner.side === 0 ? [own, other] : [other, own]);
  const isOpen = () => run?.state === "unfinished";

  /** Add a block of games that ended so: numbers by result. */
  function ended(counts) {
    const [wins, draws, losses] = [1, 0, -1].map(result => counts[result] ?? 0);
    block += 1;
    if (wins + draws + losses) blocks.push({ block, games: wins + draws + losses, wins, draws, losses });
  }

  function progress() {
    if (!kept.curve.length) measure();
    const [[first]] = kept.curve;
    const curve = [...learner.curve.filter(([games]) => games < first), ...kept.curve];
    const boxes = records.firstBoxes(kept, most);
    const contents = boxes.map(({ moves }) => ({ amounts: moves.map(move => move.amount), shares: moves.map(move => move.share) }));
    const strength = curve.map(([games, random, optimal, best]) => ({ games, losses: { random, optimal, best } }));
    return {
      learner: name, plays, has_draws: game.draws, games: learner.games + kept.games, block, more: false, blocks: blocks.splice(0),
      run: run && { ...run, active: going }, boxes: drawn ? null : boxes, contents, strength,
      rival: rival && { learner: rival.learner.name, boxes: rival.records.firstBoxes(rival.kept, BOXES_FIRST) },
      training: { going, here: run !== null, run_id: run?.run_id ?? null, error: null },
    };
  }

  function tell() {
    if (!show) return;
    show(progress());
    drawn = true;
  }

  /** Show so many boxes from now on; 0: as at first. */
  function want(number) {
    [most, drawn] = [number || BOXES_FIRST, false];
    tell();
  }

  function watch(listener) {
    show = listener;
    setTimeout(tell);
  }

  function order({ against, games, seed }) {
    if (isOpen() && going) throw refusal("run_under_way", { run: run.run_id });
    if (!(Number.isInteger(games) && games >= 1 && games <= GAMES_MOST)) {
      throw refusal("no_games", { games: games || 0, most: thousands(GAMES_MOST) });
    }
    const text = seed === undefined ? String(menace.newSeed()) : seedOf(seed);
    chance = new menace.Chance(BigInt(text));
    refresh();
    const other = menace.machines.find(machine => machine.print === against);
    rival = other ? {
      learner: other, kept: menace.recalled(game, other) ?? menace.fresh(game, other), records: new menace.Records(game, other),
    } : null;
    const [x_player, o_player] = bySide(name, other?.name ?? against);
    const [x_learns, o_learns] = bySide(1, Number(other?.learns ?? false));
    run = {
      run_id: (run?.run_id ?? 0) + 1, kind: "train", x_player, o_player, x_learns, o_learns,
      games_wanted: games, games_played: 0, state: "unfinished", seed: text, options: {}, version: page.version,
      started_at: new Date().toISOString(), finished_at: null, why: null,
    };
    return run;
  }

  /** Return the number of games at which strength is measured next: 1, 2, 5, 10, ... */
  const nextMark = games => [1, 2, 5].flatMap(factor => Array.from({ length: 8 }, (_, power) => factor * 10 ** power))
    .sort((a, b) => a - b).find(mark => mark > games);

  /** Play games of the run, up to its next mark, and no longer than `until`. Returns the record of the last. */
  function playGames(most = Infinity, until = Infinity) {
    const own = menace.playerOf(game.graph, learner, kept);
    const fixed = game.players[plays === "X" ? run.o_player : run.x_player];
    const other = rival ? menace.playerOf(game.graph, rival.learner, rival.kept) : menace.fixedOf(game.graph, fixed);
    const players = bySide(own, other);
    const counts = { 1: 0, 0: 0, [-1]: 0 };
    const first = run.games_played;
    const end = Math.min(nextMark(first), run.games_wanted, first + most);
    const isSpent = () => players.some(player => player.isSpent());
    let last = null;
    while (run.games_played < end && !isSpent()) {
      last = menace.playGame(game.graph, players, chance);
      counts[learner.side === 0 ? last.outcome : 0 - last.outcome] += 1;
      run.games_played += 1;
      kept.games += 1;
      if (rival?.learner.learns) rival.kept.games += 1;
      if (performance.now() > until) break;
    }
    if (isSpent() && run.games_played < run.games_wanted) {
      const names = [[own, name], [other, rival?.learner.name]].filter(([player]) => player.isSpent()).map(([, spent]) => spent).reduce((first, second) => phrase("two_names", { first, second }));
      close("stopped", phrase("spent", { names }));
    } else if (run.games_played === run.games_wanted) close("finished");
    if (run.games_played === end || !isOpen()) measure();
    ended(counts);
    return last;
  }

  function close(state, why = null) {
    Object.assign(run, { state, why, finished_at: new Date().toISOString() });
    going = false;
  }

  function saveBoth() {
    save();
    if (rival?.learner.learns) menace.keep(rival.learner, rival.kept);
  }

  function goOn() {
    going = true;
    const slice = () => {
      const until = performance.now() + MILLISECONDS;
      while (going && performance.now() < until) playGames(Infinity, until);
      tell();
      if (going) setTimeout(slice);
      else saveBoth();
    };
    setTimeout(slice);
    tell();
  }

  /** Play a game that is shown move by move. */
  function shownGame() {
    const before = menace.keptOf(kept);
    const memory = menace.keptOf(kept);
    const last = playGames(1);
    if (!last) throw Object.assign(new Error(run.why), { status: 400 });
    const { record, outcome } = last;
    const player = menace.playerOf(game.graph, learner, memory);
    let board = game.start;
    const own = [];
    const plies = record.map(({ position, move }, ply) => {
      const look = game.movesOf(board).find(each => each.move === move);
      const isOwn = ply % 2 === learner.side;
      if (isOwn) {
        player.refill(position);
        own.push({ board, position });
      }
      const frame = { name: records.look(look).name, ...records.played(board), saw: isOwn ? records.seen(board, memory, look.action) : null };
      board = look.next;
      return frame;
    });
    let end = opening(outcome === 0 ? "draw" : "has_won", { winner: outcome === 1 ? run.x_player : run.o_player });
    if (game.outcomeOf(board) === ONGOING) end = phrase("by_resignation", { end });
    return {
      run: { ...run }, plies, ...records.played(board), outcome: OUTCOMES[outcome], said: `${end}; ${phrase("learns", { name })}`,
      changes: records.changes(own, before, kept),
    };
  }

  const trains = {
    "": ({ paused, ...wanted }) => { order(wanted); if (!paused) goOn(); },
    "/pause": () => { going = false; },
    "/resume": goOn,
    "/step": ({ games }) => {
      const [end, until] = [run.games_played + (games ?? 1), performance.now() + STEP];
      do playGames(games && end - run.games_played, until);
      while (isOpen() && run.games_played < end && performance.now() < until);
    },
    "/stop": () => close("abandoned"),
  };

  /** Answer as the server does at its addresses below `train`. */
  async function train(what, body) {
    if (what === "/game") {
      if (!body.run_id) order({ ...body, games: 1 });
      const last = shownGame();
      saveBoth();
      tell();
      return last;
    }
    if (what && !isOpen()) throw refusal("no_run");
    trains[what](body);
    if (!going) saveBoth();
    tell();
    return { ...run };
  }

  addEventListener("pagehide", () => { if (going) saveBoth(); });

  // What only a site has: what the machine learned here, as a file.

  const exploring = boards => `${page.explore}#board=${encodeURIComponent(boards.at(-1))}`;

  function showKept() {
    const learned = opening(kept.games ? "learned_here" : "learned_nothing_here", { name, games: counted(kept.games, "game") });
    at("kept").textContent = `${!keeps ? phrase("keeps_nothing", { learned }) : kept.games ? phrase("kept_here", { learned }) : learned}.`;
    at("forget").disabled = !kept.games;
  }

  /** Continue with another memory of the machine. */
  async function become(memory) {
    if (isOpen()) close("abandoned");
    kept = memory;
    save();
    tell();
    await menace.begin();
  }

  if (learner.learns) {
    showKept();
    at("download").addEventListener("click", () => menace.download(learner, kept));
    at("load").addEventListener("change", async event => {
      const [file] = event.target.files;
      if (!file) return;
      try {
        await become(await menace.readFile(file, game, learner));
        at("status").textContent = `${opening("learned_more", { name, games: counted(kept.games, "game") })}. ${said()}`;
      } catch (error) {
        at("status").textContent = error.message;
      }
      event.target.value = "";
    });
    at("make-link").addEventListener("click", async () => {
      const link = menace.linkOf(learner, kept);
      if (!link) at("status").textContent = `${opening("link_too_long", { name })}.`;
      else {
        history.replaceState(null, "", `#m=${link}`);
        await navigator.clipboard?.writeText(location.href).catch(() => {});
        at("status").textContent = `${opening("link_copied", { name })}.`;
      }
    });
    at("forget").addEventListener("click", async () => {
      if (!confirm(opening("forget", { name, games: counted(kept.games, "game") }))) return;
      await become(menace.fresh(game, learner));
      menace.forget(learner);
    });
  }
  for (const part of new URLSearchParams(location.search).get("hide")?.split(",") ?? []) {
    document.querySelectorAll(`[data-part="${CSS.escape(part)}"]`).forEach(hidden => (part === "training" ? hidden.remove() : hidden.toggleAttribute("hidden", true)));
    document.querySelectorAll(`[name=hide][value="${CSS.escape(part)}"]`).forEach(box => { box.checked = true; });
  }

  menace.source = { act, again, begin, exploring, train, want, watch };
})(globalThis.menace ??= {});
