// What is kept of a learner in this browser: what it learned here, in localStorage, or in a file that is downloaded.
"use strict";
(menace => {
  const FORMAT = "menace machine";
  const VERSION = 1;
  const MOST_BEADS = 2 ** 26 - 1;
  const POINTS_MOST = 400; // of a curve

  const isCount = (value, most = Number.MAX_SAFE_INTEGER) => Number.isInteger(value) && value >= 0 && value <= most;
  const keyOf = learner => `${FORMAT} ${learner.print}`;

  /** Return what a learner has when it comes from its file, in this browser's form. */
  function fresh(game, learner) {
    return {
      format: FORMAT, version: VERSION, game: game.title, learner: learner.name, plays: learner.plays, print: learner.print,
      games: 0, people: 0, seed: String(menace.newSeed()), numbers: 0, turns: 0, ...menace.keptOf(learner), score: [0], curve: [],
    };
  }

  /** Return what a text keeps of a learner. Throws an Error that says what is wrong with it. */
  function read(text, game, learner) {
    let found;
    try {
      found = JSON.parse(text);
    } catch {
      throw new Error("That is not a file of a machine: it is not JSON.");
    }
    if (found?.format !== FORMAT || found.version !== VERSION) throw new Error("That is not a file of a machine as this page writes it.");
    if (found.print !== learner.print) {
      throw new Error(`That is ${found.learner} of ${found.game}, as another site has it; this page has ${learner.name} as it was exported.`);
    }
    const { moves } = game.graph;
    const fits = isCount(found.games) && isCount(found.people, found.games) && isCount(found.numbers) && isCount(found.turns)
      && /^\d{1,19}$/.test(found.seed) && BigInt(found.seed) < 2n ** 63n
      && Array.isArray(found.weight) && found.weight.length === moves && found.weight.every(one => isCount(one, MOST_BEADS))
      && Array.isArray(found.picked) && found.picked.length === moves && found.picked.every(one => isCount(one))
      && typeof found.epsilon === "number" && found.epsilon >= 0 && found.epsilon <= 1
      && Array.isArray(found.score) && found.score.length > 0 && found.score.every(Number.isInteger)
      && Array.isArray(found.curve) && found.curve.every(point => Array.isArray(point) && point.length === 2 && isCount(point[0]) && Math.abs(point[1]) <= 1);
    if (!fits) throw new Error("That file is damaged: this machine cannot have such numbers.");
    return found;
  }

  /** Return what this browser keeps of a learner, or undefined if nothing that can be read. */
  function recalled(game, learner) {
    try {
      const text = localStorage.getItem(keyOf(learner));
      return text === null ? undefined : read(text, game, learner);
    } catch {
      return undefined;
    }
  }

  /** Keep it. Returns whether this browser does. */
  function keep(learner, kept) {
    try {
      localStorage.setItem(keyOf(learner), JSON.stringify(kept));
      return true;
    } catch {
      return false;
    }
  }

  /** Forget what was learned here. */
  function forget(learner) {
    try {
      localStorage.removeItem(keyOf(learner));
    } catch { /* where nothing can be kept, nothing is */ }
  }

  /** Return how many games a learner of this print has learned from in this browser. */
  function gamesOf(print) {
    try {
      const found = JSON.parse(localStorage.getItem(keyOf({ print })));
      return isCount(found?.games) ? found.games : 0;
    } catch {
      return 0;
    }
  }

  /** Add a point to a curve; of a long one every second point goes. */
  function extend(curve, point) {
    if (curve.length && curve.at(-1)[0] === point[0]) curve.pop();
    curve.push(point);
    if (curve.length > POINTS_MOST) curve.splice(0, curve.length, ...curve.filter((_, place) => place % 2 === 0 || place === curve.length - 1));
  }

  /** Let the reader download it. */
  function download(learner, kept) {
    const address = URL.createObjectURL(new Blob([JSON.stringify(kept)], { type: "application/json" }));
    const name = learner.name.replace(/[^\p{L}\p{N}-]+/gu, "-");
    const link = Object.assign(document.createElement("a"), { href: address, download: `${name}-${kept.games}.json` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  Object.assign(menace, { download, extend, forget, fresh, gamesOf, keep, read, recalled });
})(globalThis.menace ??= {});
