// The tables of a game by board, as play_tables.py writes them: what stands there, and the moves, as drawing.js draws them.
"use strict";
(menace => {
  const FIRST_PIECE = 48; // as play_tables.py

  class Game {
    constructor(tables) {
      Object.assign(this, tables);
      this.graph = new menace.Graph(tables);
      this.texts = tables.boards.split(" ");
      this.numbers = new Map(this.texts.map((text, number) => [text, number]));
    }

    /** Return a board as drawing.js takes it: its shape and pieces. */
    shown(board) {
      const { shape } = this;
      const cells = shape[0] * shape[1];
      return { shape, cells: this.cells, pieces: Array.from({ length: cells }, (_, cell) => this.kinds[this.pieces.charCodeAt(board * cells + cell) - FIRST_PIECE]) };
    }

    /** Return the moves of a board as they are drawn: each with its `move`, as the graph numbers it, and the `next` board. */
    movesOf(board) {
      const flat = this.moves[board];
      const first = this.graph.first[this.home[board]];
      return Array.from({ length: flat.length / 3 }, (_, place) => {
        const [look, which, further] = flat.slice(3 * place, 3 * place + 3);
        const [name, marked, path, places, action] = this.looks[look];
        const verdict = this.verdict(first + which, this.sideOf(board));
        const [cells, arrow] = path?.lastIndexOf("M") > 0 ? [[], marked] : [marked, null]; // an arrow's head is a second part of its path
        const rest = this.graph.rest[this.graph.next[first + which]];
        return { move: first + which, next: board + further, ends_in: rest + 1, name, cells, arrow, path, places, action, verdict };
      });
    }

    /** Return the moves of a board, those that are alike by symmetry as one: `all` of them, and the `first`. */
    groupsOf(board) {
      const groups = new Map();
      for (const look of this.movesOf(board)) {
        if (!groups.has(look.move)) groups.set(look.move, { move: look.move, first: look, all: [] });
        groups.get(look.move).all.push(look);
      }
      return [...groups.values()];
    }

    outcomeOf(board) {
      return this.graph.outcome[this.home[board]];
    }

    sideOf(board) {
      return this.graph.to_move[this.home[board]];
    }

    /** Return the verdict of a move for the side that makes it: wins, draws or loses under perfect play. */
    verdict(move, side) {
      return this.verdicts[this.graph.minimax[this.graph.next[move]] * (side === 0 ? 1 : -1)];
    }

    /** Return the board of a text, as people write boards; undefined if no game reaches it. */
    meant(text) {
      const plain = text.replace(/[\s/|]/g, "").toUpperCase().replace(/[_-]/g, ".");
      return this.numbers.get(text.trim()) ?? this.numbers.get(plain);
    }
  }

  /** Return a learner's name of a move: it may number cells in its own way. */
  function nameOf(game, learner, look) {
    return game.of_cells && learner?.numbers.length && /^\d+$/.test(look.name) ? String(learner.numbers[look.name]) : look.name;
  }

  /** Return the colour of a move's beads, by name as `bead`, and as it is shown; null where they have none. */
  function beadOf(learner, move) {
    const place = learner.colour_of_move.length ? learner.colour_of_move[move] : -1;
    const [bead, colour] = place < 0 ? [null, null] : learner.colours[place];
    return { bead, colour };
  }

  /** Return the marks of a box: a learner's amount and share of each move of a board, the first of equivalent ones. */
  function marksOf(game, learner, kept, policy, board) {
    return game.groupsOf(board).map(({ move, first }) => ({
      ...first,
      name: nameOf(game, learner, first),
      share: policy.share[move],
      amount: menace.amountText(kept.weight[move], learner.unit),
      colour: beadOf(learner, move).colour,
    }));
  }

  Object.assign(menace, { Game, beadOf, marksOf, nameOf });
})(globalThis.menace ??= {});
