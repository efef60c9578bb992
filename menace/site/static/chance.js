// Generate the same random numbers as menace, with NumPy's PCG64 and NumPy's seeding. A seed produces the same numbers here as in a database. The
// generator follows O'Neill's PCG XSL-RR 128/64 (2014, pcg-random.org) and PCG64 in numpy/random; the seeding follows SeedSequence in numpy/random.
"use strict";
(menace => {
  const wrapped = number => BigInt.asUintN(128, number);
  const MULTIPLIER = 0x2360ed051fc65da44385df649fccf645n;
  const JUMP = 0x9e3779b97f4a7c15f39cc0605cedc835n; // steps that `jumped` skips, to the stream for choices among equivalent cells
  const WORDS = 4;

  const folded = word => word ^ (word >>> 16);

  /** Return a hash function for words, which keeps its state from one word to the next. */
  const hashing = (multiplier, factor) => value => {
    const mixed = value ^ multiplier;
    multiplier = Math.imul(multiplier, factor);
    return folded(Math.imul(mixed, multiplier));
  };

  /** Return the 64-bit numbers that NumPy's SeedSequence derives from a seed between 0 and 2^63 - 1. */
  function seeded(seed) {
    const hashed = hashing(0x43b0d7e5, 0x931e8875);
    const output = hashing(0x8b51f9dd, 0x58f38ded);
    const mixed = (first, second) => folded(Math.imul(0xca01f9dd, first) - Math.imul(0x4973f715, second) | 0);
    const entropy = [Number(seed & 0xffffffffn), Number(seed >> 32n), 0, 0];
    const pool = entropy.map(hashed);
    for (let from = 0; from < WORDS; from += 1) {
      for (let to = 0; to < WORDS; to += 1) if (from !== to) pool[to] = mixed(pool[to], hashed(pool[from]));
    }
    const halves = [...pool, ...pool].map(word => BigInt(output(word) >>> 0));
    return Array.from({ length: WORDS }, (_, place) => halves[2 * place] | (halves[2 * place + 1] << 32n));
  }

  class Chance {
    /** Generate the random numbers for a seed (a BigInt), starting at number `before`. If `jumped` is set, use NumPy's `PCG64(seed).jumped()`. */
    constructor(seed, before = 0, jumped = false) {
      const [high, low, inc_high, inc_low] = seeded(seed);
      this.increment = wrapped((inc_high << 64n | inc_low) << 1n | 1n);
      this.state = this.increment + (high << 64n | low); // the state after one step from 0
      this.step();
      this.advance(BigInt(before) + (jumped ? JUMP : 0n));
      this.used = before;
    }

    step() {
      this.state = wrapped(this.state * MULTIPLIER + this.increment);
    }

    /** Skip `steps` numbers at once, as described by Brown in "Random number generation with arbitrary strides" (1994). */
    advance(steps) {
      let [multiplier, plus] = [MULTIPLIER, this.increment];
      for (let left = wrapped(steps); left; left >>= 1n) {
        if (left & 1n) this.state = wrapped(this.state * multiplier + plus);
        plus = wrapped((multiplier + 1n) * plus);
        multiplier = wrapped(multiplier * multiplier);
      }
    }

    /** Draw a number. The number's upper half, `high`, decides whether to explore, and its lower half, `low`, selects the move. */
    draw() {
      this.step();
      this.used += 1;
      const number = BigInt.asUintN(64, this.state >> 64n ^ this.state);
      const turn = this.state >> 122n;
      const turned = number >> turn | number << (64n - turn);
      this.high = Number(BigInt.asUintN(32, turned >> 32n));
      this.low = Number(BigInt.asUintN(32, turned));
    }
  }

  /** Return floor(low * total / 2^32) exactly. `low` must be below 2^32, and `total` below 2^31. */
  function part(low, total) {
    const upper = Math.floor(total / 65536);
    return Math.floor((low * upper + Math.floor(low * (total - upper * 65536) / 65536)) / 65536);
  }

  /** Return which of `count` equivalent cells a machine's move uses, as in `chance.pick_alike`. */
  function pickAlike(seed, index, count) {
    const chance = new Chance(seed, index, true);
    chance.draw();
    return part(chance.low, count);
  }

  /** Return a seed from the system's source of randomness. */
  const newSeed = () => crypto.getRandomValues(new BigUint64Array(1))[0] >> 1n;

  Object.assign(menace, { Chance, newSeed, part, pickAlike });
})(globalThis.menace ??= {});
