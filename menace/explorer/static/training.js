// Training on the page Play: on the server at full speed, or game by game at a pace that can be watched.
import { at, get, post } from "./asking.js";
const { PERCENT, changedBox, counted, curves, escaped, openBox, opening, percent, smallBoxes, smallEach, thousands: number, phrase, upper } = menace;

const POLL = 500; // milliseconds between two questions while something changes
const IDLE_MOST = 30_000; // likewise, where nothing has changed for long
const SILENT_MOST = 4000; // likewise, while the server does not answer
const GRACE = 200; // for which a tab that heard from another leaves the next poll to it
const LIT = 1200; // that a change in a box is lit
const PACE = 1000; // between moves, games or blocks that are shown one by one
const RECENT = 40; // blocks that the bar sums up

const section = at("training");
const here = section.dataset.here;
const player = section.dataset.player;
const opponents = JSON.parse(section.dataset.opponents); // against which strength is measured, each with its label
const form = at("train"); // missing if the database is read-only
let after = null; // the block that was seen last
let state = null; // the answer before
let boxes = []; // those that it opens first
let recent = [];
let problem = ""; // the error of the last action
let silence = ""; // the message while the server does not answer
let wait = POLL; // until the next poll
let timer; // of the next poll
let looking = false;
let fades; // the timer of what is lit
const tabs = new BroadcastChannel(`progress of ${here}`); // that show this machine: one polls, and sends the others its answer
let shown = null; // games or blocks that this page goes through one by one: { left, pace, run, stopped }
let resting = null; // the same, after Pause

const rest = milliseconds => new Promise(done => { setTimeout(done, milliseconds); });
const say = text => { if (at("trained").textContent !== text) at("trained").textContent = text; };

// What is shown.

function show(progress) {
  const before = state;
  state = progress;
  after = progress.block;
  if (progress.blocks.length) {
    recent = [...recent, ...progress.blocks].slice(-RECENT);
    showOutcomes();
  }
  boxes = progress.boxes ?? boxes;
  if (progress.contents) {
    filled(boxes, progress.contents);
    at("games").textContent = counted(progress.games, "game");
    showStrength(progress.strength);
    const each = smallEach(boxes);
    at("each").textContent = each > 1 ? `${opening("beads_each", { each: number(each) })}.` : "";
    showBoxes(smallBoxes(boxes, each), before === null);
  }
  showButtons();
}

/** Put into boxes what they have now. */
function filled(kept, contents) {
  contents.forEach(({ amounts, shares }, place) =>
    kept[place].moves.forEach((move, row) => Object.assign(move, { amount: amounts[row], share: shares[row] })));
}

function showStrength(strength) {
  const last = strength.at(-1) ?? { losses: {} };
  const losses = Object.entries(last.losses).map(([who, loss]) => `${percent(loss)} ${new Map(opponents).get(who)}`).join(", ");
  const lines = opponents.map(([who, words]) =>
    [words, strength.filter(point => who in point.losses).map(point => [point.games, 100 * point.losses[who]])]);
  at("curve").innerHTML = curves(lines, { ...PERCENT, label: opening("loses", { name: player, losses }) });
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
const over = run => (run.state !== "finished"
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
    at("resume").hidden = going || shown !== null || !(run || resting);
    at("one-block").hidden = !run || at("resume").hidden;
    at("end").hidden = shown !== null || !(run || resting);
  }
  if (problem || silence) say(problem || silence);
  else if (state.training.error) say(`${upper(state.training.error)}.`);
  else if (resting?.run === null) say(`It rests: ${toGo(resting.left)}.`);
  else if (run) say(`Run ${run.run_id} ${going ? "goes on" : "rests"}: ${number(run.games_played)} of ${counted(run.games_wanted, "game")}.`);
  else if (state.run && shown === null) say(over(state.run));
}

// What is asked.

/** Poll the progress of the machine; the longer nothing changes, the longer the interval. */
async function look() {
  const before = state;
  try {
    do {
      const since = after;
      const progress = await get(`${here}/progress.json${since === null ? "" : `?after=${since}`}`);
      if (silence) say(silence = "");
      if (since !== null) tabs.postMessage({ since, progress });
      take(since, progress);
    } while (state.more);
    wait = hasChanged(before) ? POLL : Math.min(2 * wait, IDLE_MOST);
  } catch (error) {
    wait = error.status === 503 ? POLL : Math.min(2 * wait, SILENT_MOST);
    if (error.status !== 503) say(silence = `${upper(error.message)}.`); // 503: a trainer commits; we ask again soon
  }
}

const hasChanged = before => before === null || before.block !== state.block || before.games !== state.games
  || JSON.stringify([before.run, before.training]) !== JSON.stringify([state.run, state.training]);

/** Show an answer to a poll from block `since`, if it continues what is shown. */
function take(since, progress) {
  if (after !== null && (since === null || since > after || progress.block < after)) return false;
  show({ ...progress, blocks: progress.blocks.filter(({ block }) => after === null || block > after) });
  return true;
}

tabs.addEventListener("message", ({ data: { since, progress } }) => {
  const before = state;
  if (document.hidden || after === null || !take(since, progress)) return;
  if (hasChanged(before)) wait = POLL;
  askIn(wait + GRACE);
});

function askIn(milliseconds) {
  clearTimeout(timer);
  timer = setTimeout(tick, milliseconds);
}

async function tick() {
  if (document.hidden || looking) return; // the next event, or the poll under way, polls again
  looking = true;
  await look();
  looking = false;
  askIn(wait);
}

/** Poll again soon: the user is active. */
function wake() {
  if (wait > POLL) askIn(0);
  wait = POLL;
}

for (const act of ["pointerdown", "keydown", "focus"]) addEventListener(act, wake);
document.addEventListener("visibilitychange", () => {
  clearTimeout(timer);
  if (document.hidden) return;
  // What was missed is not gone through block by block: it may have been a night.
  after = null;
  recent = [];
  showOutcomes();
  wait = POLL;
  tick();
});

const opponent = () => {
  const fields = form.elements;
  return fields.against.value.startsWith("imperfect:") ? `imperfect:${fields.p.value}` : fields.against.value;
};

async function ask(what, body) {
  problem = silence = "";
  wait = POLL;
  try {
    const reply = await post(`${here}/train${what}`, body);
    await look();
    askIn(wait);
    return reply;
  } catch (error) {
    shown = null;
    if (error.status) say(problem = `${upper(error.message)}.`);
    else say(silence = `${upper(error.message)}.`); // until it answers again
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
      at("demo-status").textContent = `${opening("plays", { name: ply.saw ? player : against, move: ply.name })}.`;
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
    const run = await ask("", { against: opponent(), games: mine.left, paused: true });
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
    if (pace === "fast") ask("", { against: opponent(), games });
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
tick();
