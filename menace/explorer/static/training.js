// Training on the page Play: a machine practises by `menace.source`, move by move, some games a second, or at full speed; beside it
// its curve, how its latest games ended, and its boxes.
"use strict";
(menace => {
  const { PERCENT, RESULTS, called, counted, curves, escaped, opening, percent, phrase, smallBox, smallEach, source, thousands: number, upper } = menace;
  const [MOVE, FULL] = [0, Infinity]; // speeds; the others are games a second
  const SPEEDS = [MOVE, 1, 10, 100, 1000, FULL];
  const PACE = 1000; // milliseconds between moves, or games, that are shown one by one
  const TICK = 200; // between steps of several games
  const LIT = 1200; // that a change in a box is lit
  const SLICE = 8; // of a frame in which boxes are drawn, so that none is late
  const BOXES_MOST = 1000; // that can be in view
  const RECENT = 40; // blocks that the bar sums up
  const STEP = 20; // of the axis of a single curve

  const at = id => document.getElementById(id);
  const section = at("training");
  if (!section) return;
  const player = called(section.dataset.player);
  const opponents = JSON.parse(section.dataset.opponents); // against which strength is measured, each with its label
  const form = at("train"); // missing if it cannot train here
  let state = null; // the last progress
  let boxes = []; // those that it opens first
  let recent = [];
  let problem = ""; // the error of the last action
  let silence = ""; // the error while the source does not answer
  let running = null; // while this page practises: { stopped }
  let told = () => {}; // called with each progress, and when practice is to stop
  let touched = false; // whether anything has been asked of it here
  let heard = ""; // for which occasion screen readers were last told

  const rest = milliseconds => new Promise(done => { setTimeout(done, milliseconds); });

  /** Say how training stands; screen readers are told once for each occasion. */
  function say(text, occasion = text) {
    at("trained").hidden = !(touched || unfinished());
    at("trained").textContent = text;
    if (occasion !== heard) at("heard").textContent = text;
    heard = occasion;
  }

  /** Return the last of 1, 2, 5, 10, ... up to a number of games. */
  function mark(games) {
    const power = 10 ** (String(games).length - 1);
    return power * ([5, 2].find(factor => factor * power <= games) ?? Math.sign(games));
  }

  // What is shown.

  function show(progress) {
    state = progress;
    if (progress.blocks.length) {
      recent = [...recent, ...progress.blocks].slice(-RECENT);
      showOutcomes();
    }
    boxes = progress.boxes ?? boxes;
    if (progress.contents) {
      fill(progress.contents);
      at("games").textContent = counted(progress.games, "game");
      strength = progress.strength;
      showStrength();
      showBoxes(progress.rival);
    }
    showButtons();
    told();
  }

  /** Put into the boxes what they have now. */
  const fill = contents => contents.slice(0, boxes.length).forEach(({ amounts, shares }, place) =>
    boxes[place].moves.forEach((move, row) => Object.assign(move, { amount: amounts[row], share: shares[row] })));

  let measured = ""; // what the curve shows
  let strength = []; // by games
  function showStrength() {
    const last = strength.at(-1) ?? { losses: {} };
    const wide = at("all-lines").getAttribute("aria-pressed") === "true";
    if (measured === (measured = JSON.stringify([wide, strength.length, last]))) return;
    const losses = Object.entries(last.losses).map(([who, loss]) => `${percent(loss)} ${new Map(opponents).get(who)}`).join(", ");
    const lines = opponents.slice(0, wide ? opponents.length : 1).map(([who, words]) =>
      [words, strength.filter(point => who in point.losses).map(point => [point.games, 100 * point.losses[who]])]);
    const top = wide ? 100 : STEP * Math.ceil(Math.max(1, ...lines[0][1].map(([, loss]) => loss)) / STEP);
    at("curve").innerHTML = curves(lines, { ...PERCENT, ticks: [0, top / 2, top], text: String, label: opening("loses", { name: player, losses }) });
    at("legend").hidden = !wide;
    const dashes = hue => at("curve").querySelector(`.line.hue-${hue}`)?.getAttribute("stroke-dasharray") ?? "";
    at("legend").innerHTML = opponents.map(([who, words], hue) => `<span><svg class="key" viewBox="0 0 36 8" width="36" height="8" aria-hidden="true">`
      + `<path class="line hue-${hue}" stroke-dasharray="${dashes(hue)}" d="M0 4H36"/></svg> ${escaped(words)}`
      + `${who in last.losses ? `: <b>${escaped(percent(last.losses[who]))}</b>` : ""}</span> `).join("");
    const [before, now] = [strength[0], last].map(point => Math.round(100 * (point?.losses.random ?? 0)));
    at("at-first").textContent = losses ? `${opening("lost_less", { before, now })}.` : "";
    at("curve-words").textContent = losses ? phrase("lost_after", { games: counted(last.games, "game"), losses }) : phrase("not_measured");
    const row = point => `<tr><th scope="row">${number(point.games)}</th>${opponents.map(([who]) =>
      `<td>${who in point.losses ? escaped(percent(point.losses[who])) : ""}</td>`).join("")}</tr>`;
    const head = opponents.map(([, words]) => `<th scope="col">${escaped(words)}</th>`).join("");
    at("curve-table").innerHTML = `<table><thead><tr><th scope="col">${escaped(phrase("games"))}</th>${head}</tr></thead><tbody>${strength.map(row).join("")}</tbody></table>`;
  }

  // Boxes: those that changed are drawn again, some in each frame, and lit for a while.

  const drawn = []; // of each box the element, and the amounts that it shows
  const stale = new Set(); // places of boxes that are to be drawn again
  let scale = 0; // beads that one of the picture stands for
  let owners = ""; // of the boxes that are shown

  /** Show the boxes, and below them those of the machine that it last trained against, if there is one. */
  function showBoxes(rival) {
    const shown = [...boxes, ...rival?.boxes ?? []];
    const each = smallEach(shown);
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
        if (lit) light(element);
      }
      stale.delete(place);
      if (performance.now() - start > SLICE) break;
    }
    if (stale.size) requestAnimationFrame(drawSome);
  }

  function light(element) {
    element.classList.add("lit");
    clearTimeout(element.fades);
    element.fades = setTimeout(() => element.classList.remove("lit"), LIT);
  }

  function showOutcomes() {
    const sum = key => recent.reduce((total, block) => total + block[key], 0);
    const games = sum("games");
    at("wdl").hidden = !games || !(touched || isGoing());
    const parts = RESULTS.filter(name => name !== "draws" || state.has_draws).map(name => [name, sum(name), 100 * sum(name) / games]);
    // The words stand above the bar: in it, they would make small shares wider than they are.
    const words = parts.map(([name, count, share]) => `<span class="${name}">${escaped(phrase(name))} ${number(count)} (${share.toFixed(1)}%)</span>`);
    const bar = parts.map(([name, , share]) => `<i class="${name}" style="width:${share}%"></i>`);
    const title = opening(games === 1 ? "last_game" : "last_games", { games: counted(games, "game") });
    at("wdl").innerHTML = `<b>${escaped(title)} </b>${words.join("")}`
      + `<div class="parts" aria-hidden="true">${bar.join("")}</div>`;
  }

  const unfinished = () => (state?.run?.state === "unfinished" ? state.run : null);
  const isGoing = () => Boolean(state?.training.going && state.training.here);
  const isElsewhere = () => Boolean(unfinished()?.active && !running && !state.training.here);

  function over({ run_id, state: ended, games_played, games_wanted, seed, why }) {
    return ended === "finished" ? `${opening("run_over", { run: run_id, games: counted(games_played, "game"), seed })}.`
      : `${opening("run_ended", { run: run_id, played: number(games_played), games: counted(games_wanted, "game") })}${why ? `: ${why}` : ""}.`;
  }

  function showButtons() {
    const run = unfinished();
    const going = isGoing() || running !== null;
    if (going) watch(true);
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
      say(`${opening(goes, parts)}.`, `${parts.run} ${goes} ${mark(run.games_played)}`);
    } else if (state.run) say(over(state.run));
  }

  function showSilence(message) {
    const text = message && `${upper(message)}.`;
    if (text === silence) return;
    say(silence = text);
  }

  // What is asked.

  const speed = () => SPEEDS[form.elements.speed.value];

  /** Return what is ordered: against whom, how many games, and the seed, if one is asked for. */
  function ordered() {
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
      else showSilence(error.message); // until it answers again
      return null;
    }
  }

  /** Return the run that rests, or a new one. */
  const theRun = () => unfinished() ?? ask("", { ...ordered(), paused: true });

  /** Practise until the games are played, or somebody pauses; the speed may change meanwhile. */
  async function practise() {
    const mine = running = { stopped: false };
    showButtons();
    let run = await theRun();
    while (run?.state === "unfinished" && !mine.stopped) {
      const start = performance.now();
      const games = speed();
      if (games === FULL) run = await atFullSpeed(run, mine);
      else if (games > 1) run = await ask("/step", { run_id: run.run_id, games: Math.round(games * TICK / 1000) });
      else run = await oneGame({ run_id: run.run_id }, mine);
      await rest(Math.max(0, (games > 1 ? TICK : PACE) - (performance.now() - start)));
    }
    running = null;
    menace.practice?.end();
    if (state) showButtons();
  }

  /** Let the source play on by itself, until the run is over, the speed is another, or somebody pauses. */
  async function atFullSpeed(run, mine) {
    if (!await ask("/resume", { run_id: run.run_id })) return null;
    do await new Promise(done => { told = done; });
    while (isGoing() && !mine.stopped && speed() === FULL);
    return isGoing() ? ask("/pause", {}) : state.run;
  }

  /** Play a game and show it on the board: its moves one by one, if they are to be watched, or else how it ended. */
  async function oneGame(body, mine = { stopped: false }) {
    const game = await ask("/game", body);
    if (!game) return null;
    const boards = [...game.plies.slice(1), game];
    const rival = state.plays === "X" ? game.run.o_player : game.run.x_player;
    for (const [ply, { name, pieces, saw }] of game.plies.entries()) {
      if (mine.stopped || speed() !== MOVE) break;
      menace.practice?.show({ ...boards[ply], before: pieces, saw, said: `${opening("plays", { name: saw ? player : called(rival), move: name })}.` });
      await rest(PACE);
    }
    menace.practice?.show({ ...game, before: game.plies.at(-1)?.pieces, said: `${game.said}.` });
    return game.run;
  }

  function pause() {
    if (running) running.stopped = true;
    else ask("/pause", {});
    told();
  }

  const HASH = "#practice"; // of a page that begins with it
  /** Show practice, curve and boxes beside the game, or the game alone. */
  function watch(on) {
    at("watch")?.closest(".screen").classList.toggle("watching", on);
    at("watch")?.setAttribute("aria-expanded", String(on));
  }
  watch(location.hash === HASH);
  addEventListener("hashchange", () => watch(location.hash === HASH));
  at("watch")?.addEventListener("click", ({ target }) => {
    watch(target.getAttribute("aria-expanded") === "false");
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
      told();
    };
    form.elements.against.addEventListener("change", showMistakes);
    form.elements.speed.addEventListener("input", showSpeed);
    showMistakes();
    showSpeed();
    form.addEventListener("submit", event => {
      event.preventDefault();
      if (running || isGoing()) pause();
      else practise();
    });
    at("one-game").addEventListener("click", () => oneGame(unfinished() ? { run_id: unfinished().run_id } : ordered()));
    at("one-block").addEventListener("click", async () => {
      const run = await theRun();
      if (run) ask("/step", { run_id: run.run_id });
    });
    at("all-boxes").addEventListener("click", ({ target }) => {
      const all = target.getAttribute("aria-pressed") === "false";
      target.setAttribute("aria-pressed", String(all));
      at("boxes").classList.toggle("all", all);
      source.want(all ? BOXES_MOST : 0);
    });
    at("end").addEventListener("click", () => ask("/stop", { run_id: unfinished().run_id }));
  }
  document.addEventListener("visibilitychange", () => { if (!document.hidden) recent = []; }); // what was missed is not summed up
  source.watch(show, showSilence);
})(globalThis.menace ??= {});
