// Boards, boxes and changes as records, as the explorer's server makes them (menace/explorer/board_records.py).
"use strict";
(menace => {
  const { beadOf, counted, nameOf, phrase } = menace;
  const byAction = (a, b) => a.action - b.action;
  const sum = (items, amount) => items.reduce((total, item) => total + amount(item), 0);

  /** Return where equivalent moves go, that which was made first. */
  const marksOf = (looks, action) => [...looks].sort((a, b) => (a.action !== action) - (b.action !== action)).map(({ cells, path }) => ({ cells, path }));

  class Records {
    constructor(game, learner) {
      Object.assign(this, { game, learner });
      this.boxed = game.canonical.map((_, position) => position).filter(position => learner.rule.boxed[position] === "1");
    }

    board(board) {
      const { shape, pieces } = this.game.shown(board);
      return { board: this.game.texts[board], shape, pieces };
    }

    /** Return a board that is played on, with its cells in words. */
    played(board) {
      return { ...this.board(board), cells: this.game.cells };
    }

    look({ name, cells, arrow, path, places, action }) {
      return { name: nameOf(this.game, this.learner, { name }), cells, arrow, path, places, action };
    }

    /** Return the moves of a board, each with the pieces after it. */
    moves(board) {
      return this.game.movesOf(board).sort(byAction)
        .map(look => ({ ...this.look(look), verdict: look.verdict, ends_in: look.ends_in, pieces: this.game.shown(look.next).pieces }));
    }

    /** Return the probability of each move that is not drawn as a bead; null for machines that draw theirs. */
    shares(kept) {
      const { game: { graph }, learner } = this;
      return learner.rule.kind === "beads" ? null : menace.playerOf(graph, learner, kept).policy().share;
    }

    /** Return the box of a board, as the board lies: its number, whether there is one, and its moves with all their `looks`. */
    box(board, kept, shares = this.shares(kept)) {
      const { game, learner } = this;
      const position = game.home[board];
      const isBoxed = learner.rule.boxed[position] === "1";
      const total = sum(game.graph.movesOf(position), move => kept.weight[move]);
      const moves = game.groupsOf(board).map(({ move, all }) => {
        const looks = all.sort(byAction);
        const share = shares ? shares[move] : total ? kept.weight[move] / total : null;
        const has = isBoxed ? { amount: kept.weight[move], share, picked: kept.picked[move] } : { amount: 0, share: null, picked: 0 };
        return { looks, multiplicity: all.length, ...has, verdict: all[0].verdict, ...this.look(all[0]), ...beadOf(learner, move) };
      }).sort(byAction);
      return { isBoxed, number: isBoxed && learner.unit === "beads" ? this.boxed.indexOf(position) + 1 : null, moves };
    }

    /** Return what a machine saw before it made the move of an action; null if it made none. */
    seen(board, kept, action) {
      const { game, learner } = this;
      const { isBoxed, number, moves } = this.box(board, kept);
      const beads = number === null ? "" : ` (${counted(sum(moves, move => move.amount), "bead")})`;
      const row = moves.findIndex(({ looks }) => looks.some(look => look.action === action));
      return {
        ...this.board(board), kind: game.of_cells ? "cell" : "move", unit: isBoxed ? learner.unit : null, number,
        title: isBoxed ? phrase(number === null ? "values_for" : "box_for", { number, board: game.texts[board] }) + beads : null,
        drawn: isBoxed && row >= 0 ? row : null,
        moves: moves.map(({ looks, ...move }) => ({ ...move, names: looks.map(look => this.look(look).name), marks: marksOf(looks, action) })),
      };
    }

    /** Return the first boxes of a machine, each on its canonical board. */
    firstBoxes(kept, most) {
      const { game, learner } = this;
      const shares = this.shares(kept);
      return this.boxed.slice(0, most).map(position => {
        const { number, moves } = this.box(game.canonical[position], kept, shares);
        return {
          ...this.board(game.canonical[position]), number, position_id: position, stage: Math.floor(game.graph.ply[position] / 2) + 1,
          unit: learner.unit, opened: sum(moves, move => move.picked), moves: moves.map(({ looks, ...move }) => move),
        };
      });
    }

    /** Return what a game changed in the boxes of a machine's plies; `before` and `after` are its memory. */
    changes(plies, before, after) {
      const { game, learner, learner: { rule } } = this;
      const boxes = plies.map(({ board, position }) => {
        const isEmpty = rule.kind === "beads" && !sum(game.graph.movesOf(position), move => before.weight[move]);
        const changed = game.groupsOf(board).sort((a, b) => a.move - b.move).filter(({ move }) => after.weight[move] !== before.weight[move]);
        const moves = changed.map(({ move, all }) => {
          const { action, ...look } = this.look(all.sort(byAction)[0]);
          const [had, has] = [before, after].map(kept => kept.weight[move]);
          return { ...look, ...menace.beadOf(learner, move), names: all.map(each => this.look(each).name), before: had, after: has, put_back: isEmpty ? rule.first_beads[move] : 0 };
        });
        return { ...this.board(board), moves };
      });
      return boxes.filter(({ moves }) => moves.length);
    }
  }

  Object.assign(menace, { Records });
})(globalThis.menace ??= {});
