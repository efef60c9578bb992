// Train a machine on a site. A run is played for a few milliseconds at a time, as in menace/explorer/content/sessions.py.
"use strict";
(menace => {
  const { ONGOING, OUTCOMES, here, opening, phrase, refusal } = menace;
  const { game, learner, name, records } = here;
  const { version } = document.getElementById("source").dataset;
  const MAX_GAMES = 1_000_000;
  const BOXES_FIRST = 12; // as in explorer/content/sessions.py
  const MILLISECONDS = 20; // time for playing games between two animation frames
  const STEP = 200; // maximum duration of a step, in milliseconds
  const MARKS = Array.from({ length: 8 }, (_, power) => [1, 2, 5].map(factor => factor * 10 ** power)).flat(); // games after which strength is measured

  let run = null; // the latest run
  let chance; // the run's random numbers
  let rival = null; // the run's opponent if it is a learner
  let opponent; // the opponent as a player
  let block = 0; // the number of the last block
  let blocks = []; // the blocks that have not been shown
  let show; // a function that is called with the progress
  let most = BOXES_FIRST; // maximum number of boxes to show

  const bySide = (own, other) => (learner.side === 0 ? [own, other] : [other, own]);
  const isOpen = () => run?.state === "unfinished";

  /** Add a block of games, given the result of each game for the machine: 1, 0 or -1. */
  function addBlock(results) {
    const [wins, draws, losses] = [1, 0, -1].map(each => results.filter(result => result === each).length);
    block += 1;
    if (results.length) blocks.push({ block, games: results.length, wins, draws, losses });
  }

  function progress() {
    const { going, memory } = here;
    if (!memory.curve.length) here.measure();
    const [[first]] = memory.curve;
    const curve = [...learner.curve.filter(([games]) => games < first), ...memory.curve];
    const boxes = records.firstBoxes(memory, most);
    return {
      learner: name, plays: learner.plays, has_draws: game.draws, games: learner.games + memory.games, block, more: false,
      blocks: blocks.splice(0), run: run && { ...run, active: going }, boxes,
      contents: boxes.map(({ moves }) => ({ amounts: moves.map(move => move.amount), shares: moves.map(move => move.share) })),
      strength: curve.map(([games, random, optimal, best_response]) => ({ games, losses: { random, optimal, best_response } })),
      rival: rival && { learner: rival.name, boxes: rival.records.firstBoxes(rival.memory, BOXES_FIRST) },
      training: { going, here: run !== null, run_id: run?.run_id ?? null, error: null },
    };
  }

  function tell() {
    if (show) show(progress());
  }

  /** Set the number of boxes to show; 0 restores the initial number. */
  function want(number) {
    most = number || BOXES_FIRST;
    tell();
  }

  function watch(listener) {
    show = listener;
    setTimeout(tell);
  }

  function order({ against, games, seed }) {
    if (isOpen() && here.going) throw refusal("run_under_way", { run: run.run_id });
    if (!(Number.isInteger(games) && games >= 1 && games <= MAX_GAMES)) {
      throw refusal("no_games", { games: games || 0, most: menace.thousands(MAX_GAMES) });
    }
    const text = seed === undefined ? String(menace.newSeed()) : menace.seedOf(seed);
    chance = new menace.Chance(BigInt(text));
    here.refresh();
    const other = menace.machines.find(machine => machine.print === against);
    rival = other ? menace.machineOf(game, other) : null;
    opponent = rival ? menace.playerOf(game.graph, other, rival.memory) : menace.fixedOf(game.graph, game.players[against]);
    const [x_player, o_player] = bySide(name, rival?.name ?? against);
    const [x_learns, o_learns] = bySide(1, Number(other?.learns ?? false));
    run = {
      run_id: (run?.run_id ?? 0) + 1, kind: "train", x_player, o_player, x_learns, o_learns,
      games_wanted: games, games_played: 0, state: "unfinished", seed: text, options: {}, version,
      started_at: new Date().toISOString(), finished_at: null, why: null,
    };
    return run;
  }

  /** Play games of the run up to its next mark, but only until the time `until`. Return the record of the last game. */
  function playGames(most = Infinity, until = Infinity) {
    const own = menace.playerOf(game.graph, learner, here.memory);
    const players = bySide(own, opponent);
    const results = [];
    const mark = MARKS.find(games => games > run.games_played) ?? Infinity;
    const end = Math.min(mark, run.games_wanted, run.games_played + most);
    const isSpent = () => players.some(player => player.isSpent());
    let last = null;
    while (run.games_played < end && !isSpent()) {
      last = menace.playGame(game.graph, players, chance);
      results.push(learner.side === 0 ? last.outcome : 0 - last.outcome);
      run.games_played += 1;
      here.memory.games += 1;
      if (rival?.learner.learns) rival.memory.games += 1;
      if (performance.now() > until) break;
    }
    if (isSpent() && run.games_played < run.games_wanted) {
      const spent = [[own, name], [opponent, rival?.name]].filter(([player]) => player.isSpent()).map(([, each]) => each);
      close("stopped", phrase("spent", { names: spent.reduce((first, second) => phrase("two_names", { first, second })) }));
    } else if (run.games_played === run.games_wanted) close("finished");
    if (run.games_played === end || !isOpen()) here.measure();
    addBlock(results);
    return last;
  }

  function close(state, why = null) {
    if (!isOpen()) return;
    Object.assign(run, { state, why, finished_at: new Date().toISOString() });
    here.going = false;
  }

  function save() {
    here.save();
    if (rival?.learner.learns) menace.keep(rival.learner, rival.memory);
  }

  function goOn() {
    here.going = true;
    const slice = () => {
      const until = performance.now() + MILLISECONDS;
      while (here.going && performance.now() < until) playGames(Infinity, until);
      tell();
      if (here.going) setTimeout(slice);
      else save();
    };
    setTimeout(slice);
  }

  /** Play a game that is shown move by move. */
  function shownGame() {
    const [before, memory] = [menace.tableCopy(here.memory), menace.tableCopy(here.memory)];
    const last = playGames(1);
    if (!last) throw Object.assign(new Error(run.why), { status: 400 });
    const { record, outcome } = last;
    const player = menace.playerOf(game.graph, learner, memory);
    const own = record.filter((_, ply) => ply % 2 === learner.side);
    for (const { position } of own) player.refill(position);
    let next = game.start;
    const plies = record.map(ply => {
      const board = ply.board = next;
      const look = game.movesOf(board).find(({ move }) => move === ply.move);
      next = look.next;
      return { name: records.look(look).name, ...game.played(board), saw: own.includes(ply) ? records.seen(board, memory, look.action) : null };
    });
    let end = opening(outcome === 0 ? "draw" : "has_won", { winner: outcome === 1 ? run.x_player : run.o_player });
    if (game.outcomeOf(next) === ONGOING) end = phrase("by_resignation", { end });
    return {
      run: { ...run }, plies, ...game.played(next), outcome: OUTCOMES[outcome], said: `${end}; ${phrase("learns", { name })}`,
      changes: records.changes(own, before, here.memory),
    };
  }

  const acts = {
    "": ({ paused, ...wanted }) => {
      order(wanted);
      if (!paused) goOn();
    },
    "/game": body => {
      if (!body.run_id) order({ ...body, games: 1 });
      return shownGame();
    },
    "/pause": () => { here.going = false; },
    "/resume": goOn,
    "/step": ({ games }) => {
      const [end, until] = [run.games_played + (games ?? 1), performance.now() + STEP];
      do playGames(games && end - run.games_played, until);
      while (isOpen() && run.games_played < end && performance.now() < until);
    },
    "/stop": () => close("abandoned"),
  };

  /** Return the same responses as the server's routes below `train`. */
  async function train(what, body) {
    if (!["", "/game"].includes(what) && !isOpen()) throw refusal("no_run");
    const reply = acts[what](body) ?? { ...run };
    if (!here.going) save();
    tell();
    return reply;
  }

  addEventListener("pagehide", () => { if (here.going) save(); });

  menace.siteTraining = { close, addBlock, tell, train, want, watch };
})(globalThis.menace ??= {});
