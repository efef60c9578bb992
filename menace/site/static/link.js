// Store a trained machine in a link. The part after `#m=` contains the changes since the machine was exported, in base64url:
// its fingerprint; its games; epsilon, as two halves; for each changed move, the number of moves skipped before it, and the changes of its beads and picks;
// FNV-1a (8 hexadecimal digits) of everything before it. Numbers are encoded as in source maps, five bits for each letter. Signed numbers use zigzag encoding.
// Sources: RFC 4648, section 5; ECMA-426 (Base64 VLQ); isthe.com/chongo/tech/comp/fnv (32 bits).
"use strict";
(menace => {
  const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"; // a digit from 32 on means that more digits follow
  const PRINT = 16; // length of a fingerprint
  const SUM = 8;
  const MAX_LINK_LENGTH = 30_000; // letters; browsers accept far longer links

  const zigzag = value => value < 0 ? -2 * value - 1 : 2 * value;
  const unzigzag = value => value % 2 ? -(value + 1) / 2 : value / 2;

  /** Encode an integer from 0 to 2^53 - 1 as letters. */
  const lettersOf = value => (value < 32 ? DIGITS[value] : DIGITS[32 + value % 32] + lettersOf(Math.floor(value / 32)));

  function numbersOf(letters) {
    const numbers = [];
    let value = 0, unit = 1;
    for (const letter of letters) {
      const digit = DIGITS.indexOf(letter);
      value += digit % 32 * unit;
      unit *= 32;
      if (digit < 32) {
        numbers.push(value);
        [value, unit] = [0, 1];
      }
    }
    return numbers;
  }

  function checksum(text) {
    let hash = 0x811c9dc5;
    for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
    return (hash >>> 0).toString(16).padStart(SUM, "0");
  }

  /** Return the part of a link after `#m=`, which contains what a learner has learned, or null if the link would be too long. */
  function linkOf(learner, memory) {
    const numbers = [memory.games, ...new Uint32Array(Float64Array.of(memory.epsilon).buffer)];
    let last = -1;
    memory.weight.forEach((weight, move) => {
      const beads = weight - learner.weight[move], picks = memory.picked[move] - learner.picked[move];
      if (!beads && !picks) return;
      numbers.push(move - last - 1, zigzag(beads), zigzag(picks));
      last = move;
    });
    const text = learner.print + numbers.map(lettersOf).join("");
    return text.length + SUM > MAX_LINK_LENGTH ? null : text + checksum(text);
  }

  /** Decode the memory of a learner from the numbers in a link. Throws an Error if they are invalid. */
  function learnedIn([games, low, high, ...changes], game, learner) {
    const [epsilon] = new Float64Array(Uint32Array.of(low, high).buffer);
    const memory = { ...menace.fresh(game, learner), games, epsilon };
    let move = -1;
    for (let place = 0; place < changes.length; place += 3) {
      move += changes[place] + 1;
      if (!(move < memory.weight.length)) throw new Error("no such move");
      memory.weight[move] += unzigzag(changes[place + 1]); // past the end of the list, this is NaN, which `read` rejects
      memory.picked[move] += unzigzag(changes[place + 2]);
    }
    return menace.read(JSON.stringify(memory), game, learner);
  }

  /** Decode the memory of a learner from the part of a link after `#m=`. Throws an Error that names the problem. */
  function fromLink(text, game, learner) {
    const content = text.slice(0, -SUM);
    const isWhole = text.length <= MAX_LINK_LENGTH && /^[\w-]+$/.test(text) && checksum(content) === text.slice(-SUM);
    const isOther = isWhole && content.slice(0, PRINT) !== learner.print;
    const memory = isWhole && !isOther && menace.tried(() => learnedIn(numbersOf(content.slice(PRINT)), game, learner));
    if (!memory) throw new Error(`${menace.opening(isOther ? "link_other" : "link_damaged", { name: learner.name })}.`);
    return memory;
  }

  Object.assign(menace, { fromLink, linkOf });
})(globalThis.menace ??= {});
