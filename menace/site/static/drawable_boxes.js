// Boards, boxes and changes as records, in the same form as on the explorer's server (menace/explorer/content/drawable_boxes.py).
"use strict";
(menace => {
  const { counted, phrase } = menace;
  const sum = (items, amount) => items.reduce((total, item) => total + amount(item), 0);

  /** Return the cells or paths of equivalent moves, starting with the move that was made. */
  const marksOf = (looks, action) => [...looks].sort((a, b) => (a.action !== action) - (b.action !== action)).map(({ cells, path }) => ({ cells, path }));

  class Records {
    constructor(game, learner) {
      Object.assign(this, { game, learner });
      this.boxed = game.canonical.map((_, position) => position).filter(position => learner.rule.boxed[position] === "1");
    }

    /** Return a move in the form needed for drawing. The move's name is specific to the learner, because learners may number cells differently. */
    look({ name, cells, arrow, path, places, action }) {
      const numbers = this.game.of_cells && /^\d+$/.test(name) ? this.learner.numbers : [];
      return { name: String(numbers[name] ?? name), cells, arrow, path, places, action };
    }

    /** Return the colour of a move's beads: its name as `bead` and its CSS value as `colour`, which are both null if there are no beads. */
    bead(move) {
      const { colours, colour_of_move } = this.learner;
      const [bead, colour] = colours[colour_of_move[move]] ?? [null, null];
      return { bead, colour };
    }

    /** Return the moves of a board, each with the pieces on the board after the move. */
    moves(board) {
      return this.game.movesOf(board)
        .map(look => ({ ...this.look(look), verdict: look.verdict, ends_in: look.ends_in, pieces: this.game.record(look.next).pieces }));
    }

    /** Return the probability of each move for a machine without beads, or null for a machine with beads. */
    shares(memory) {
      const { game: { graph }, learner } = this;
      return learner.rule.kind === "beads" ? null : menace.playerOf(graph, learner, memory).policy().share;
    }

    /** Return the box for a board, oriented like the board, and its moves with all their `looks`. If there is no box, `unit` is missing. */
    box(board, memory, shares = this.shares(memory)) {
      const { game, learner } = this;
      const position = game.home[board];
      const isBoxed = learner.rule.boxed[position] === "1";
      const total = sum(game.graph.movesOf(position), move => memory.weight[move]);
      const moves = game.groupsOf(board).map(({ move, all }) => {
        const share = shares ? shares[move] : total ? memory.weight[move] / total : null;
        const has = isBoxed ? { amount: memory.weight[move], share, picked: memory.picked[move] } : { amount: 0, share: null, picked: 0 };
        return { looks: all, multiplicity: all.length, ...has, verdict: all[0].verdict, ...this.look(all[0]), ...this.bead(move) };
      });
      const number = isBoxed && learner.unit === "beads" ? this.boxed.indexOf(position) + 1 : null;
      return { ...game.record(board), unit: isBoxed ? learner.unit : null, number, moves };
    }

    /** Return the box that a machine opened to choose the move of an action, or null if the machine did not make that move. */
    seen(board, memory, action) {
      const { moves, ...box } = this.box(board, memory);
      const { unit, number } = box;
      const beads = number === null ? "" : ` (${counted(sum(moves, move => move.amount), "bead")})`;
      const row = moves.findIndex(({ looks }) => looks.some(look => look.action === action));
      return {
        ...box, kind: this.game.of_cells ? "cell" : "move", drawn: unit && row >= 0 ? row : null,
        title: unit && phrase(number === null ? "values_for" : "box_for", box) + beads,
        moves: moves.map(({ looks, ...move }) => ({ ...move, names: looks.map(look => this.look(look).name), ends: looks[0].ends_in === 1, marks: marksOf(looks, action) })),
      };
    }

    /** Return the first boxes of a machine, each on its canonical board. */
    firstBoxes(memory, most) {
      const { game } = this;
      const shares = this.shares(memory);
      return this.boxed.slice(0, most).map(position => {
        const { moves, ...box } = this.box(game.canonical[position], memory, shares);
        return {
          ...box, position_id: position, stage: Math.floor(game.graph.ply[position] / 2) + 1, opened: sum(moves, move => move.picked),
          moves: moves.map(({ looks, ...move }) => move),
        };
      });
    }

    /** Return the changes that a game made in the boxes that a machine opened, given the machine's memory `before` and `after` the game. */
    changes(plies, before, after) {
      const { game, learner: { rule } } = this;
      const boxes = plies.map(({ board, position }) => {
        const isEmpty = rule.kind === "beads" && !sum(game.graph.movesOf(position), move => before.weight[move]);
        const changed = game.groupsOf(board).sort((a, b) => a.move - b.move).filter(({ move }) => after.weight[move] !== before.weight[move]);
        const moves = changed.map(({ move, all }) => {
          const { action, ...look } = this.look(all[0]);
          const [had, has] = [before, after].map(memory => memory.weight[move]);
          const put_back = isEmpty ? rule.first_beads[move] : 0;
          return { ...look, ...this.bead(move), names: all.map(each => this.look(each).name), before: had, after: has, put_back };
        });
        return { ...game.record(board), moves };
      });
      return boxes.filter(({ moves }) => moves.length);
    }
  }

  Object.assign(menace, { Records });
})(globalThis.menace ??= {});
