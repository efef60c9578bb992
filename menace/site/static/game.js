// A game between a person and a machine, as menace/people/game.py has it: a machine's move takes one number of its seed.
"use strict";
(menace => {
  const { ONGOING, keptOf } = menace;

  class GameUnderWay {
    /**
     * Set up the board. `kept` is the machine's memory, as `fresh` in kept.js makes it; learning changes it. `chance` has
     * the `seed`, and how many of its `numbers` and `turns` are used.
     */
    constructor(game, learner, kept, { chance = kept, greedy = false, learns = learner.learns } = {}) {
      Object.assign(this, { game, learner, kept, chance, greedy, learns, plies: [], resigned: false, personResigned: false });
      this.records = new menace.Records(game, learner);
      this.start = { ...keptOf(kept), seed: chance.seed, numbers: chance.numbers, turns: chance.turns };
      this.setUp();
    }

    /** Set the machine up as it was before the game. A box that it restocked is opened once in a game, and not needed again. */
    setUp() {
      this.atBoard = menace.playerOf(this.game.graph, this.learner, keptOf(this.start), this.greedy ? "greedy" : "behaviour");
    }

    get board() {
      return this.plies.at(-1)?.next ?? this.game.start;
    }

    get isOver() {
      return this.outcome !== ONGOING;
    }

    get personsTurn() {
      return !this.isOver && this.game.sideOf(this.board) !== this.learner.side;
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

    /** Let the machine move, or resign if its box says so, if it is its turn. */
    machineMoves() {
      if (this.isOver || this.personsTurn) return;
      const { game, board, start, atBoard } = this;
      const position = game.home[board];
      const own = this.plies.filter(ply => ply.byMachine).length;
      const seed = BigInt(start.seed);
      if (atBoard.givesUp(position)) {
        this.resigned = true;
        return;
      }
      const chance = new menace.Chance(seed, start.numbers + own);
      chance.draw();
      const isEmpty = atBoard.isEmpty(position);
      const { move, explored, learned } = atBoard.turn(position, chance);
      const alike = game.movesOf(board).filter(look => look.move === move);
      const look = alike[menace.pickAlike(seed, start.turns + own, alike.length)];
      const saw = this.records.seen(board, atBoard.kept, look.action);
      this.add({ look, explored, learned, byMachine: true, restocked: Boolean(isEmpty && learned), saw });
    }

    add(ply) {
      this.plies.push({ ...ply, move: ply.look.move, board: this.board, position: this.game.home[this.board], next: ply.look.next });
    }

    /** Take the person's last move back, with what the machine answered. */
    undo() {
      this.resigned = this.personResigned = false;
      while (this.plies.pop()?.byMachine);
      this.setUp();
    }

    /** Let the machine learn from the game. Return the changes of each box that it opened. */
    finish() {
      const { game, learner, kept, plies } = this;
      const before = keptOf(kept);
      const own = plies.filter(ply => ply.byMachine);
      this.chance.numbers += own.length;
      this.chance.turns += own.length;
      if (!this.learns) return [];
      menace.learnRecorded(menace.playerOf(game.graph, learner, kept), plies, learner.side, this.outcome);
      kept.games += 1;
      kept.people += 1;
      return this.records.changes(own, before, kept);
    }
  }

  Object.assign(menace, { GameUnderWay });
})(globalThis.menace ??= {});
