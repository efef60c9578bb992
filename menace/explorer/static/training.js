// Train on the Play page: the machine practises through `menace.source` move by move, at a fixed number of games per second, or at full speed. The
// page shows the machine's curve, the results of its latest games, and its boxes.
"use strict";
(menace => {
  const { PERCENT, RESULTS, called, counted, curves, escaped, opening, percent, phrase, smallBox, smallBeadScale, source, thousands: number, upper } = menace;
  const [MOVE, FULL] = [0, Infinity]; // special speeds; other speeds are in games per second
  const SPEEDS = [MOVE, 1, 10, 100, 1000, FULL];
  const MOVE_INTERVAL = 1000; // milliseconds between moves or games that are shown individually
  const STEP_INTERVAL = 200; // milliseconds between steps of several games
  const HIGHLIGHT_TIME = 1200; // milliseconds for which a changed box is highlighted
  const FRAME_BUDGET = 8; // milliseconds per frame for drawing boxes, so that no frame is late
  const MAX_BOXES = 1000; // maximum number of boxes shown with "All boxes"
  const RECENT_BLOCKS = 40; // the bar shows the results of this many blocks
  const AXIS_STEP = 20; // percent; the axis of a single curve ends at a multiple of this number

  const at = id => document.getElementById(id);
  const section = at("training");
  if (!section) return;
  const player = called(section.dataset.player);
  const opponents = JSON.parse(section.dataset.opponents); // [name, label] of each opponent against which strength is measured
  const form = at("train"); // null if the machine cannot train here
  let state = null; // the latest progress report
  let boxes = []; // the boxes that the machine opens first
  let recent = [];
  let problem = ""; // the error message of the last action
  let silence = ""; // the error message shown while the source does not respond
  let running = null; // an object { stopped } while this page practises
  let onProgress = () => {}; // called after each progress report, and when practice must stop
  let touched = false; // whether the user has started anything here
  let lastOccasion = ""; // the occasion for the last message to screen readers

  const sleep = milliseconds => new Promise(done => { setTimeout(done, milliseconds); });

  /** Show the state of training. Screen readers announce only the first of several consecutive texts for the same occasion. */
  function say(text, occasion = text) {
    at("trained").hidden = !(touched || unfinished());
    at("trained").textContent = text;
    at("trained").classList.toggle("error", Boolean(problem || silence || state?.training.error || (state && isElsewhere())));
    if (occasion !== lastOccasion) at("heard").textContent = text;
    lastOccasion = occasion;
  }

  /** Return the largest of 1, 2, 5, 10, ... that does not exceed a number of games. */
  function lastMark(games) {
    const power = 10 ** (String(games).length - 1);
    return power * ([5, 2].find(factor => factor * power <= games) ?? Math.sign(games));
  }

  // Showing progress.

  function show(progress) {
    state = progress;
    if (progress.blocks.length) {
      recent = [...recent, ...progress.blocks].slice(-RECENT_BLOCKS);
      showOutcomes();
    }
    boxes = progress.boxes ?? boxes;
    if (progress.contents) {
      fillBoxes(progress.contents);
      at("games").textContent = counted(progress.games, "game");
      strength = progress.strength;
      showStrength();
      showBoxes(progress.rival);
      at("first-box").innerHTML = menace.largeBox(boxes[0]);
    }
    showButtons();
    onProgress();
  }

  /** Update the amounts and shares in the boxes. */
  const fillBoxes = contents => contents.slice(0, boxes.length).forEach(({ amounts, shares }, place) =>
    boxes[place].moves.forEach((move, row) => Object.assign(move, { amount: amounts[row], share: shares[row] })));

  let measured = ""; // the state shown by the curve, as JSON
  let strength = []; // the measurements, by number of games
  function showStrength() {
    const last = strength.at(-1) ?? { losses: {} };
    const wide = at("all-lines").getAttribute("aria-pressed") === "true";
    if (measured === (measured = JSON.stringify([wide, strength.length, last]))) return;
    const losses = Object.entries(last.losses).map(([who, loss]) => `${percent(loss)} ${new Map(opponents).get(who)}`).join(", ");
    const lines = opponents.slice(0, wide ? opponents.length : 1).map(([who, words]) =>
      [words, strength.filter(point => who in point.losses).map(point => [point.games, 100 * point.losses[who]])]);
    const top = wide ? 100 : AXIS_STEP * Math.ceil(Math.max(1, ...lines[0][1].map(([, loss]) => loss)) / AXIS_STEP);
    at("curve").innerHTML = curves(lines, { ...PERCENT, ticks: [0, top / 2, top], text: String, label: opening("loses", { name: player, losses }) });
    at("legend").hidden = !wide;
    const dashes = hue => at("curve").querySelector(`.line.hue-${hue}`)?.getAttribute("stroke-dasharray") ?? "";
    at("legend").innerHTML = opponents.map(([who, words], hue) => `<span><svg class="key" viewBox="0 0 36 8" width="36" height="8" aria-hidden="true">`
      + `<path class="line hue-${hue}" stroke-dasharray="${dashes(hue)}" d="M0 4H36"/></svg> ${escaped(words)}`
      + `${who in last.losses ? `: <b>${escaped(percent(last.losses[who]))}</b>` : ""}</span> `).join("");
    const [before, now] = [strength[0], last].map(point => Math.round(100 * (point?.losses.random ?? 0)));
    at("at-first").textContent = losses ? `${opening(strength.length > 1 ? "lost_less" : "lost_so_far", { name: player, before, now })}.` : "";
    at("curve-words").textContent = losses ? phrase("lost_after", { games: counted(last.games, "game"), losses }) : phrase("not_measured");
    const row = point => `<tr><th scope="row">${number(point.games)}</th>${opponents.map(([who]) =>
      `<td>${who in point.losses ? escaped(percent(point.losses[who])) : ""}</td>`).join("")}</tr>`;
    const head = opponents.map(([, words]) => `<th scope="col">${escaped(words)}</th>`).join("");
    at("curve-table").innerHTML = `<table><thead><tr><th scope="col">${escaped(phrase("games"))}</th>${head}</tr></thead><tbody>${strength.map(row).join("")}</tbody></table>`;
  }

  // Boxes that changed are redrawn, a few in each frame, and highlighted for a moment.

  const drawn = []; // for each box, its element and the amounts shown in it
  const stale = new Set(); // the indices of boxes that must be drawn again
  let scale = 0; // the number of beads that each bead in the picture stands for
  let owners = ""; // the number of boxes and the name of the rival for which boxes are currently shown

  /** Show the machine's boxes, followed by those of the machine that it last trained against, if any. */
  function showBoxes(rival) {
    const shown = [...boxes, ...rival?.boxes ?? []];
    const each = smallBeadScale(shown);
    const isOther = owners !== (owners = `${boxes.length} ${rival?.learner}`);
    const all = each !== scale || isOther;
    if (isOther) {
      drawn.length = 0;
      for (const id of ["boxes", "rival-boxes"]) at(id).replaceChildren();
      at("rival").hidden = !rival;
      at("rival-name").textContent = rival?.learner;
    }
    scale = each;
    at("each").textContent = at("first-title").title = each > 1 ? `${opening("beads_each", { each: number(each) })}.` : "";
    shown.forEach((box, place) => {
      const amounts = box.moves.map(move => move.amount).join();
      if (!all && drawn[place].amounts === amounts) return;
      drawn[place] ??= { element: at(place < boxes.length ? "boxes" : "rival-boxes").appendChild(Object.assign(document.createElement("div"), { className: "small-box" })) };
      drawn[place].lit = "amounts" in drawn[place] && drawn[place].amounts !== amounts;
      Object.assign(drawn[place], { box, amounts });
      if (!stale.size) requestAnimationFrame(drawSome);
      stale.add(place);
    });
  }

  function drawSome(start) {
    for (const place of stale) {
      const { element, box, lit } = drawn[place] ?? {};
      if (element) {
        element.innerHTML = smallBox(box, scale);
        if (lit) highlight(element);
      }
      stale.delete(place);
      if (performance.now() - start > FRAME_BUDGET) break;
    }
    if (stale.size) requestAnimationFrame(drawSome);
  }

  function highlight(element) {
    element.classList.add("lit");
    clearTimeout(element.fades);
    element.fades = setTimeout(() => element.classList.remove("lit"), HIGHLIGHT_TIME);
  }

  function showOutcomes() {
    const sum = key => recent.reduce((total, block) => total + block[key], 0);
    const games = sum("games");
    at("wdl").hidden = !games || !(touched || isRunning());
    const parts = RESULTS.filter(name => name !== "draws" || state.has_draws).map(name => [name, sum(name), 100 * sum(name) / games]);
    // The words are above the bar, because inside the bar they would widen the parts for small shares.
    const words = parts.map(([name, count, share]) => `<span class="${name}">${escaped(phrase(name))} ${number(count)} (${share.toFixed(1)}%)</span>`);
    const bar = parts.map(([name, , share]) => `<i class="${name}" style="width:${share}%"></i>`);
    const title = opening(games === 1 ? "last_game" : "last_games", { games: counted(games, "game") });
    at("wdl").innerHTML = `<b>${escaped(title)} </b>${words.join("")}`
      + `<div class="parts" aria-hidden="true">${bar.join("")}</div>`;
  }

  const unfinished = () => (state?.run?.state === "unfinished" ? state.run : null);
  const isRunning = () => Boolean(state?.training.going && state.training.here);
  const isElsewhere = () => Boolean(unfinished()?.active && !running && !state.training.here);

  function endText({ run_id, state: ended, games_played, games_wanted, seed, why }) {
    return ended === "finished" ? `${opening("run_over", { run: run_id, games: counted(games_played, "game"), seed })}.`
      : `${opening("run_ended", { run: run_id, played: number(games_played), games: counted(games_wanted, "game") })}${why ? `: ${why}` : ""}.`;
  }

  function showButtons() {
    const run = unfinished();
    const going = isRunning() || running !== null;
    if (going) setWatching(true);
    if (form) {
      at("go").classList.toggle("going", going);
      at("go").disabled = isElsewhere();
      at("go").textContent = opening(going ? "pause" : run ? "go_on" : "practise");
      for (const id of ["one-game", "one-block"]) at(id).disabled = going || isElsewhere();
      at("end").hidden = going || isElsewhere() || !run;
    }
    if (problem || silence) say(problem || silence);
    else if (state.training.error) say(`${upper(state.training.error)}.`);
    else if (run) {
      const goes = isElsewhere() ? "run_elsewhere" : going ? "run_goes_on" : "run_rests";
      const parts = { run: run.run_id, played: number(run.games_played), games: counted(run.games_wanted, "game") };
      say(`${opening(goes, parts)}.`, `${parts.run} ${goes} ${lastMark(run.games_played)}`);
    } else if (state.run) say(endText(state.run));
  }

  function showSilence(message) {
    const text = message && `${upper(message)}.`;
    if (text === silence) return;
    say(silence = text);
  }

  // Requests.

  const speed = () => SPEEDS[form.elements.speed.value];

  /** Return the options for a new run: the opponent, the number of games, and the seed, if any. */
  function runOptions() {
    const { against, p, games, seed } = form.elements;
    const opponent = p && against.value.startsWith("imperfect:") ? `imperfect:${p.value}` : against.value;
    return { against: opponent, games: Number(games.value), ...(seed.value.trim() && { seed: seed.value.trim() }) };
  }

  async function ask(what, body) {
    touched = true;
    problem = silence = "";
    try {
      return await source.train(what, body);
    } catch (error) {
      if (error.status) say(problem = `${upper(error.message)}.`);
      else showSilence(error.message); // removed as soon as the source responds
      return null;
    }
  }

  /** Return the paused run, or a new one. */
  const currentOrNewRun = () => unfinished() ?? ask("", { ...runOptions(), paused: true });

  /** Practise until all games have been played or the user pauses; the speed may change during the run. */
  async function practise() {
    const mine = running = { stopped: false };
    menace.practice?.begin();
    showButtons();
    let run = await currentOrNewRun();
    while (run?.state === "unfinished" && !mine.stopped) {
      const start = performance.now();
      const games = speed();
      if (games === FULL) run = await atFullSpeed(run, mine);
      else if (games > 1) run = await ask("/step", { run_id: run.run_id, games: Math.round(games * STEP_INTERVAL / 1000) });
      else run = await oneGame({ run_id: run.run_id }, mine);
      await sleep(Math.max(0, (games > 1 ? STEP_INTERVAL : MOVE_INTERVAL) - (performance.now() - start)));
    }
    running = null;
    menace.practice?.end();
    if (state) showButtons();
  }

  /** Let the source play on its own until the run is over, the speed changes, or the user pauses. */
  async function atFullSpeed(run, mine) {
    if (!await ask("/resume", { run_id: run.run_id })) return null;
    do await new Promise(done => { onProgress = done; });
    while (isRunning() && !mine.stopped && speed() === FULL);
    return isRunning() ? ask("/pause", {}) : state.run;
  }

  /** Play a game and show it on the board: every move at the lowest speed, otherwise only the end. */
  async function oneGame(body, mine = { stopped: false }) {
    const game = await ask("/game", body);
    if (!game) return null;
    const boards = [...game.plies.slice(1), game];
    const rival = state.plays === "X" ? game.run.o_player : game.run.x_player;
    for (const [ply, { name, pieces, saw }] of game.plies.entries()) {
      if (mine.stopped || speed() !== MOVE) break;
      menace.practice?.show({ ...boards[ply], before: pieces, saw, said: `${opening("plays", { name: saw ? player : called(rival), move: name })}.` });
      await sleep(MOVE_INTERVAL);
    }
    menace.practice?.show({ ...game, before: game.plies.at(-1)?.pieces, said: `${game.said}.` });
    return game.run;
  }

  function pause() {
    if (running) running.stopped = true;
    else ask("/pause", {});
    onProgress();
  }

  const HASH = "#practice"; // the fragment of a link that opens the page with practice shown
  /** Show practice, curve and boxes beside the game, or only the game. */
  function setWatching(on) {
    at("watch")?.closest(".screen").classList.toggle("watching", on);
    at("watch")?.setAttribute("aria-expanded", String(on));
  }
  setWatching(location.hash === HASH);
  addEventListener("hashchange", () => setWatching(location.hash === HASH));
  at("watch")?.addEventListener("click", ({ target }) => {
    setWatching(target.getAttribute("aria-expanded") === "false");
    if ([HASH, ""].includes(location.hash)) history.replaceState(null, "", target.getAttribute("aria-expanded") === "true" ? HASH : location.pathname + location.search);
  });

  at("all-lines").addEventListener("click", ({ target }) => {
    target.setAttribute("aria-pressed", String(target.getAttribute("aria-pressed") === "false"));
    showStrength();
  });

  if (form) {
    const showMistakes = () => at("mistakes")?.toggleAttribute("hidden", !form.elements.against.value.startsWith("imperfect:"));
    const showSpeed = () => {
      const games = speed();
      at("speed-words").textContent = games === MOVE ? phrase("speed_move") : games === FULL ? phrase("speed_full")
        : phrase("speed_games", { games: counted(games, "game") });
      form.elements.speed.setAttribute("aria-valuetext", at("speed-words").textContent);
      onProgress();
    };
    form.elements.against.addEventListener("change", showMistakes);
    form.elements.speed.addEventListener("input", showSpeed);
    showMistakes();
    showSpeed();
    form.addEventListener("submit", event => {
      event.preventDefault();
      if (running || isRunning()) pause();
      else practise();
    });
    at("one-game").addEventListener("click", () => oneGame(unfinished() ? { run_id: unfinished().run_id } : runOptions()));
    at("one-block").addEventListener("click", async () => {
      const run = await currentOrNewRun();
      if (run) ask("/step", { run_id: run.run_id });
    });
    at("all-boxes").addEventListener("click", ({ target }) => {
      const all = target.getAttribute("aria-pressed") === "false";
      target.setAttribute("aria-pressed", String(all));
      at("boxes").classList.toggle("all", all);
      source.want(all ? MAX_BOXES : 0);
    });
    at("end").addEventListener("click", () => ask("/stop", { run_id: unfinished().run_id }));
  }
  document.addEventListener("visibilitychange", () => { if (!document.hidden) recent = []; }); // the bar restarts after an interruption
  source.watch(show, showSilence);
})(globalThis.menace ??= {});
