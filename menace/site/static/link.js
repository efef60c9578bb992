// A trained machine in a link: what it has learned beyond the machine that was exported, after `#m=`, as base64url.
// Bytes: version; print (8); games; epsilon (8) if it explores; then of each move that changed the moves since the last one,
// its beads and its picks; FNV-1a (4) of all before it. Numbers are varints (LEB128), those that may fall zigzagged.
// Sources: RFC 4648, section 5; protobuf.dev/programming-guides/encoding; isthe.com/chongo/tech/comp/fnv (32 bits).
"use strict";
(menace => {
  const VERSION = 1;
  const PRINT = 8; // bytes
  const SUM = 4;
  const LINK_MOST = 30_000; // characters; browsers take far longer ones

  const zigzag = value => value < 0 ? -2 * value - 1 : 2 * value;
  const unzigzag = value => value % 2 ? -(value + 1) / 2 : value / 2;

  function checksum(bytes) {
    let hash = 0x811c9dc5;
    for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
    return [24, 16, 8, 0].map(shift => (hash >>> shift) & 0xff);
  }

  /** Append a whole number from 0 to 2^53 - 1. */
  function push(bytes, value) {
    for (; value > 0x7f; value = Math.floor(value / 0x80)) bytes.push(value % 0x80 + 0x80);
    bytes.push(value);
  }

  const doubleBytes = value => [...new Uint8Array(new Float64Array([value]).buffer)];
  const printBytes = print => Array.from({ length: PRINT }, (_, place) => parseInt(print.slice(2 * place, 2 * place + 2), 16));

  /** Return the part of a link after `#m=` that carries what a learner has learned; null if it would be too long. */
  function linkOf(learner, kept) {
    const bytes = [VERSION, ...printBytes(learner.print)];
    push(bytes, kept.games);
    if (learner.epsilon) bytes.push(...doubleBytes(kept.epsilon));
    let last = -1;
    kept.weight.forEach((weight, move) => {
      const beads = weight - learner.weight[move], picks = kept.picked[move] - learner.picked[move];
      if (!beads && !picks) return;
      push(bytes, move - last - 1);
      push(bytes, zigzag(beads));
      push(bytes, zigzag(picks));
      last = move;
    });
    const text = [...bytes, ...checksum(bytes)].map(byte => String.fromCharCode(byte)).join("");
    const link = btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
    return link.length > LINK_MOST ? null : link;
  }

  /** Return the bytes of a link without version and checksum. Throws an Error if they are not such bytes. */
  function bytesOf(text) {
    if (text.length > LINK_MOST || !/^[\w-]+$/.test(text)) throw new Error("no base64url");
    const bytes = Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), letter => letter.charCodeAt(0));
    const content = bytes.slice(0, -SUM);
    if (content[0] !== VERSION || String(checksum(content)) !== String(bytes.slice(-SUM))) throw new Error("another sum");
    return content.slice(1);
  }

  /** Return what a learner of this print has learned by a link's bytes. Throws an Error if they are not such bytes. */
  function learnedIn(bytes, game, learner) {
    const kept = menace.fresh(game, learner);
    let place = PRINT;
    const next = () => {
      let value = 0, unit = 1;
      for (; bytes[place] > 0x7f; place += 1, unit *= 0x80) value += (bytes[place] - 0x80) * unit;
      place += 1;
      return value + bytes[place - 1] * unit; // NaN past the end
    };
    kept.games = next();
    if (learner.epsilon) [kept.epsilon] = new Float64Array(new Uint8Array(bytes.slice(place, place += 8)).buffer);
    for (let move = next(); place <= bytes.length; move += next() + 1) {
      if (!(move < kept.weight.length)) throw new Error("no such move");
      kept.weight[move] += unzigzag(next());
      kept.picked[move] += unzigzag(next());
    }
    return menace.read(JSON.stringify(kept), game, learner);
  }

  /** Return the memory of a learner from a link's part after `#m=`. Throws an Error that says what is wrong. */
  function fromLink(text, game, learner) {
    const bytes = menace.tried(() => bytesOf(text));
    const isOther = bytes && String(bytes.slice(0, PRINT)) !== String(printBytes(learner.print));
    const kept = isOther ? undefined : menace.tried(() => learnedIn(bytes, game, learner));
    if (!kept) throw new Error(`${menace.opening(isOther ? "link_other" : "link_damaged", { name: learner.name })}.`);
    return kept;
  }

  Object.assign(menace, { fromLink, linkOf });
})(globalThis.menace ??= {});
