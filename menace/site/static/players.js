// The players, as in menace/kernel.py: a player picks its move of a position by one random number, and may learn from a game.
// A move has an index; the moves of a position follow each other, from `first[position]`. A game is a record: by ply the
// `positions` and `moves`, and whether it `explored` and `learned` from a bead that it drew.
"use strict";
(menace => {
  const { part } = menace;
  const RESIGNS = -1;
  const HALF = 4294967296;
  const MOST_BEADS = 2 ** 26 - 1; // in a pile

  function sums(graph, weight) {
    const total = new Float64Array(graph.positions);
    for (let position = 0; position < graph.positions; position += 1) {
      for (let move = graph.first[position]; move < graph.first[position + 1]; move += 1) total[position] += weight[move];
    }
    return total;
  }

  /** Picks by integer weights, and never learns. The base of all players: without weights at a position, `choose` picks. */
  class Fixed {
    constructor(graph, weight, total = sums(graph, weight)) {
      Object.assign(this, { graph, weight, total, value: weight });
    }

    pick(position, low) {
      let move = this.graph.first[position];
      let left = part(low, this.total[position]) - this.weight[move];
      while (left >= 0) {
        move += 1;
        left -= this.weight[move];
      }
      return move;
    }

    /** Return the move of a position for a random number, and record it; -1 resigns. */
    turn(record, position, chance) {
      const flags = { explored: 0, learned: 1 };
      const picks = this.total[position] !== 0;
      const move = picks ? this.pick(position, chance.low) : this.choose(flags, position, chance.high, chance.low);
      if (move === RESIGNS) return RESIGNS;
      record.positions.push(position);
      record.moves.push(move);
      record.explored.push(flags.explored);
      record.learned.push(flags.learned);
      return move;
    }

    choose() {
      return RESIGNS;
    }

    /** Return whether it resigns at a position, which takes no random number. */
    givesUp(position) {
      return this.total[position] === 0 && this.choose === Fixed.prototype.choose;
    }

    isSpent() {
      return false;
    }

    /** Return the moves of a position that it has most for. */
    best(position) {
      const moves = this.graph.movesOf(position);
      const most = moves.reduce((highest, move) => Math.max(highest, this.value[move]), -Infinity);
      return moves.filter(move => this.value[move] === most);
    }

    /** Return a player that makes the moves of a position that this one has most for; an empty box is refilled first. */
    greedy(position) {
      const { graph, rule } = this;
      this.refill(position);
      if (rule.boxed[position] !== "1") return new Fixed(graph, this.weight);
      if (rule.kind === "beads" && !this.total[position]) return graph.anyMove;
      const weight = new Float64Array(graph.moves);
      const best = this.best(position);
      for (const move of rule.first_of_ties ? best.slice(0, 1) : best) weight[move] = graph.multiplicity[move];
      return new Fixed(graph, weight);
    }

    refill() {}

    learn() {}

    /** Return its policy: the `share` of each move, and by position whether it `resigns`. */
    policy() {
      return { share: shared(this.graph, this.weight, this.total), resigns: new Float64Array(this.graph.positions) };
    }
  }

  function shared(graph, weight, total) {
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

    choose(flags, position, high, low) {
      if (this.rule.when_empty === "resign") return RESIGNS;
      if (this.rule.when_empty === "random") {
        flags.learned = 0;
        return this.graph.anyMove.pick(position, low);
      }
      this.refill(position);
      return this.pick(position, low);
    }

    givesUp(position) {
      return this.total[position] === 0 && this.rule.when_empty === "resign";
    }

    refill(position) {
      if (this.total[position] !== 0 || !this.restocks) return;
      for (let move = this.graph.first[position]; move < this.graph.first[position + 1]; move += 1) {
        this.weight[move] = this.rule.first_beads[move];
        this.total[position] += this.weight[move];
      }
    }

    learn(record, result) {
      const { rule, side } = this;
      const change = result > 0 ? rule.win : result < 0 ? rule.loss : rule.draw;
      for (let ply = rule.last_only ? this.lastDrawn(record) : side; ply < record.moves.length; ply += 2) {
        if (!this.drew(record, ply)) continue;
        const move = record.moves[ply];
        const before = this.weight[move];
        let beads = before + change;
        if (beads < this.least) beads = this.least === rule.floor ? rule.floor : rule.first_beads[move];
        this.weight[move] = Math.min(beads, MOST_BEADS);
        this.total[record.positions[ply]] += this.weight[move] - before;
        this.kept.picked[move] += 1;
      }
    }

    /** Return whether all boxes for its first move are empty, so that it always resigns. */
    isSpent() {
      if (this.restocks || this.rule.when_empty === "random") return false;
      const first = this.side === 0 ? [0] : this.graph.movesOf(0).map(move => this.graph.next[move]);
      return first.every(position => this.total[position] === 0);
    }

    drew(record, ply) {
      return this.rule.boxed[record.positions[ply]] === "1" && record.learned[ply] === 1;
    }

    lastDrawn(record) {
      const last = record.moves.length - 1;
      let ply = last - ((last - this.side) & 1);
      while (ply >= 0 && !this.drew(record, ply)) ply -= 2;
      return ply >= 0 ? ply : record.moves.length;
    }

    policy() {
      const { graph, rule } = this;
      const resigns = new Float64Array(graph.positions);
      const weight = Array.from(this.weight);
      for (let position = 0; position < graph.positions; position += 1) {
        if (this.total[position] !== 0 || rule.boxed[position] !== "1") continue;
        if (rule.when_empty === "resign") resigns[position] = 1;
        const instead = this.restocks ? rule.first_beads : graph.multiplicity;
        if (resigns[position] === 0) graph.movesOf(position).forEach(move => { weight[move] = instead[move]; });
      }
      return { share: shared(graph, weight, sums(graph, weight)), resigns };
    }
  }

  /** Plays the move of highest value, and explores with probability epsilon. `kept` has the values as `weight`. */
  class Greedy extends Fixed {
    constructor(graph, rule, kept, side) {
      super(graph, graph.multiplicity, Float64Array.from(graph.cells, (cells, at) => rule.boxed[at] === "1" ? 0 : cells));
      Object.assign(this, { rule, kept, side, value: kept.weight });
      this.exploring = rule.explores_alike ? new Fixed(graph, new Float64Array(graph.moves).fill(1)) : graph.anyMove;
      this.decays = rule.decay !== 1 || kept.epsilon < rule.least;
    }

    get threshold() {
      return Math.floor(this.kept.epsilon * HALF);
    }

    givesUp() {
      return false;
    }

    choose(flags, position, high, low) {
      if (high < this.threshold) {
        flags.explored = 1;
        return this.exploring.pick(position, low);
      }
      const best = this.best(position);
      return best.length > 1 && !this.rule.first_of_ties ? this.among(best, low) : best[0];
    }

    among(moves, low) {
      let left = part(low, moves.reduce((sum, move) => sum + this.weight[move], 0));
      return moves.find(move => (left -= this.weight[move]) < 0);
    }

    policy() {
      const { graph, rule } = this;
      const explores = this.threshold / HALF;
      const { share } = super.policy();
      const exploring = this.exploring.policy().share;
      for (let position = 0; position < graph.positions; position += 1) {
        if (rule.boxed[position] !== "1" || graph.isOver(position)) continue;
        const best = rule.first_of_ties ? this.best(position).slice(0, 1) : this.best(position);
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
      const row = ((1 - result) * (longest + 1) + record.moves.length) * longest;
      for (let ply = this.side; ply < record.moves.length; ply += 2) {
        if (this.rule.boxed[record.positions[ply]] !== "1") continue;
        const move = record.moves[ply];
        const beads = this.value[move] + this.rule.changes[row + ply];
        this.value[move] = Math.min(Math.max(beads, this.rule.floor), MOST_BEADS);
        this.kept.picked[move] += 1;
      }
      if (this.decays) this.kept.epsilon = Math.max(this.kept.epsilon * this.rule.decay, this.rule.least);
    }
  }

  /** Picks by real weights (learners/odds.py). */
  class Odds extends Fixed {
    constructor(graph, rule, kept) {
      super(graph, graph.multiplicity, Float64Array.from(graph.cells, (cells, at) => rule.boxed[at] === "1" ? 0 : cells));
      Object.assign(this, { rule, kept, value: kept.weight });
    }

    givesUp() {
      return false;
    }

    choose(flags, position, high, low) {
      const moves = this.graph.movesOf(position);
      const limit = low / HALF * moves.reduce((sum, move) => sum + this.value[move], 0);
      let move = moves[0];
      let running = this.value[move];
      while (running <= limit && move + 1 < this.graph.first[position + 1]) {
        move += 1;
        running += this.value[move];
      }
      return move;
    }

    policy() {
      const policy = super.policy();
      const odds = shared(this.graph, this.value, sums(this.graph, this.value));
      this.graph.each((position, move) => { if (this.total[position] === 0) policy.share[move] = odds[move]; });
      return policy;
    }
  }

  const KINDS = { beads: Beads, favourite: Favourite, values: Greedy, odds: Odds };

  /** Return a learner as a player; what it learns goes into `kept`, which `keptOf` makes. */
  function playerOf(graph, learner, kept) {
    return new KINDS[learner.rule.kind](graph, learner.rule, kept, learner.side);
  }

  /** Return what a learner had learned when it was exported: `weight` and `picked` of each move, `epsilon`. */
  function keptOf(learner) {
    return { weight: Array.from(learner.weight), picked: Array.from(learner.picked), epsilon: learner.epsilon };
  }

  Object.assign(menace, { Fixed, RESIGNS, keptOf, playerOf, sums });
})(globalThis.menace ??= {});
