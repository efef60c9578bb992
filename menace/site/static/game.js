// A game between a person and a machine, as menace/people/game.py has it: a machine's move takes one number of its seed.
"use strict";
(menace => {
  const { ONGOING, RESIGNS } = menace;
  const copied = kept => ({ weight: Array.from(kept.weight), picked: Array.from(kept.picked), epsilon: kept.epsilon });

  class GameUnderWay {
    /** Set up the board. `kept` is the machine's memory, as `fresh` in kept.js makes it; learning changes it. */
    constructor(game, learner, kept) {
      Object.assign(this, { game, learner, kept, plies: [], resigned: false, personResigned: false });
      this.setUp();
    }

    /** Set the machine up as it was before the game. A box that it restocked is opened once in a game, and not needed again. */
    setUp() {
      this.atBoard = menace.playerOf(this.game.graph, this.learner, copied(this.kept));
    }

    get board() {
      return this.plies.at(-1)?.next ?? this.game.start;
    }

    get personsTurn() {
      return this.outcome === ONGOING && this.game.sideOf(this.board) !== this.learner.side;
    }

    /** 1 if X has won, 0 for a draw, -1 if O has; ONGOING. */
    get outcome() {
      const machine = this.learner.side === 0 ? 1 : -1;
      if (this.resigned) return -machine;
      return this.personResigned ? machine : this.game.outcomeOf(this.board);
    }

    /** 1 if the machine has won, 0 for a draw, -1 if it has lost. */
    get result() {
      return this.learner.side === 0 ? this.outcome : 0 - this.outcome;
    }

    personMoves(look) {
      this.add({ look, explored: 0, learned: 1, byMachine: false, restocked: false });
    }

    /** Let the machine move; or resign, if its box says so. */
    machineMoves() {
      const { game, board, kept } = this;
      const position = game.home[board];
      const own = this.plies.filter(ply => ply.byMachine).length;
      const seed = BigInt(kept.seed);
      if (this.atBoard.givesUp(position)) {
        this.resigned = true;
        this.view = this.viewOf(position, null);
        return;
      }
      const chance = new menace.Chance(seed, kept.numbers + own);
      chance.draw();
      const empty = this.atBoard.total[position] === 0;
      const record = menace.emptyRecord();
      const move = this.atBoard.turn(record, position, chance);
      const [explored, learned] = [record.explored[0], record.learned[0]];
      const restocked = empty && this.learner.rule.kind === "beads" && learned === 1;
      const alike = game.movesOf(board).filter(look => look.move === move);
      const look = alike[menace.pickAlike(seed, kept.turns + own, alike.length)];
      this.add({ look, explored, learned, byMachine: true, restocked, view: this.viewOf(position, move, restocked, explored) });
    }

    /** Return the machine's view of a position: the amount and the share of each of its moves. */
    viewOf(position, drawn, restocked = false, explored = 0) {
      const weight = this.atBoard.kept.weight;
      const policy = this.atBoard.policy();
      const held = move => [move, { amount: weight[move], share: policy.share[move] }];
      return { board: this.board, position, drawn, restocked, explored, held: new Map(this.game.graph.movesOf(position).map(held)) };
    }

    add(ply) {
      this.plies.push({ ...ply, board: this.board, position: this.game.home[this.board], next: ply.look.next });
    }

    /** Take the person's last move back, with what the machine answered. */
    undo() {
      this.resigned = this.personResigned = false;
      while (this.plies.pop()?.byMachine);
      this.setUp();
    }

    get canUndo() {
      return this.plies.some(ply => !ply.byMachine);
    }

    /** Let the machine learn from the game. Return the changes of each box that it opened: `ply`, and `changed` by move. */
    finish() {
      const { game, learner, kept, plies } = this;
      const before = copied(kept);
      const record = {
        positions: plies.map(ply => ply.position), moves: plies.map(ply => ply.look.move),
        explored: plies.map(ply => ply.explored), learned: plies.map(ply => ply.learned),
      };
      const own = plies.filter(ply => ply.byMachine);
      kept.numbers += own.length;
      kept.turns += own.length;
      if (!learner.learns) return [];
      menace.learnRecorded(menace.playerOf(game.graph, learner, kept), record, learner.side, this.outcome);
      kept.games += 1;
      kept.people += 1;
      return own.map(ply => ({ ply, changed: this.changesOf(ply, before) })).filter(({ changed }) => changed.length);
    }

    /** Return the moves of a box whose amounts have changed: before, after, and the beads put back first. */
    changesOf(ply, before) {
      const { game, learner, kept } = this;
      return game.groupsOf(ply.board).filter(({ move }) => kept.weight[move] !== before.weight[move])
        .map(({ move, all }) => ({
          look: move === ply.look.move ? ply.look : all[0], all, before: before.weight[move], after: kept.weight[move],
          put: ply.restocked ? learner.rule.first_beads[move] : 0,
        }));
    }
  }

  Object.assign(menace, { GameUnderWay });
})(globalThis.menace ??= {});
