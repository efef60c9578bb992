// The players, as in menace/kernel/loop.py. A player uses one random number to choose a move in a position, and may learn from each game. Each move
// has an index. The moves of a position are consecutive, starting at `first[position]`. A game is a list of plies, each with its `position`, its
// `move`, `explored` (1 if the player explored, otherwise 0) and `learned` (1 if players learn from the move, otherwise 0).
"use strict";
(menace => {
  const HALF = 2 ** 32; // upper limit of `high` and `low`, the halves of a random number
  const MAX_BEADS = 2 ** 26 - 1; // maximum number of beads in a pile
  const sum = amounts => amounts.reduce((total, amount) => total + amount, 0);

  /**
   * A player is defined by its `rule`: the positions in which the player has boxes (`boxed`), and the `kind` of amounts in these boxes.
   * Elsewhere, the player chooses by `weight`. `memory` contains the `weight` and `picked` of each move, and the `epsilon`. The memory changes in place as the player learns.
   */
  class Player {
    constructor(graph, { rule, side, learns }, memory, policy = "behaviour") {
      const instead = { restock: rule.first_beads, "restock-colour": rule.first_beads, random: graph.multiplicity };
      Object.assign(this, { graph, rule, side, learns, memory, weight: memory.weight });
      this.isGreedy = policy === "greedy"; // a greedy player makes the moves with the highest amount, and does not explore
      this.instead = instead[rule.when_empty]; // weights for moves from an empty box; without them, the player resigns
    }

    isBoxed(position) {
      return this.rule.boxed[position] === "1";
    }

    isEmpty(position) {
      return this.rule.kind === "beads" && this.graph.movesOf(position).every(move => this.weight[move] === 0);
    }

    /** Return whether the player resigns in a position. Resigning uses no random number. */
    givesUp(position) {
      return !this.instead && this.isEmpty(position);
    }

    /** Return whether all boxes for the player's first move are empty, so that the player always resigns. */
    isSpent() {
      const first = this.side === 0 ? [0] : this.graph.movesOf(0).map(move => this.graph.next[move]);
      return first.every(position => this.givesUp(position));
    }

    refill(position) {
      const { first_beads } = this.rule;
      if (this.instead !== first_beads || !this.isEmpty(position)) return;
      for (const move of this.graph.movesOf(position)) this.weight[move] = first_beads[move];
    }

    /** Return the amounts of the moves in a position, which determine the player's choice. All amounts are zero if the player resigns. */
    weights(position) {
      const takesMost = this.isGreedy || ["favourite", "values"].includes(this.rule.kind);
      if (takesMost && this.isBoxed(position)) return this.best(position);
      return this.graph.amounts(this.instead && this.isEmpty(position) ? this.instead : this.weight, position);
    }

    /** Return weights for the moves with the highest amount. If the player breaks ties by taking the first such move, only that move has a weight. */
    best(position) {
      const bounds = this.isGreedy ? null : this.rule.highest; // UCB1 provides these values, because its weights are means
      const own = this.graph.amounts(bounds ?? this.weight, position);
      const most = Math.max(...own);
      const last = this.rule.first_of_ties ? own.indexOf(most) : Infinity;
      const weights = this.graph.amounts(this.graph.multiplicity, position);
      return weights.map((weight, place) => (own[place] === most && place <= last ? weight : 0));
    }

    /** Return the player's exploration threshold in a position. The player explores if a random number is below the threshold. */
    threshold(position) {
      return this.isBoxed(position) && !this.isGreedy ? Math.floor(this.memory.epsilon * HALF) : 0;
    }

    exploring(position) {
      const weights = this.graph.amounts(this.graph.multiplicity, position);
      return this.rule.explores_alike ? weights.fill(1) : weights;
    }

    /** Return the ply that the player chooses in a position, given a random number. */
    turn(position, { high, low }) {
      this.refill(position);
      const explored = high < this.threshold(position);
      const weights = explored ? this.exploring(position) : this.weights(position);
      const total = sum(weights);
      const limit = this.rule.kind === "odds" ? low / HALF * total : menace.part(low, total); // odds need not be integers
      let running = 0;
      const place = weights.findIndex(weight => (running += weight) > limit); // if rounding leaves a remainder, this is -1, which selects the last move
      const move = this.graph.movesOf(position).at(place);
      return { position, move, explored: Number(explored), learned: Number(!this.isEmpty(position)) };
    }

    /** Return the player's policy, which contains the `share` of each move, and whether the player `resigns` in each position. */
    policy() {
      const { graph } = this;
      const share = new Float64Array(graph.moves);
      const resigns = new Float64Array(graph.positions);
      for (let position = 0; position < graph.positions; position += 1) {
        const explores = this.threshold(position) / HALF;
        for (const [part, weights] of [[1 - explores, this.weights(position)], [explores, this.exploring(position)]]) {
          const total = sum(weights) || 1;
          weights.forEach((weight, place) => { share[graph.first[position] + place] += part * weight / total; });
        }
        resigns[position] = Number(this.givesUp(position));
      }
      return { share, resigns };
    }

    learn(record, result) {
      if (!this.learns) return;
      const { memory, rule: { decay = 1, first_beads, floor, last_only, least = 0, when_empty } } = this;
      const refills = when_empty === "restock-colour" && floor === 0; // whether to refill a pile that would lose its last bead
      const own = record.filter(({ position, learned }, ply) => ply % 2 === this.side && learned && this.isBoxed(position));
      for (const { position } of own) this.refill(position); // this is needed for games with people; in training, `turn` has already refilled the box
      for (const ply of last_only ? own.slice(-1) : own) {
        const { move } = ply;
        const beads = this.weight[move] + this.change(result, record.length, record.indexOf(ply));
        const lowest = refills && beads < 1 ? first_beads[move] : floor;
        this.weight[move] = Math.min(Math.max(beads, lowest), MAX_BEADS);
        memory.picked[move] += 1;
      }
      memory.epsilon = Math.max(memory.epsilon * decay, least);
    }

    /** Return the beads that a ply earns. The number of beads depends on the result, and for some players also on the ply and the length of the game. */
    change(result, length, ply) {
      const { changes, win, draw, loss } = this.rule;
      const { longest } = this.graph;
      return changes ? changes[((1 - result) * (longest + 1) + length) * longest + ply] : [loss, draw, win][result + 1];
    }
  }

  /** Return a player that chooses according to the weights of moves and never learns. */
  const fixedOf = (graph, weight) => new Player(graph, { rule: { boxed: "" } }, { weight });

  /** Return a player for a learner with the policy `behaviour` or `greedy`. The player stores what it learns in `memory`, which `tableCopy` creates. */
  const playerOf = (graph, learner, memory, policy) => new Player(graph, learner, memory, policy);

  /** Copy a learner's table, either as exported or in its current state: `weight` and `picked` of each move, and `epsilon`. */
  const tableCopy = ({ weight, picked, epsilon }) => ({ weight: [...weight], picked: [...picked], epsilon });

  Object.assign(menace, { fixedOf, tableCopy, playerOf });
})(globalThis.menace ??= {});
