// Where games are played and measured: the game as tables that Python wrote, the loop, and exact strength.
"use strict";
(menace => {
  const ONGOING = 2; // the outcomes are 1, 0 and -1, as X sees them

  /** The game as players see it: positions, and the moves between them. */
  class Graph {
    constructor(tables) {
      Object.assign(this, tables.graph);
      this.positions = this.outcome.length;
      this.moves = this.next.length;
      this.cells = menace.sums(this, this.multiplicity);
      this.anyMove = new menace.Fixed(this, this.multiplicity);
    }

    movesOf(position) {
      const first = this.first[position];
      return Array.from({ length: this.first[position + 1] - first }, (_, place) => first + place);
    }

    each(does) {
      for (let position = 0; position < this.positions; position += 1) {
        for (let move = this.first[position]; move < this.first[position + 1]; move += 1) does(position, move);
      }
    }

    isOver(position) {
      return this.outcome[position] !== ONGOING;
    }
  }

  /** Play a game and let both learn from it: one number of `chance` for each move. Return its outcome and its record. */
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

  /** Let a player learn from a game that was played, whoever made its moves: empty boxes are refilled first. */
  function learnRecorded(player, record, side, outcome) {
    record.forEach(({ position }, ply) => { if (ply % 2 === side) player.refill(position); });
    player.learn(record, side === 0 ? outcome : -outcome);
  }

  /** Return by position the exact probabilities that X wins, that it is a draw, that O wins, carried back from the ends. */
  function outcomesEverywhere(graph, x, o) {
    const probabilities = Array.from(graph.outcome, outcome => [Number(outcome === 1), Number(outcome === 0), Number(outcome === -1)]);
    for (let position = graph.positions - 1; position >= 0; position -= 1) {
      if (graph.isOver(position)) continue;
      const { share, resigns } = graph.to_move[position] === 0 ? x : o;
      const here = probabilities[position];
      here[graph.to_move[position] === 0 ? 2 : 0] += resigns[position];
      for (let move = graph.first[position]; move < graph.first[position + 1]; move += 1) {
        const weight = share[move] * (1 - resigns[position]);
        probabilities[graph.next[move]].forEach((probability, which) => { here[which] += weight * probability; });
      }
    }
    return probabilities;
  }

  /** Return what a policy of a side (0 for X) achieves against another one, by position: wins, draws, losses. */
  function against(graph, policy, other, side) {
    const probabilities = outcomesEverywhere(graph, side === 0 ? policy : other, side === 0 ? other : policy);
    return side === 0 ? probabilities : probabilities.map(([x, draw, o]) => [o, draw, x]);
  }

  /** Return what a policy of a side loses against the opponent that exploits it most, who wins most often where that is as good. */
  function lossInTheWorstCase(graph, { share, resigns }, side) {
    const TIE = 1e-12;
    const sign = side === 0 ? -1 : 1;
    const ends = Array.from(graph.outcome, outcome => [sign * outcome, Number(sign * outcome === 1)]); // the opponent's value, and its wins
    for (let position = graph.positions - 1; position >= 0; position -= 1) {
      if (graph.isOver(position)) continue;
      const moves = graph.movesOf(position);
      if (graph.to_move[position] === side) {
        ends[position] = [0, 1].map(part => resigns[position]
          + moves.reduce((sum, move) => sum + share[move] * (1 - resigns[position]) * ends[graph.next[move]][part], 0));
      } else {
        ends[position] = moves.map(move => ends[graph.next[move]]).reduce((best, end) =>
          (end[0] > best[0] + TIE || (end[0] >= best[0] - TIE && end[1] > best[1] + TIE) ? end : best));
      }
    }
    return ends[0][1];
  }

  Object.assign(menace, { Graph, ONGOING, against, learnRecorded, lossInTheWorstCase, outcomesEverywhere, playGame });
})(globalThis.menace ??= {});
