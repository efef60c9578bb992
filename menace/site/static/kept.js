// What is kept of a learner in this browser: what it learned here, in localStorage, or in a file that is downloaded.
"use strict";
(menace => {
  const FORMAT = "menace machine";
  const VERSION = 1;
  const MOST_BEADS = 2 ** 26 - 1;
  const POINTS_MOST = 400; // of a curve
  const SCORES_MOST = 10_000; // of the games with a person that were last
  const COUNT_MOST = 10 ** 15; // so that one more is still a number of its own
  const FILE_MOST = 20_000_000; // bytes

  const isCount = (value, most = COUNT_MOST) => Number.isInteger(value) && value >= 0 && value <= most;
  const isWithin = (value, least, most) => typeof value === "number" && value >= least && value <= most;
  const isList = (value, least, most, fits) => Array.isArray(value) && value.length >= least && value.length <= most && value.every(fits);
  const keyOf = learner => `${FORMAT} ${learner.print}`;

  // What each part may be; `all` has the others, of which those above are looked at already.
  const FITS = {
    games: games => isCount(games),
    people: (people, { games }) => isCount(people, games),
    seed: seed => typeof seed === "string" && /^\d{1,19}$/.test(seed) && BigInt(seed) < 2n ** 63n,
    numbers: numbers => isCount(numbers),
    turns: turns => isCount(turns),
    weight: (weight, all, game) => isList(weight, game.graph.moves, game.graph.moves, one => isCount(one, MOST_BEADS)),
    picked: (picked, all, game) => isList(picked, game.graph.moves, game.graph.moves, one => isCount(one)),
    epsilon: epsilon => isWithin(epsilon, 0, 1),
    score: (score, { people }) => isList(score, 1, Math.min(people + 1, SCORES_MOST), (one, place) =>
      Number.isSafeInteger(one) && (place ? Math.abs(one - score[place - 1]) <= 3 : true)),
    curve: (curve, { games }, game, learner) => isList(curve, 0, POINTS_MOST, (point, place) =>
      isList(point, 2, 2, one => typeof one === "number") && isCount(point[0], learner.games + games)
      && isWithin(point[1], -1.000000001, 1.000000001) && (!place || point[0] > curve[place - 1][0])),
  };

  /** Return what a learner has when it comes from its file, in this browser's form. */
  function fresh(game, learner) {
    return {
      format: FORMAT, version: VERSION, game: game.title, learner: learner.name, plays: learner.plays, print: learner.print,
      games: 0, people: 0, seed: String(menace.newSeed()), numbers: 0, turns: 0, ...menace.keptOf(learner), score: [0], curve: [],
    };
  }

  /** Return what a text keeps of a learner: what fits, and nothing else. Throws an Error that says what does not. */
  function read(text, game, learner) {
    let found;
    try {
      found = JSON.parse(text);
    } catch {
      throw new Error("That is not a file of a machine: it is not JSON.");
    }
    if (found?.format !== FORMAT || found.version !== VERSION) throw new Error("That is not a file of a machine as this page writes it.");
    if (found.print !== learner.print) {
      const whose = [found.learner, found.game].every(one => typeof one === "string" && one.length <= 100) ? `${found.learner} of ${found.game}` : "another machine";
      throw new Error(`That is ${whose}, as another site has it; this page has ${learner.name} as it was exported.`);
    }
    const parts = Object.entries(FITS).map(([part, fits]) => {
      if (!Object.hasOwn(found, part) || !fits(found[part], found, game, learner)) {
        throw new Error(`That file is damaged: "${part}" in it is not as this page writes it.`);
      }
      return [part, found[part]];
    });
    return { ...fresh(game, learner), ...Object.fromEntries(parts) };
  }

  /** Return what a file keeps of a learner. Throws an Error that says what is wrong with it. */
  async function readFile(file, game, learner) {
    if (file.size > FILE_MOST) throw new Error("That is not a file of a machine: it is far too large.");
    return read(await file.text(), game, learner);
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

  /** Add what a game with a person brought to the score. */
  function scored(score, points) {
    score.push(score.at(-1) + points);
    if (score.length > SCORES_MOST) score.shift();
  }

  /** Let the reader download it. */
  function download(learner, kept) {
    const address = URL.createObjectURL(new Blob([JSON.stringify(kept)], { type: "application/json" }));
    const name = learner.name.replace(/[^\p{L}\p{N}-]+/gu, "-");
    const link = Object.assign(document.createElement("a"), { href: address, download: `${name}-${kept.games}.json` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  Object.assign(menace, { download, extend, forget, fresh, gamesOf, keep, read, readFile, recalled, scored });
})(globalThis.menace ??= {});
