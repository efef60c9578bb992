// Training on the page Play: by `menace.source` at full speed, or game by game at a pace that can be watched.
"use strict";
(menace => {
  const { PERCENT, changedBox, counted, curves, escaped, openBox, opening, percent, phrase, smallBoxes, smallEach, source, thousands: number, upper } = menace;
  const LIT = 1200; // milliseconds that a change in a box is lit
  const PACE = 1000; // between moves, games or blocks that are shown one by one
  const RECENT = 40; // blocks that the bar sums up
  const ELSEWHERE = 5000; // since another program's last block, while its run counts as going on

  const at = id => document.getElementById(id);
  const section = at("training");
  if (!section) return;
  const player = section.dataset.player;
  const opponents = JSON.parse(section.dataset.opponents); // against which strength is measured, each with its label
  const form = at("train"); // missing if it cannot train here
  let state = null; // the last progress
  let boxes = []; // those that it opens first
  let recent = [];
  let problem = ""; // the error of the last action
  let silence = ""; // the error while the source does not answer
  let grown = -Infinity; // when a run of another program was last seen to go on
  let fades; // the timer of what is lit
  let shown = null; // games or blocks that this page goes through one by one: { left, pace, run, stopped }
  let resting = null; // the same, after Pause
  let heard = ""; // for which occasion screen readers were last told

  const rest = milliseconds => new Promise(done => { setTimeout(done, milliseconds); });

  /** Say how training stands; screen readers are told once for each occasion. */
  function say(text, occasion = text) {
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
    const [before, run] = [state?.run, progress.run];
    if (state && run && (run.run_id !== before?.run_id || run.games_played > before.games_played)) grown = performance.now();
    const first = state === null;
    state = progress;
    if (progress.blocks.length) {
      recent = [...recent, ...progress.blocks].slice(-RECENT);
      showOutcomes();
    }
    boxes = progress.boxes ?? boxes;
    if (progress.contents) {
      fill(progress.contents);
      at("games").textContent = counted(progress.games, "game");
      showStrength(progress.strength);
      const each = smallEach(boxes);
      at("each").textContent = each > 1 ? `${opening("beads_each", { each: number(each) })}.` : "";
      showBoxes(smallBoxes(boxes, each), first);
    }
    showButtons();
  }

  /** Put into the boxes what they have now. */
  const fill = contents => contents.forEach(({ amounts, shares }, place) =>
    boxes[place].moves.forEach((move, row) => Object.assign(move, { amount: amounts[row], share: shares[row] })));

  function showStrength(strength) {
    const last = strength.at(-1) ?? { losses: {} };
    const losses = Object.entries(last.losses).map(([who, loss]) => `${percent(loss)} ${new Map(opponents).get(who)}`).join(", ");
    const lines = opponents.map(([who, words]) =>
      [words, strength.filter(point => who in point.losses).map(point => [point.games, 100 * point.losses[who]])]);
    at("curve").innerHTML = curves(lines, { ...PERCENT, label: opening("loses", { name: player, losses }) });
    const dashes = hue => at("curve").querySelector(`.line.hue-${hue}`)?.getAttribute("stroke-dasharray") ?? "";
    at("legend").innerHTML = opponents.map(([, words], hue) => `<span><svg class="key" viewBox="0 0 36 8" width="36" height="8" aria-hidden="true">`
      + `<path class="line hue-${hue}" stroke-dasharray="${dashes(hue)}" d="M0 4H36"/></svg> ${escaped(words)}</span> `).join("");
    at("curve-words").textContent = losses ? phrase("lost_after", { games: counted(last.games, "game"), losses }) : phrase("not_measured");
    const row = point => `<tr><th scope="row">${number(point.games)}</th>${opponents.map(([who]) =>
      `<td>${who in point.losses ? escaped(percent(point.losses[who])) : ""}</td>`).join("")}</tr>`;
    const head = opponents.map(([, words]) => `<th scope="col">${escaped(words)}</th>`).join("");
    at("curve-table").innerHTML = `<table><thead><tr><th scope="col">games</th>${head}</tr></thead><tbody>${strength.map(row).join("")}</tbody></table>`;
  }

  function showBoxes(html, first) {
    const old = [...at("boxes").querySelectorAll("td")].map(cell => cell.textContent);
    at("boxes").innerHTML = html;
    if (first) return;
    [...at("boxes").querySelectorAll("td")].forEach((cell, place) => {
      cell.classList.toggle("lit", old[place] !== undefined && old[place] !== cell.textContent);
    });
    clearTimeout(fades);
    fades = setTimeout(() => at("boxes").querySelectorAll(".lit").forEach(cell => cell.classList.remove("lit")), LIT);
  }

  function showOutcomes() {
    const sum = key => recent.reduce((total, block) => total + block[key], 0);
    const games = sum("games");
    at("wdl").hidden = !games;
    if (!games) return;
    const parts = { wins: sum("wins"), ...(state.has_draws ? { draws: sum("draws") } : {}), losses: sum("losses") };
    const part = (tag, className, textContent) => Object.assign(document.createElement(tag), { className, textContent });
    const title = part("b", "", games === 1 ? "The last game: " : `The last ${counted(games, "game")}: `);
    // The words stand above the bar: in it, they would make small shares wider than they are.
    const words = Object.entries(parts).map(([name, count]) => part("span", name, `${name} ${number(count)} (${(100 * count / games).toFixed(1)}%)`));
    const bar = part("div", "bar", "");
    bar.setAttribute("aria-hidden", "true");
    for (const [name, count] of Object.entries(parts)) {
      const share = part("i", name, "");
      share.style.width = `${100 * count / games}%`;
      bar.append(share);
    }
    at("wdl").replaceChildren(title, ...words, bar);
  }

  const toGo = left => `${counted(left, "game")} to go`;
  const unfinished = () => (state?.run?.state === "unfinished" ? state.run : null);
  const isGoing = () => Boolean(state?.training.going && state.training.here);
  const isElsewhere = () => Boolean(unfinished() && !state.training.here && performance.now() - grown < ELSEWHERE);

  function over({ run_id, state: ended, games_played, games_wanted, seed, why }) {
    return ended === "finished" ? `Run ${run_id} is over: ${counted(games_played, "game")} (seed ${seed}).`
      : `Run ${run_id} ended after ${number(games_played)} of ${counted(games_wanted, "game")}${why ? `: ${why}` : ""}.`;
  }

  function showButtons() {
    const run = unfinished();
    const going = isGoing() || isElsewhere();
    if (form) {
      at("go").disabled = going || shown !== null;
      at("one-game").disabled = going || shown !== null;
      at("pause").hidden = !isGoing() && shown === null;
      at("resume").hidden = going || shown !== null || !(run || resting);
      at("one-block").hidden = !run || at("resume").hidden;
      at("end").hidden = isElsewhere() || shown !== null || !(run || resting);
    }
    if (problem || silence) say(problem || silence);
    else if (state.training.error) say(`${upper(state.training.error)}.`);
    else if (resting?.run === null) say(`It rests: ${toGo(resting.left)}.`);
    else if (run) {
      const goes = isElsewhere() ? "goes on in another program" : going ? "goes on" : "rests";
      say(`Run ${run.run_id} ${goes}: ${number(run.games_played)} of ${counted(run.games_wanted, "game")}.`, `${run.run_id} ${goes} ${mark(run.games_played)}`);
    } else if (state.run && shown === null) say(over(state.run));
  }

  function showSilence(message) {
    const text = message && `${upper(message)}.`;
    if (text === silence) return;
    say(silence = text);
  }

  // What is asked.

  const opponent = () => {
    const fields = form.elements;
    return fields.against.value.startsWith("imperfect:") ? `imperfect:${fields.p.value}` : fields.against.value;
  };
  const ordered = games => ({ against: opponent(), games, ...(form.elements.seed.value.trim() && { seed: form.elements.seed.value.trim() }) });

  async function ask(what, body) {
    problem = silence = "";
    try {
      return await source.train(what, body);
    } catch (error) {
      shown = null;
      if (error.status) say(problem = `${upper(error.message)}.`);
      else showSilence(error.message); // until it answers again
      if (state) showButtons();
      return null;
    }
  }

  async function oneGame(going) {
    const against = going.against;
    const game = await ask("/game", { against });
    if (!game) return false;
    at("demo").hidden = false;
    at("demo-changes").innerHTML = "";
    if (going.pace === "move") {
      for (const ply of game.plies) {
        if (going.stopped) break;
        at("demo-board").innerHTML = menace.buttons(ply, [], "The board");
        if (ply.saw) at("demo-box").innerHTML = openBox(ply.saw);
        const rival = state.plays === "X" ? game.run.o_player : game.run.x_player;
        at("demo-status").textContent = `${opening("plays", { name: ply.saw ? player : rival, move: ply.name })}.`;
        await rest(PACE);
      }
    } else {
      at("demo-box").replaceChildren();
    }
    at("demo-board").innerHTML = menace.buttons(game, [], "The board");
    at("demo-status").textContent = `${game.said}.`;
    at("demo-changes").innerHTML = game.changes.map(changedBox).join("");
    return true;
  }

  /** Go through games or blocks one by one, until they are played, or somebody pauses. */
  async function oneByOne(wanted) {
    const mine = { ...wanted, stopped: false };
    shown = mine;
    resting = null;
    if (mine.pace === "block" && mine.run === null) {
      const run = await ask("", { ...ordered(mine.left), paused: true });
      if (!run) return;
      mine.run = run.run_id;
    }
    while (mine.left > 0 && !mine.stopped && shown === mine) {
      if (mine.pace === "block") {
        const run = await ask("/step", { run_id: mine.run });
        if (!run) break;
        mine.left = run.state !== "unfinished" ? 0 : run.games_wanted - run.games_played;
      } else {
        say(`${upper(toGo(mine.left))}.`);
        if (!await oneGame(mine)) break;
        mine.left -= 1;
      }
      if (mine.left && !mine.stopped) await rest(PACE);
    }
    if (shown === mine) shown = null;
    if (mine.left && (mine.stopped || silence)) resting = mine;
    showButtons();
  }

  if (form) {
    const showMistakes = () => { at("mistakes").hidden = !form.elements.against.value.startsWith("imperfect:"); };
    form.elements.against.addEventListener("change", showMistakes);
    showMistakes();
    form.addEventListener("submit", event => {
      event.preventDefault();
      const games = Number(form.elements.games.value);
      const pace = form.elements.pace.value;
      resting = null;
      if (pace === "fast") ask("", ordered(games));
      else oneByOne({ against: opponent(), left: games, pace, run: null });
    });
    at("one-game").addEventListener("click", async () => {
      shown = { against: opponent(), pace: form.elements.pace.value, stopped: false };
      showButtons();
      await oneGame(shown);
      shown = null;
      showButtons();
    });
    at("pause").addEventListener("click", () => {
      if (shown) shown.stopped = true;
      if (isGoing()) ask("/pause", {});
      at("pause").hidden = true;
    });
    at("resume").addEventListener("click", () => {
      if (resting) oneByOne(resting);
      else ask("/resume", { run_id: unfinished()?.run_id });
    });
    at("one-block").addEventListener("click", () => ask("/step", { run_id: unfinished()?.run_id }));
    at("end").addEventListener("click", () => {
      const run = unfinished();
      resting = null;
      if (run) ask("/stop", { run_id: run.run_id });
      else showButtons();
    });
  }
  document.addEventListener("visibilitychange", () => { if (!document.hidden) recent = []; }); // what was missed is not summed up
  source.watch(show, showSilence);
})(globalThis.menace ??= {});
