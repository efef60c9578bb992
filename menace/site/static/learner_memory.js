// The memory of a learner: what it has learned in this browser, stored in localStorage or in a downloaded file.
"use strict";
(menace => {
  const FORMAT = "menace memory";
  const UNRELEASED_FORMAT = "menace machine";
  const VERSION = 1;
  const MAX_BEADS = 2 ** 26 - 1;
  const [MAX_POINTS, MAX_POINTS_IN_FILE] = [60, 400]; // maximum number of points of a curve, in memory and in a file
  const POINT = 4; // numbers in a point: games, and losses against random play, optimal play and the best response
  const MAX_SCORES = 10_000; // maximum number of scores to keep, for the latest games with a person
  const MAX_LESSONS = 200; // maximum number of lessons to keep, one for each of the latest games with a person
  const MAX_COUNT = 10 ** 15; // small enough that adding one is exact
  const MAX_FILE_SIZE = 20_000_000; // bytes

  const isCount = (value, most = MAX_COUNT) => Number.isInteger(value) && value >= 0 && value <= most;
  const isWithin = (value, least, most) => typeof value === "number" && value >= least && value <= most;
  const isList = (value, least, most, fits) => Array.isArray(value) && value.length >= least && value.length <= most && value.every(fits);
  const problem = (clause, parts) => new Error(`${menace.opening(clause, parts)}.`);
  const isSeed = value => typeof value === "string" && /^\d{1,19}$/.test(value) && BigInt(value) < 2n ** 63n;
  const keyOf = learner => `${FORMAT} ${learner.print}`;

  /** Return the result of an action, or `instead` if the action fails because storage is off or contains invalid data. */
  function tried(action, instead) {
    try {
      return action();
    } catch {
      return instead;
    }
  }

  // Each of these functions checks one part of a memory. `all` contains all parts; the parts listed above the current one have already been checked.
  const CHECKS = {
    games: games => isCount(games),
    people: (people, { games }) => isCount(people, games),
    seed: seed => isSeed(seed),
    numbers: numbers => isCount(numbers),
    turns: turns => isCount(turns),
    weight: (weight, all, game) => isList(weight, game.graph.moves, game.graph.moves, value => isCount(value, MAX_BEADS)),
    picked: (picked, all, game) => isList(picked, game.graph.moves, game.graph.moves, value => isCount(value)),
    epsilon: epsilon => isWithin(epsilon, 0, 1),
    score: (score, { people }) => isList(score, 1, Math.min(people + 1, MAX_SCORES), (value, place) =>
      Number.isSafeInteger(value) && (place ? Math.abs(value - score[place - 1]) <= 3 : true)),
    lessons: lessons => isList(lessons, 0, MAX_LESSONS, lesson =>
      isList(lesson, 3, 3, () => true) && ["win", "draw", "loss"].includes(lesson[0]) && isWithin(lesson[1], 0, 1.000000001) && isCount(lesson[2])),
    curve: (curve, { games }, game, learner) => isList(curve, 0, MAX_POINTS_IN_FILE, (point, place) =>
      isList(point, POINT, POINT, value => typeof value === "number") && isCount(point[0], learner.games + games)
      && point.slice(1).every(value => isWithin(value, 0, 1.000000001)) && (!place || point[0] > curve[place - 1][0])),
  };

  /** Return the memory that a learner had when it was exported. */
  function fresh(game, learner) {
    return {
      format: FORMAT, version: VERSION, game: game.title, learner: learner.name, plays: learner.plays, print: learner.print,
      games: 0, people: 0, seed: String(menace.newSeed()), numbers: 0, turns: 0, ...menace.tableCopy(learner), score: [0], lessons: [], curve: [],
    };
  }

  /** Parse and validate the memory of a learner. Throws an Error that names the problem. */
  function read(text, game, learner) {
    const saved = tried(() => JSON.parse(text));
    if (saved === undefined) throw problem("no_json");
    if (saved?.format === UNRELEASED_FORMAT) throw problem("unreleased");
    if (saved?.format !== FORMAT || saved.version !== VERSION) throw problem("no_machine");
    if (saved.print !== learner.print) {
      const isNamed = [saved.learner, saved.game].every(value => typeof value === "string" && value.length <= 100);
      const other = isNamed ? menace.phrase("machine_of", { name: saved.learner, game: saved.game }) : menace.phrase("another_machine");
      throw problem("not_this", { other, name: learner.name });
    }
    const memory = fresh(game, learner);
    saved.lessons ??= []; // files from earlier versions contain no lessons
    for (const [part, fits] of Object.entries(CHECKS)) {
      const isValid = Object.hasOwn(saved, part) && fits(saved[part], saved, game, learner);
      if (!isValid) throw problem("damaged", { part });
      memory[part] = saved[part];
    }
    return memory;
  }

  /** Read the memory of a learner from a file. Throws an Error that names the problem. */
  async function readFile(file, game, learner) {
    if (file.size > MAX_FILE_SIZE) throw problem("too_large");
    return read(await file.text(), game, learner);
  }

  /** Return the memory of a learner in this browser, or undefined if there is none or it is invalid. */
  const storedMemory = (game, learner) => (learner.learns ? tried(() => read(localStorage.getItem(keyOf(learner)), game, learner)) : undefined);

  /** Return a machine with its memory from this browser. */
  const machineOf = (game, learner) => ({
    learner, name: learner.name, memory: storedMemory(game, learner) ?? fresh(game, learner), records: new menace.Records(game, learner),
  });

  /** Save the memory of a learner, and return whether this browser has stored it. */
  const keep = (learner, memory) => tried(() => localStorage.setItem(keyOf(learner), JSON.stringify(memory)) ?? true, false);

  /** Delete the memory of a learner from this browser. */
  const forget = learner => tried(() => localStorage.removeItem(keyOf(learner)));

  /** Add a point to a curve; if the curve is too long, drop every second point. */
  function extend(curve, point) {
    if (curve.length && curve.at(-1)[0] === point[0]) curve.pop();
    curve.push(point);
    if (curve.length > MAX_POINTS) curve.splice(0, curve.length, ...curve.filter((_, place) => place % 2 === 0 || place === curve.length - 1));
  }

  /** Add the points from a game against a person to the score. */
  function scored(score, points) {
    score.push(score.at(-1) + points);
    if (score.length > MAX_SCORES) score.shift();
  }

  /** Add a game with a person to the lessons. */
  const taught = (lessons, lesson) => { lessons.splice(0, lessons.length, ...[...lessons, lesson].slice(-MAX_LESSONS)); };

  /** Download the memory of a learner as a file. */
  function download(learner, memory) {
    const address = URL.createObjectURL(new Blob([JSON.stringify(memory)], { type: "application/json" }));
    const name = learner.name.replace(/[^\p{L}\p{N}-]+/gu, "-");
    const link = Object.assign(document.createElement("a"), { href: address, download: `${name}-${memory.games}.json` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  Object.assign(menace, { download, extend, forget, fresh, isSeed, keep, keyOf, machineOf, read, readFile, storedMemory, scored, taught, tried });
})(globalThis.menace ??= {});
