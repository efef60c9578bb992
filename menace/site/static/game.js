// A game between a person and a machine, as in menace/people/game.py. Each move of the machine uses one random number from its seed.
"use strict";
(menace => {
  const { ONGOING, tableCopy } = menace;

  class GameUnderWay {
    /**
     * Set up the board. `start` is the machine's memory, as created by `fresh` in learner_memory.js, with the `seed` of its random numbers, and with
     * the counts of the `numbers` and `turns` that have been used. `moves` are the person's actions so far.
     */
    constructor(game, learner, { seed, numbers, turns, ...memory }, { policy = "behaviour", learns = learner.learns, moves = [] } = {}) {
      Object.assign(this, { game, learner, policy, learns, start: { ...tableCopy(memory), seed, numbers, turns } });
      this.records = new menace.Records(game, learner);
      this.replay(moves);
    }

    /** Replay from the beginning, with the machine's original memory and the same random numbers. */
    replay(moves) {
      const atBoard = menace.playerOf(this.game.graph, this.learner, tableCopy(this.start), this.policy);
      Object.assign(this, { moves, atBoard, plies: [], resigned: false, personResigned: false });
      this.makeMachineMove();
      for (const action of moves) {
        this.add({ look: this.game.movesOf(this.board).find(look => look.action === action), byMachine: false });
        this.makeMachineMove();
      }
    }

    get board() {
      return this.plies.at(-1)?.next ?? this.game.start;
    }

    get isOver() {
      return this.outcome !== ONGOING;
    }

    /** 1 if X has won, 0 for a draw, -1 if O has won, or ONGOING. */
    get outcome() {
      const machine = this.learner.side === 0 ? 1 : -1;
      if (this.resigned) return -machine;
      return this.personResigned ? machine : this.game.outcomeOf(this.board);
    }

    /** 1 if the machine has won, 0 for a draw, -1 if it has lost. */
    get result() {
      return this.learner.side === 0 ? this.outcome : 0 - this.outcome;
    }

    makePersonMove(action) {
      this.replay([...this.moves, action]);
    }

    /** Undo the person's last move and the machine's answer. */
    undo() {
      this.replay(this.moves.slice(0, -1));
    }

    /** If it is the machine's turn, let the machine move, or let it resign if its box is empty. */
    makeMachineMove() {
      const { game, board, start, atBoard } = this;
      if (this.isOver || game.sideOf(board) !== this.learner.side) return;
      const position = game.home[board];
      this.resigned = atBoard.givesUp(position);
      if (this.resigned) return;
      const own = this.plies.filter(ply => ply.byMachine).length;
      const seed = BigInt(start.seed);
      const chance = new menace.Chance(seed, start.numbers + own);
      chance.draw();
      const isEmpty = atBoard.isEmpty(position);
      const { move, explored, learned } = atBoard.turn(position, chance);
      const alike = game.movesOf(board).filter(look => look.move === move);
      const look = alike[menace.pickAlike(seed, start.turns + own, alike.length)];
      const saw = this.records.seen(board, atBoard.memory, look.action);
      this.add({ look, explored, learned, byMachine: true, restocked: Boolean(isEmpty && learned), saw });
    }

    add(ply) {
      this.plies.push({ ...ply, move: ply.look.move, board: this.board, position: this.game.home[this.board], next: ply.look.next });
    }

    /** Let the machine learn from the game, which changes `memory` and `chance`. Return the changes in each box that the machine opened. */
    finish(memory, chance = memory) {
      const { game, learner, plies } = this;
      const before = tableCopy(memory);
      const own = plies.filter(ply => ply.byMachine);
      chance.numbers += own.length;
      chance.turns += own.length;
      if (!this.learns) return [];
      menace.playerOf(game.graph, learner, memory).learn(plies, this.result);
      memory.games += 1;
      memory.people += 1;
      return this.records.changes(own, before, memory);
    }
  }

  Object.assign(menace, { GameUnderWay });
})(globalThis.menace ??= {});
