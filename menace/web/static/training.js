// A machine that trains while the page looks on: as fast as it goes on the server, or game by game at the eye's pace.
import { at, counted, get, post } from "./asking.js";

const POLL = 500; // milliseconds
const GRACE = 200; // that who has heard from another tab leaves it to ask again
const LIT = 1200; // that a change in a box is lit
const PACE = 1000; // between moves, games or blocks that are shown one by one
const RECENT = 40; // blocks that the bar sums up

const section = at("training");
const here = section.dataset.here;
const player = section.dataset.player;
const form = at("train"); // not there where nothing may be written
let after = null; // the block that was seen last
let state = null; // the answer before
let recent = [];
let problem = ""; // what went wrong with what was asked last
let next = 0; // when we ask again
let fades; // the timer of what is lit
const drawn = {}; // what each part of the page was drawn from
const tabs = new BroadcastChannel(`progress of ${here}`); // that look at this machine: one asks, and tells the others
let shown = null; // games or blocks that this page goes through one by one: { left, stopped }

const rest = milliseconds => new Promise(done => { setTimeout(done, milliseconds); });
const say = text => { if (at("trained").textContent !== text) at("trained").textContent = text; };
const number = value => value.toLocaleString("en");
const upper = text => text[0].toUpperCase() + text.slice(1);

// What is shown.

function show(found) {
  const before = state;
  state = found;
  after = found.block;
  if (found.html) {
    recent = [...recent, ...found.blocks].slice(-RECENT);
    at("games").textContent = counted(found.games, "game");
    draw("curve", found.html.curve);
    at("curve-words").textContent = found.html.legend;
    draw("curve-table", found.html.table);
    showBoxes(found.html.boxes, before === null);
    showOutcomes();
  }
  showButtons();
}

/** Draw a part of the page from HTML, and say whether that was new. */
function draw(id, html) {
  if (drawn[id] === html) return false;
  at(id).innerHTML = drawn[id] = html;
  return true;
}

function showBoxes(html, first) {
  const old = [...at("boxes").querySelectorAll("td")].map(cell => cell.textContent);
  if (!draw("boxes", html) || first) return;
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
  const title = Object.assign(document.createElement("b"), { textContent: games === 1 ? "The last game" : `The last ${counted(games, "game")}` });
  at("wdl").replaceChildren(title, ...Object.entries(parts).map(([name, count]) => {
    const part = Object.assign(document.createElement("span"), { className: name, textContent: `${name} ${number(count)} (${(100 * count / games).toFixed(1)}%)` });
    part.style.setProperty("--s", count / games);
    return part;
  }));
}

const unfinished = () => (state?.run?.state === "unfinished" ? state.run : null);
const over = run => (run.state === "ended"
  ? `Run ${run.run_id} ended after ${number(run.games_played)} of ${counted(run.games_wanted, "game")}${run.why ? `: ${run.why}` : ""}.`
  : `Run ${run.run_id} is over: ${counted(run.games_played, "game")}.`);
const isGoing = () => Boolean(state?.training.going && state.training.here);

function showButtons() {
  const run = unfinished();
  const going = isGoing();
  if (form) {
    at("go").disabled = going || shown !== null;
    at("one-game").disabled = going || shown !== null;
    at("pause").hidden = !going && shown === null;
    at("resume").hidden = !run || going || shown !== null;
    at("one-block").hidden = at("resume").hidden;
    at("end").hidden = !run || shown !== null;
  }
  if (problem) say(problem);
  else if (state.training.error) say(`${upper(state.training.error)}.`);
  else if (run) say(`Run ${run.run_id} ${going ? "goes on" : "rests"}: ${number(run.games_played)} of ${counted(run.games_wanted, "game")}.`);
  else if (state.run && shown === null) say(over(state.run));
}

// What is asked.

async function look() {
  try {
    do {
      const since = after;
      const found = await get(`${here}/progress.json${since === null ? "" : `?after=${since}`}`);
      if (since !== null) tabs.postMessage({ since, found });
      take(since, found);
    } while (state.more);
  } catch (error) {
    if (error.status !== 503) say(`${upper(error.message)}.`); // 503: a trainer commits; we ask again soon
  }
  next = performance.now() + POLL;
}

/** Show an answer to who had seen the blocks up to `since`, if it goes on from what we have. */
function take(since, found) {
  if (after !== null && (since === null || since > after || found.block < after)) return false;
  show({ ...found, blocks: found.blocks.filter(({ block }) => after === null || block > after) });
  return true;
}

tabs.addEventListener("message", ({ data: { since, found } }) => {
  if (document.visibilityState !== "visible" || after === null || !take(since, found)) return;
  next = performance.now() + POLL + GRACE;
});

async function poll() {
  for (;;) {
    const left = next - performance.now();
    if (left > 0) await rest(left);
    else if (document.visibilityState === "visible") await look();
    else await rest(POLL);
  }
}

const opponent = () => {
  const fields = form.elements;
  return fields.against.value.startsWith("imperfect:") ? `imperfect:${fields.p.value}` : fields.against.value;
};

async function ask(what, body) {
  problem = "";
  try {
    const found = await post(`${here}/train${what}`, body);
    await look();
    return found;
  } catch (error) {
    shown = null;
    problem = `${upper(error.message)}.`;
    say(problem);
    if (state) showButtons();
    return null;
  }
}

async function oneGame(moveByMove) {
  const going = shown;
  const game = await ask("/game", { against: opponent() });
  if (!game) return false;
  at("demo").hidden = false;
  at("demo-changes").innerHTML = "";
  if (moveByMove) {
    for (const ply of game.plies) {
      if (going?.stopped) break;
      at("demo-board").innerHTML = ply.html.board;
      if (ply.html.box) at("demo-box").innerHTML = ply.html.box;
      at("demo-status").textContent = `${ply.html.box ? player : opponent()} plays ${ply.name}.`;
      await rest(PACE);
    }
  } else {
    at("demo-box").replaceChildren();
  }
  at("demo-board").innerHTML = game.html.board;
  at("demo-status").textContent = `${game.said}.`;
  at("demo-changes").innerHTML = game.html.changes;
  return true;
}

async function oneByOne(games, pace) {
  const mine = { stopped: false };
  shown = mine;
  let run = null;
  if (pace === "block") {
    run = await ask("", { against: opponent(), games, paused: true });
    if (!run) return;
  }
  for (let left = games; left > 0 && !mine.stopped && shown === mine; left -= 1) {
    if (pace === "block") {
      const found = await ask("/step", { run_id: run.run_id });
      if (!found || found.finished) break;
    } else {
      say(`${counted(left, "game")} to go.`);
      if (!await oneGame(pace === "move")) break;
    }
    await rest(PACE);
  }
  if (shown === mine) shown = null;
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
    if (pace === "fast") ask("", { against: opponent(), games });
    else oneByOne(games, pace);
  });
  at("one-game").addEventListener("click", async () => {
    shown = { stopped: false };
    showButtons();
    await oneGame(form.elements.pace.value === "move");
    shown = null;
    showButtons();
  });
  at("pause").addEventListener("click", () => {
    if (shown) shown.stopped = true;
    if (isGoing()) ask("/pause", {});
    at("pause").hidden = true;
  });
  at("resume").addEventListener("click", () => ask("/resume", { run_id: unfinished()?.run_id }));
  at("one-block").addEventListener("click", () => ask("/step", { run_id: unfinished()?.run_id }));
  at("end").addEventListener("click", () => ask("/stop", { run_id: unfinished()?.run_id }));
}
poll();
