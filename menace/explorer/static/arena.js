// Play games using the tables that Python wrote, and compute exact strength.
"use strict";
(menace => {
  const ONGOING = 2; // finished games have the outcomes 1, 0 and -1 from X's point of view
  const OUTCOMES = { 1: "X", 0: "draw", [-1]: "O" };

  /** The game in the form that players need: its positions, and the moves between them. */
  class Graph {
    constructor(tables) {
      Object.assign(this, tables.graph);
      this.positions = this.outcome.length;
      this.moves = this.next.length;
      const moves = [...this.next.keys()];
      this.movesByPosition = this.outcome.map((_, position) => this.amounts(moves, position));
    }

    movesOf(position) {
      return this.movesByPosition[position];
    }

    /** Return the entries of a table of moves that belong to a position. */
    amounts(table, position) {
      return table.slice(this.first[position], this.first[position + 1]);
    }

    isOver(position) {
      return this.outcome[position] !== ONGOING;
    }
  }

  /** Play a game in which each move uses one number from `chance`, and let both players learn. Return the outcome and the record of the game. */
  function playGame(graph, players, chance) {
    const record = [];
    let position = 0;
    while (!graph.isOver(position) && !players[record.length % 2].givesUp(position)) {
      chance.draw();
      record.push(players[record.length % 2].turn(position, chance));
      position = graph.next[record.at(-1).move];
    }
    const outcome = graph.isOver(position) ? graph.outcome[position] : record.length % 2 ? 1 : -1;
    players[0].learn(record, outcome);
    players[1].learn(record, -outcome);
    return { outcome, record };
  }

  /** Return the result of every position as a list of numbers. `ends` contains the results of final positions, and `resultAt` computes the others. */
  function carriedBack(graph, ends, resultAt) {
    for (let position = graph.positions - 1; position >= 0; position -= 1) {
      if (!graph.isOver(position)) ends[position] = resultAt(position);
    }
    return ends;
  }

  /** Return the result of a position under a policy, given the results of the next positions and the result of resigning. */
  function expected(graph, results, position, { share, resigns }, resigning) {
    const stays = 1 - resigns[position];
    return resigning.map((result, part) => graph.movesOf(position).reduce((sum, move) =>
      sum + share[move] * stays * results[graph.next[move]][part], result * resigns[position]));
  }

  /** Return, for each position, the exact probabilities of an X win, a draw and an O win. */
  function outcomesEverywhere(graph, x, o) {
    const ends = graph.outcome.map(outcome => [1, 0, -1].map(each => Number(outcome === each)));
    return carriedBack(graph, ends, position => (graph.to_move[position] === 0
      ? expected(graph, ends, position, x, [0, 0, 1])
      : expected(graph, ends, position, o, [1, 0, 0])));
  }

  /** Return, for each position, the probabilities that a policy for a side (0 for X) wins, draws and loses against another policy. */
  function against(graph, policy, other, side) {
    if (side === 0) return outcomesEverywhere(graph, policy, other);
    return outcomesEverywhere(graph, other, policy).map(([x, draw, o]) => [o, draw, x]);
  }

  /** Return the probability that a policy for a side loses to its best response. Among equally good responses, use the one that wins most often. */
  function lossInTheWorstCase(graph, policy, side) {
    const TIE = 1e-12;
    const sign = side === 0 ? -1 : 1;
    const ends = graph.outcome.map(outcome => [sign * outcome, Number(sign * outcome === 1)]); // the opponent's value and probability of winning
    const better = (one, other) => one[0] > other[0] + TIE || (one[0] >= other[0] - TIE && one[1] > other[1] + TIE);
    return carriedBack(graph, ends, position => (graph.to_move[position] === side
      ? expected(graph, ends, position, policy, [1, 1])
      : graph.movesOf(position).map(move => ends[graph.next[move]]).reduce((best, end) => (better(end, best) ? end : best))))[0][1];
  }

  Object.assign(menace, { Graph, carriedBack, ONGOING, OUTCOMES, against, lossInTheWorstCase, outcomesEverywhere, playGame });
})(globalThis.menace ??= {});
