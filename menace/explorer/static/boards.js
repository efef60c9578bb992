// Look up boards in the tables that play_tables.py writes: their pieces, and their moves in the form that drawing.js expects.
"use strict";
(menace => {
  const FIRST_PIECE = 48; // as in play_tables.py

  class Game {
    constructor(tables) {
      Object.assign(this, tables);
      this.graph = new menace.Graph(tables);
      this.texts = tables.boards.split(" ");
      this.numbers = new Map(this.texts.map((text, number) => [text, number]));
    }

    /** Return a board as a record: its text, its shape and its pieces. */
    record(board) {
      const [height, width] = this.shape;
      const letters = this.pieces.slice(board * height * width, (board + 1) * height * width);
      const pieces = Array.from(letters, letter => this.kinds[letter.charCodeAt() - FIRST_PIECE]);
      return { board: this.texts[board], shape: this.shape, pieces };
    }

    /** Return a board in a game as a record, with a description of each cell. */
    played(board) {
      return { ...this.record(board), cells: this.cells };
    }

    /** Return a board's moves by action, in the form that drawing.js expects, each with its `move` in the graph and the `next` board. */
    movesOf(board) {
      const flat = this.moves[board];
      const first = this.graph.first[this.home[board]];
      return Array.from({ length: flat.length / 3 }, (_, place) => {
        const [look, which, further] = flat.slice(3 * place, 3 * place + 3);
        const move = first + which;
        const ends_in = this.graph.rest[this.graph.next[move]] + 1;
        return { ...this.looks[look], move, next: board + further, ends_in, verdict: this.verdict(move, this.sideOf(board)) };
      });
    }

    /** Return the moves on a board up to symmetry; each move's `all` contains the moves that are equivalent to it. */
    groupsOf(board) {
      const looks = this.movesOf(board);
      return [...new Set(looks.map(look => look.move))].map(move => ({ move, all: looks.filter(look => look.move === move) }));
    }

    outcomeOf(board) {
      return this.graph.outcome[this.home[board]];
    }

    sideOf(board) {
      return this.graph.to_move[this.home[board]];
    }

    /** Return the verdict on a move: whether the side that makes the move wins, draws or loses under perfect play. */
    verdict(move, side) {
      return this.verdicts[this.graph.minimax[this.graph.next[move]] * (side === 0 ? 1 : -1)];
    }

    /** Return the board for the text that a person typed, or undefined if no game reaches that board. */
    meant(text) {
      const plain = text.replace(/[\s/|]/g, "").toUpperCase().replace(/[_-]/g, ".");
      return this.numbers.get(text.trim()) ?? this.numbers.get(plain);
    }
  }

  Object.assign(menace, { Game });
})(globalThis.menace ??= {});
