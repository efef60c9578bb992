// A person's session with a site's machine in one tab, as in menace/people/session.py and menace/explorer/content/drawable_boxes.py.
"use strict";
(menace => {
  const { OUTCOMES, here, opening, phrase, refusal } = menace;
  const { game, learner, name, records } = here;
  const LESSONS = { 1: "loss", 0: "draw", [-1]: "win" }; // results for the person, by the machine's result
  const SCORE = { 1: 3, 0: 1, [-1]: -1 }; // Michie's points for a result: D. Michie, Trial and error (1961)
  const person = learner.plays === "X" ? "O" : "X";
  const place = `${menace.keyOf(learner)} session ${here.guest}`; // the key in sessionStorage

  let session; // its `order`, the `chance` of its seed, if it has one, the number of finished `games`, and their results
  let under; // the current game
  let changes; // the changes caused by the current game if it is over, otherwise null

  function nextGame(start = { ...here.memory, ...session.chance }, moves = []) {
    const { greedy, learning } = session.order;
    const policy = greedy ? "greedy" : "behaviour";
    under = new menace.GameUnderWay(game, learner, start, { policy, learns: learner.learns && learning, moves });
    changes = null;
  }

  async function begin(order) {
    const chance = order.seed ? { seed: menace.seedOf(order.seed), numbers: 0, turns: 0 } : null;
    session = { token: String(menace.newSeed()), order, chance, games: 0, ended: { 1: 0, 0: 0, [-1]: 0 }, points: here.memory.score };
    nextGame();
    return arrived();
  }

  /** Restore the session of this tab and return its scene, or null if there is no session. */
  async function again() {
    return menace.tried(() => {
      const { start, moves, ...stored } = JSON.parse(sessionStorage.getItem(place));
      session = stored;
      nextGame(start, moves);
      return scene();
    }, null);
  }

  /** Finish the game if it is over, store the session, and return its scene. */
  function arrived() {
    if (under.isOver && !changes && under.plies.length) finish();
    const { start, moves } = changes ? {} : under; // if the game is over, a reload starts the next game
    menace.tried(() => sessionStorage.setItem(place, JSON.stringify({ ...session, start, moves }))); // if nothing can be stored, a reload starts a new session
    return scene();
  }

  function finish() {
    here.refresh();
    changes = under.finish(here.memory, session.chance ?? here.memory);
    session.games += 1;
    session.ended[under.result] += 1;
    if (!under.learns) session.points = [...session.points, session.points.at(-1) + SCORE[under.result]];
    else {
      menace.scored(here.memory.score, SCORE[under.result]);
      session.points = here.memory.score;
      here.measure();
      menace.taught(here.memory.lessons, [LESSONS[under.result], here.memory.curve.at(-1)[1], learner.games + here.memory.games]);
      here.save();
      menace.siteTraining.addBlock([under.result]);
      menace.siteTraining.tell();
    }
  }

  const acts = {
    move({ move }) {
      const text = move.trim().toLowerCase();
      const look = !under.isOver && game.movesOf(under.board).find(each => records.look(each).name.toLowerCase() === text);
      if (!look) throw refusal(under.isOver ? "game_over" : "no_such_move", { move });
      under.makePersonMove(look.action);
    },
    undo() {
      if (changes || !under.moves.length) throw refusal("no_undo");
      under.undo();
    },
    resign() {
      if (under.isOver || !under.plies.length) throw refusal("no_resigning");
      under.personResigned = true;
    },
    next: () => nextGame(),
  };

  async function act(what, body) {
    acts[what](body);
    return arrived();
  }

  function scene() {
    const { board, isOver, plies, resigned } = under;
    const last = resigned ? undefined : plies.findLast(ply => ply.byMachine);
    const saw = resigned ? records.seen(board, under.atBoard.memory, null) : last?.saw ?? null;
    const { chance, ended, games, order, points, token } = session;
    return {
      token, player: name, plays: learner.plays, person, name: order.name || null,
      policy: under.policy, learns: under.learns, seed: String((chance ?? here.memory).seed),
      game: games + (changes ? 0 : 1), ...game.played(board), outcome: OUTCOMES[under.outcome] ?? null,
      recorded: changes && games, error: isOver && !changes ? phrase("nobody_moved") : null, said: said(),
      plies: plies.map(ply => ({
        name: records.look(ply.look).name, board: game.texts[ply.board], pieces: game.record(ply.board).pieces, by_machine: ply.byMachine,
      })),
      moves: isOver ? [] : records.moves(board),
      drawn: last ? { name: records.look(last.look).name, row: saw.drawn, explored: Boolean(last.explored), restocked: last.restocked } : null,
      saw, changes: changes ?? [], resigned, lessons: learner.learns ? [...here.memory.lessons] : [], unsaved: false,
      first_box: records.firstBoxes(changes ? here.memory : under.start, 1)[0] ?? null,
      score: { person: ended[-1], machine: ended[1], draws: game.draws ? ended[0] : null, points: [...points] },
    };
  }

  function said() {
    if (!under.isOver) return `${opening("your_move", { side: menace.clauses[`side_${menace.tables.title.split(" ")[0]}_${person}`] ?? person })}.`;
    const called = menace.called(name);
    let end = opening(["draw", "has_won", "you_won"].at(under.result), { winner: called });
    if (under.resigned || under.personResigned) end = phrase(under.resigned ? "it_resigned" : "you_resigned", { end, name: called });
    if (menace.isBeginner(name) && changes?.length) {
      const moved = changes.flatMap(box => box.moves).reduce((sum, move) => sum + move.after - move.before - move.put_back, 0);
      return `${end}. ${opening(moved < 0 ? "taught_less" : "taught_more", { beads: menace.counted(Math.abs(moved), "bead") })}.`;
    }
    return `${end}. ${opening(!under.learns ? "does_not_learn" : changes?.length ? "learns" : "changes_nothing", { name: called })}.`;
  }

  menace.siteSession = { act, again, begin, said };
})(globalThis.menace ??= {});
