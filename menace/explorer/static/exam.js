// Examine a person, as in menace/analysis/exam.py: choose which board to ask about next, and compute what the answers so far prove.
"use strict";
(menace => {
  const TIE = 1e-12;
  const [LOSS, VALUE] = [2, 6]; // indices in a list of bounds: results against random play (3), against optimal play (3), and the value
  const places = [0, 1, 2, 3, 4, 5, VALUE];
  const sum = numbers => numbers.reduce((total, number) => total + number, 0);

  /** An exam for a side (0 for X). An answer is a move in the graph. `players` contains the move weights of `random` and `optimal`. */
  class Exam {
    constructor(graph, players, side) {
      Object.assign(this, { graph, side, positionOf: [], shares: [[], []] });
      graph.movesByPosition.forEach((moves, position) => moves.forEach(move => { this.positionOf[move] = position; }));
      [players.random, players.optimal].forEach((weights, which) => graph.movesByPosition.forEach(moves => {
        const total = sum(moves.map(move => weights[move]));
        for (const move of moves) this.shares[which][move] = weights[move] / total;
      }));
      const [low, high] = this.bounds(new Map());
      this.differs = low.map((least, position) => [0, 1, LOSS].some(place => high[position][place] - least[place] > TIE));
    }

    /** Return whether all answers are moves of this side at different positions. */
    accepts(answers) {
      const positions = answers.map(move => this.positionOf[move]);
      return new Set(positions).size === answers.length && answers.every(Number.isInteger)
        && positions.every(position => this.graph.to_move[position] === this.side);
    }

    /** Return the minimum and maximum of each quantity at each position, given the answers by position. */
    bounds(given) {
      const { graph, shares, side } = this;
      return [Math.min, Math.max].map(extreme => {
        const ends = graph.outcome.map(outcome => {
          const value = side === 0 ? outcome : -outcome;
          const results = [1, 0, -1].map(each => Number(value === each));
          return [...results, ...results, value];
        });
        return menace.carriedBack(graph, ends, position => {
          const moves = graph.movesOf(position);
          const all = place => moves.map(move => ends[graph.next[move]][place]);
          if (given.has(position)) return ends[graph.next[given.get(position)]];
          if (graph.to_move[position] === side) return places.map(place => extreme(...all(place)));
          return places.map(place => (place === VALUE ? Math.min(...all(place))
            : sum(moves.map(move => shares[Number(place > LOSS)][move] * ends[graph.next[move]][place]))));
        });
      });
    }

    /** Return, for each position, the probabilities that a game with the answered moves reaches it against random play and against optimal play. */
    reach(given) {
      const { graph, shares, side } = this;
      const reached = graph.outcome.map((_, position) => [Number(position === 0), Number(position === 0)]);
      graph.movesByPosition.forEach((moves, position) => moves.forEach(move => shares.forEach((share, which) => {
        const part = graph.to_move[position] === side ? Number(given.get(position) === move) : share[move];
        reached[graph.next[move]][which] += reached[position][which] * part;
      })));
      return reached;
    }

    /**
     * From the answers so far, return bounds (`least`, `most`) on each quantity and the positions to ask about next. An answer at `next` can still change
     * the losses against random play or the value; an answer at `later` can change only other results. If there is no such position, `next` or `later`
     * is undefined.
     */
    after(answers) {
      const given = new Map(answers.map(move => [this.positionOf[move], move]));
      const [low, high] = this.bounds(given);
      const reached = this.reach(given);
      const gap = (position, place) => high[position][place] - low[position][place];
      const open = (position, place) => gap(position, place) > TIE;
      const here = [...low.keys()].filter(position => this.graph.to_move[position] === this.side && !given.has(position) && reached[position][0] > 0);
      const first = here.filter(position => open(position, LOSS) || (open(0, VALUE) && open(position, VALUE)));
      const highest = (positions, score) => {
        const most = Math.max(...positions.map(score));
        return positions.find(position => score(position) >= most - TIE);
      };
      const spread = (position, start) => sum([0, 1, 2].map(place => gap(position, start + place)));
      return {
        least: low[0],
        most: high[0],
        next: highest(first, position => reached[position][0] * gap(position, LOSS)),
        later: highest(here.filter(position => this.differs[position]), position => sum(reached[position].map((share, which) => share * spread(position, 3 * which)))),
      };
    }

    /** Return the number of answers that were enough to determine the value against the best response. Together, the answers must determine the value. */
    decidedAfter(answers) {
      let [start, end] = [0, answers.length];
      while (start < end) {
        const middle = Math.floor((start + end) / 2);
        const { least, most } = this.after(answers.slice(0, middle));
        if (most[VALUE] - least[VALUE] > TIE) start = middle + 1;
        else end = middle;
      }
      return end;
    }
  }

  Object.assign(menace, { Exam });
})(globalThis.menace ??= {});
