// The players, as in menace/kernel.py: a player picks its move of a position by one random number, and may learn from a game.
// A move has an index; the moves of a position follow each other, from `first[position]`. A game is a record: its plies, each with
// its `position` and `move`, and whether it was `explored` and is `learned` from: 0 or 1.
"use strict";
(menace => {
  const { part } = menace;
  const HALF = 4294967296;
  const MOST_BEADS = 2 ** 26 - 1; // in a pile

  function sums(graph, weight) {
    const total = new Float64Array(graph.positions);
    graph.each((position, move) => { total[position] += weight[move]; });
    return total;
  }

  /** Picks by integer weights, and never learns. The base of all players: without weights at a position, `choose` picks, or it gives up. */
  class Fixed {
    constructor(graph, weight, total = sums(graph, weight)) {
      Object.assign(this, { graph, weight, total, value: weight });
    }

    pick(position, low) {
      let move = this.graph.first[position];
      for (let left = part(low, this.total[position]); left >= this.weight[move]; move += 1) left -= this.weight[move];
      return move;
    }

    /** Return the ply that it makes at a position for a random number. */
    turn(position, { high, low }) {
      const ply = { position, move: 0, explored: 0, learned: 1 };
      ply.move = this.total[position] ? this.pick(position, low) : this.choose(ply, high, low);
      return ply;
    }

    /** Return whether it resigns at a position, which takes no random number. */
    givesUp(position) {
      return this.total[position] === 0;
    }

    isSpent() {
      return false;
    }

    /** Return the moves of a position that it has most for; the first of them alone, if it takes that. */
    best(position) {
      const moves = this.graph.movesOf(position);
      const most = Math.max(...moves.map(move => this.value[move]));
      return moves.filter(move => this.value[move] === most).slice(0, this.rule.first_of_ties ? 1 : Infinity);
    }

    /** Return a player that makes the moves of a position that this one has most for; an empty box is refilled first. */
    greedy(position) {
      const { graph, rule } = this;
      this.refill(position);
      if (rule.boxed[position] !== "1") return new Fixed(graph, this.weight);
      if (rule.kind === "beads" && !this.total[position]) return graph.anyMove;
      const weight = new Float64Array(graph.moves);
      for (const move of this.best(position)) weight[move] = graph.multiplicity[move];
      return new Fixed(graph, weight);
    }

    refill() {}

    learn() {}

    /** Return its own plies of a record that it learns from. */
    learnedFrom(record) {
      return record.filter(({ position, learned }, ply) => ply % 2 === this.side && learned && this.rule.boxed[position] === "1");
    }

    /** Return its policy: the `share` of each move, and by position whether it `resigns`. */
    policy() {
      return { share: shared(this.graph, this.weight, this.total), resigns: new Float64Array(this.graph.positions) };
    }
  }

  function shared(graph, weight, total = sums(graph, weight)) {
    const share = new Float64Array(graph.moves);
    graph.each((position, move) => { share[move] = total[position] ? weight[move] / total[position] : 0; });
    return share;
  }

  /** MENACE: piles of beads (learners/menace.py). `kept` has its `weight` and `picked`, which change in place. */
  class Beads extends Fixed {
    constructor(graph, rule, kept, side) {
      super(graph, kept.weight);
      Object.assign(this, { rule, kept, side });
      this.restocks = ["restock", "restock-colour"].includes(rule.when_empty);
      this.least = rule.when_empty === "restock-colour" ? Math.max(rule.floor, 1) : rule.floor; // beads left in a pile
    }

    choose(ply, high, low) {
      ply.learned = Number(this.restocks);
      if (!this.restocks) return this.graph.anyMove.pick(ply.position, low);
      this.refill(ply.position);
      return this.pick(ply.position, low);
    }

    givesUp(position) {
      return super.givesUp(position) && this.rule.when_empty === "resign";
    }

    refill(position) {
      if (this.total[position] !== 0 || !this.restocks) return;
      for (const move of this.graph.movesOf(position)) this.total[position] += this.weight[move] = this.rule.first_beads[move];
    }

    learn(record, result) {
      const { rule } = this;
      const change = result > 0 ? rule.win : result < 0 ? rule.loss : rule.draw;
      for (const { position, move } of this.learnedFrom(record).slice(rule.last_only ? -1 : 0)) {
        const before = this.weight[move];
        let beads = before + change;
        if (beads < this.least) beads = this.least === rule.floor ? rule.floor : rule.first_beads[move];
        this.weight[move] = Math.min(beads, MOST_BEADS);
        this.total[position] += this.weight[move] - before;
        this.kept.picked[move] += 1;
      }
    }

    /** Return whether all boxes for its first move are empty, so that it always resigns. */
    isSpent() {
      if (this.restocks || this.rule.when_empty === "random") return false;
      const first = this.side === 0 ? [0] : this.graph.movesOf(0).map(move => this.graph.next[move]);
      return first.every(position => this.total[position] === 0);
    }

    policy() {
      const { graph, rule } = this;
      const weight = Array.from(this.weight);
      const instead = this.restocks ? rule.first_beads : graph.multiplicity;
      const resigns = this.total.map((_, position) => Number(rule.boxed[position] === "1" && this.givesUp(position)));
      graph.each((position, move) => {
        if (this.total[position] === 0 && rule.boxed[position] === "1" && !resigns[position]) weight[move] = instead[move];
      });
      return { share: shared(graph, weight), resigns };
    }
  }

  /** Has a value for each move, as `weight` in `kept`; where it has no choice, it makes any move. */
  class Valued extends Fixed {
    constructor(graph, rule, kept, side) {
      super(graph, graph.multiplicity, graph.cells.map((cells, position) => (rule.boxed[position] === "1" ? 0 : cells)));
      Object.assign(this, { rule, kept, side, value: kept.weight });
    }

    givesUp() {
      return false;
    }
  }

  /** Plays the move of highest value, and explores with probability epsilon. */
  class Greedy extends Valued {
    constructor(graph, rule, kept, side) {
      super(graph, rule, kept, side);
      this.exploring = rule.explores_alike ? new Fixed(graph, new Float64Array(graph.moves).fill(1)) : graph.anyMove;
    }

    get threshold() {
      return Math.floor(this.kept.epsilon * HALF);
    }

    choose(ply, high, low) {
      ply.explored = Number(high < this.threshold);
      if (ply.explored) return this.exploring.pick(ply.position, low);
      const best = this.best(ply.position);
      let left = part(low, best.reduce((sum, move) => sum + this.weight[move], 0));
      return best.find(move => (left -= this.weight[move]) < 0);
    }

    policy() {
      const { graph, rule } = this;
      const explores = this.threshold / HALF;
      const { share } = super.policy();
      const exploring = this.exploring.policy().share;
      for (let position = 0; position < graph.positions; position += 1) {
        if (rule.boxed[position] !== "1" || graph.isOver(position)) continue;
        const best = this.best(position);
        const ties = best.reduce((sum, move) => sum + this.weight[move], 0);
        for (const move of graph.movesOf(position)) share[move] = explores * exploring[move];
        for (const move of best) share[move] += (1 - explores) * this.weight[move] / ties;
      }
      return { share, resigns: new Float64Array(graph.positions) };
    }
  }

  /** Beads as values: the colour with most beads (learners/favourite.py). */
  class Favourite extends Greedy {
    learn(record, result) {
      const { longest } = this.graph;
      const row = ((1 - result) * (longest + 1) + record.length) * longest;
      for (const ply of this.learnedFrom(record)) {
        const { move } = ply;
        const beads = this.value[move] + this.rule.changes[row + record.indexOf(ply)];
        this.value[move] = Math.min(Math.max(beads, this.rule.floor), MOST_BEADS);
        this.kept.picked[move] += 1;
      }
      this.kept.epsilon = Math.max(this.kept.epsilon * this.rule.decay, this.rule.least);
    }
  }

  /** Picks by real weights (learners/odds.py). */
  class Odds extends Valued {
    choose(ply, high, low) {
      const moves = this.graph.movesOf(ply.position);
      const limit = low / HALF * moves.reduce((sum, move) => sum + this.value[move], 0);
      let running = 0;
      return moves.find(move => (running += this.value[move]) > limit) ?? moves.at(-1);
    }

    policy() {
      const policy = super.policy();
      const odds = shared(this.graph, this.value);
      this.graph.each((position, move) => { if (this.total[position] === 0) policy.share[move] = odds[move]; });
      return policy;
    }
  }

  const KINDS = { beads: Beads, favourite: Favourite, values: Greedy, odds: Odds };

  /** Return a learner as a player; what it learns goes into `kept`, which `keptOf` makes. */
  function playerOf(graph, learner, kept) {
    return new KINDS[learner.rule.kind](graph, learner.rule, kept, learner.side);
  }

  /** Return what a learner had learned when it was exported, or a copy of what it has: `weight` and `picked` of each move, `epsilon`. */
  const keptOf = ({ weight, picked, epsilon }) => ({ weight: [...weight], picked: [...picked], epsilon });

  Object.assign(menace, { Fixed, keptOf, playerOf, sums });
})(globalThis.menace ??= {});
