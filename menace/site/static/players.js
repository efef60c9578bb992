// The players, as in menace/kernel/loop.py: a player picks its move of a position by one random number, and may learn from a game.
// A move has an index; the moves of a position follow each other, from `first[position]`. A game is a record: its plies, each with
// its `position` and `move`, and whether it was `explored` and is `learned` from: 0 or 1.
"use strict";
(menace => {
  const HALF = 2 ** 32; // above the numbers of chance: one says whether to explore, one picks
  const MOST_BEADS = 2 ** 26 - 1; // in a pile
  const sum = amounts => amounts.reduce((total, amount) => total + amount, 0);

  /**
   * A player by its `rule`: where it is `boxed`, and by what `kind` of amounts it plays there; elsewhere it picks by `weight`.
   * `kept` has its `weight` and `picked` of each move, and its `epsilon`, which change in place as it learns.
   */
  class Player {
    constructor(graph, { rule, side, learns }, kept, policy = "behaviour") {
      const instead = { restock: rule.first_beads, "restock-colour": rule.first_beads, random: graph.multiplicity };
      Object.assign(this, { graph, rule, side, learns, kept, weight: kept.weight });
      this.isGreedy = policy === "greedy"; // makes the moves that it has most for, and does not explore
      this.instead = instead[rule.when_empty]; // by what it picks where a box is empty; it resigns if there is nothing
    }

    isBoxed(position) {
      return this.rule.boxed[position] === "1";
    }

    isEmpty(position) {
      return this.rule.kind === "beads" && this.graph.movesOf(position).every(move => this.weight[move] === 0);
    }

    /** Return whether it resigns at a position, which takes no random number. */
    givesUp(position) {
      return !this.instead && this.isEmpty(position);
    }

    /** Return whether all boxes for its first move are empty, so that it always resigns. */
    isSpent() {
      const first = this.side === 0 ? [0] : this.graph.movesOf(0).map(move => this.graph.next[move]);
      return first.every(position => this.givesUp(position));
    }

    refill(position) {
      const { first_beads } = this.rule;
      if (this.instead !== first_beads || !this.isEmpty(position)) return;
      for (const move of this.graph.movesOf(position)) this.weight[move] = first_beads[move];
    }

    /** Return by what it picks at a position, an amount for each move; zeros where it resigns. */
    weights(position) {
      const takesMost = this.isGreedy || ["favourite", "values"].includes(this.rule.kind);
      if (takesMost && this.isBoxed(position)) return this.best(position);
      return this.graph.amounts(this.instead && this.isEmpty(position) ? this.instead : this.weight, position);
    }

    /** Return the weights of the moves that it has most for; of the first of them alone, if it takes that. */
    best(position) {
      const bounds = this.isGreedy ? null : this.rule.highest; // of UCB1, which has means in its weights
      const own = this.graph.amounts(bounds ?? this.weight, position);
      const most = Math.max(...own);
      const last = this.rule.first_of_ties ? own.indexOf(most) : Infinity;
      const weights = this.graph.amounts(this.graph.multiplicity, position);
      return weights.map((weight, place) => (own[place] === most && place <= last ? weight : 0));
    }

    /** Return the number below which a random one lets it explore at a position. */
    threshold(position) {
      return this.isBoxed(position) && !this.isGreedy ? Math.floor(this.kept.epsilon * HALF) : 0;
    }

    exploring(position) {
      const weights = this.graph.amounts(this.graph.multiplicity, position);
      return this.rule.explores_alike ? weights.fill(1) : weights;
    }

    /** Return the ply that it makes at a position for a random number. */
    turn(position, { high, low }) {
      this.refill(position);
      const explored = high < this.threshold(position);
      const weights = explored ? this.exploring(position) : this.weights(position);
      const total = sum(weights);
      const limit = this.rule.kind === "odds" ? low / HALF * total : menace.part(low, total); // odds are real numbers
      let running = 0;
      const place = weights.findIndex(weight => (running += weight) > limit); // -1, the last, where rounding leaves a rest
      const move = this.graph.movesOf(position).at(place);
      return { position, move, explored: Number(explored), learned: Number(!this.isEmpty(position)) };
    }

    /** Return its policy: the `share` of each move, and by position whether it `resigns`. */
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
      const { kept, rule: { decay = 1, first_beads, floor, last_only, least = 0, when_empty } } = this;
      const refills = when_empty === "restock-colour" && floor === 0; // a pile whose last bead would go
      const own = record.filter(({ position, learned }, ply) => ply % 2 === this.side && learned && this.isBoxed(position));
      for (const { position } of own) this.refill(position); // whoever played: in training it has done so
      for (const ply of last_only ? own.slice(-1) : own) {
        const { move } = ply;
        const beads = this.weight[move] + this.change(result, record.length, record.indexOf(ply));
        const lowest = refills && beads < 1 ? first_beads[move] : floor;
        this.weight[move] = Math.min(Math.max(beads, lowest), MOST_BEADS);
        kept.picked[move] += 1;
      }
      kept.epsilon = Math.max(kept.epsilon * decay, least);
    }

    /** Return the beads that a ply of a game of some length brings: by the result alone, or by all three. */
    change(result, length, ply) {
      const { changes, win, draw, loss } = this.rule;
      const { longest } = this.graph;
      return changes ? changes[((1 - result) * (longest + 1) + length) * longest + ply] : [loss, draw, win][result + 1];
    }
  }

  /** Return a player that picks by weights of moves alone, and never learns. */
  const fixedOf = (graph, weight) => new Player(graph, { rule: { boxed: "" } }, { weight });

  /** Return a learner as a player by a policy, `behaviour` or `greedy`; what it learns goes into `kept`, which `keptOf` makes. */
  const playerOf = (graph, learner, kept, policy) => new Player(graph, learner, kept, policy);

  /** Return what a learner had learned when it was exported, or a copy of what it has: `weight` and `picked` of each move, `epsilon`. */
  const keptOf = ({ weight, picked, epsilon }) => ({ weight: [...weight], picked: [...picked], epsilon });

  Object.assign(menace, { fixedOf, keptOf, playerOf });
})(globalThis.menace ??= {});
