// The page Play: the server holds the game, this script shows it step by step and sends moves.
import { at, get, post } from "./asking.js";
import { isForPage } from "./keys.js";

const { Hands, changedBox, listMoves, openBox, opening, paragraph, showScore, phrase, twice, upper, worthSwitch } = menace;
const AGAIN = 2000; // milliseconds until a server that did not answer is asked again
const play = at("play");
menace.clauses = JSON.parse(at("telling").dataset.clauses);
if (play) {
  const here = play.dataset.here;
  const given = JSON.parse(play.dataset.given);
  const form = at("sit");
  let scene = null; // the state of the session
  let waiting = []; // steps of the machine's turn that are not shown yet: draw, move, reward
  let busy = false;
  const guesses = { right: 0, all: 0 };

  const sessionAddress = token => `${here}/sitting.json?token=${encodeURIComponent(token)}`;
  const wants = name => form.elements[name]?.checked ?? false;
  const say = text => { at("status").textContent = text; };
  const chosen = move => send("move", { move: move.name });
  const hands = new Hands(at("board"), { chosen, asks: text => { if (!waiting.length && scene?.outcome === null) say(text); } });
  const setWorth = worthSwitch(play, hands);

  // What is shown.

  function draw() {
    const next = waiting[0];
    play.classList.toggle("undrawn", next === "draw" || next === "guess");
    const you = scene.name ?? phrase("you");
    const old = next === "draw" || next === "guess" || next === "move";
    if (old && scene.drawn) hands.show({ ...scene, ...scene.plies.findLast(ply => ply.by_machine) }, [], "The board before its move");
    else hands.show({ ...scene, before: scene.plies.at(-1)?.pieces }, scene.moves, "The board");
    const unseen = play.dataset.plays ? "not_moved" : "no_boxes";
    at("box").innerHTML = scene.saw ? openBox(scene.saw) : paragraph(unseen, { name: scene.player });
    if (next === "guess") offerGuesses();
    listMoves("cells" in play.dataset || waiting.length ? [] : scene.moves, chosen);
    const over = scene.outcome !== null && !waiting.length;
    at("moves").replaceChildren(...scene.plies.slice(0, scene.plies.length - (old ? 1 : 0)).map(ply =>
      Object.assign(document.createElement("li"), { textContent: `${ply.by_machine ? scene.player : you}: ${ply.name}` })));
    at("learned").hidden = !over || !scene.changes.length;
    at("changes").innerHTML = over ? scene.changes.map(changedBox).join("") : "";
    if (over || scene.outcome === null) showScore(you, scene.player, scene.score);
    at("step").hidden = !waiting.length || next === "guess";
    at("undo").disabled = scene.recorded !== null || !scene.plies.some(ply => !ply.by_machine);
    at("resign").disabled = scene.outcome !== null || !scene.plies.length;
    at("record").hidden = scene.outcome === null || scene.recorded !== null;
    const boards = [...scene.plies.map(ply => ply.board), scene.board];
    if (old) boards.pop(); // the move is not shown yet
    const about = play.dataset.plays ? { learner: scene.player } : {};
    at("explore").href = `${play.dataset.explore}/${encodeURIComponent(boards.at(-1))}?${new URLSearchParams({ ...about, line: boards.join(",") })}`;
    say(words(next));
    at("step").firstChild.textContent = { draw: "Draw ", move: "Move ", reward: "Reward " }[next] ?? "Go on ";
  }

  function words(next) {
    const parts = { name: scene.player, move: scene.drawn?.name };
    if (next === "guess") return opening("which_bead", { opens: opening("opens", parts) });
    if (next === "draw") return `${opening("opens", parts)}.`;
    if (next === "move") {
      return `${scene.drawn.restocked ? `${opening("restocked")}. ` : ""}${opening(scene.drawn.explored ? "explores" : "takes", parts)}.`;
    }
    if (next === "reward") return `${opening("game_over")}.`;
    return (scene.outcome === null && scene.plies.at(-1)?.by_machine ? `${opening("plays", parts)}. ` : "") + scene.said;
  }

  function offerGuesses() {
    [...at("box").querySelectorAll("tr[data-row]")].forEach((row, number) => {
      const name = row.querySelector(".name");
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: `${number + 1}: ${name.textContent}` });
      button.addEventListener("click", () => guess(number));
      name.replaceWith(button);
    });
  }

  function guess(row) {
    if (waiting[0] !== "guess" || row >= at("box").querySelectorAll("tr[data-row]").length) return;
    guesses.all += 1;
    guesses.right += Number(row === scene.drawn.row);
    at("guessed").hidden = false;
    at("guessed").textContent = `${opening(row === scene.drawn.row ? "guessed_right" : "guessed_wrong", { move: scene.drawn.name, ...guesses })}.`;
    waiting.shift();
    if (waiting[0] === "draw") waiting.shift();
    if (!wants("step")) waiting = [];
    draw();
  }

  function goOn() {
    if (!waiting.length || waiting[0] === "guess") return;
    waiting.shift();
    draw();
  }

  function arrive(state, before) {
    scene = state;
    sessionStorage.setItem(here, scene.token);
    const fresh = scene.drawn && scene.plies.length > before && scene.plies.at(-1)?.by_machine;
    waiting = [];
    if (fresh && wants("guess") && scene.drawn.row !== null) waiting.push("guess");
    if (wants("step") || waiting.length) {
      if (fresh) waiting.push("draw", "move");
      if (scene.outcome !== null && scene.plies.length >= before) waiting.push("reward");
    }
    draw();
    setLink();
  }

  // What is sent.

  async function ask(request, before) {
    if (busy) return;
    busy = true;
    let lost = null;
    const token = scene?.token;
    play.setAttribute("aria-busy", "true");
    try {
      arrive(await request(), before);
    } catch (error) {
      say(`${upper(error.message)}.`);
      if (error.status === 410) lost = error;
      if (error.status === 0) setTimeout(again, AGAIN);
    } finally {
      busy = false;
      play.removeAttribute("aria-busy");
    }
    if (lost) {
      await begin();
      if (scene.token !== token) say(`${lost.message}. A new one has begun.`);
    }
  }

  /** Ask a server that did not answer for the state of the game again. */
  const again = () => (scene ? ask(() => get(sessionAddress(scene.token)), Infinity) : begin());

  const send = (what, body = {}) => {
    if (!scene || waiting.length) return undefined;
    const before = what === "undo" ? Infinity : what === "next" ? 0 : scene.plies.length;
    return ask(() => post(`${here}/${what}`, { token: scene.token, ...body }), before);
  };

  function order() {
    const fields = form.elements;
    const options = { name: fields.name.value.trim(), seed: fields.seed.value.trim() };
    if (fields.as) options.as = fields.as.value;
    if (fields.greedy) Object.assign(options, { greedy: fields.greedy.checked, learning: fields.learning.checked });
    return options;
  }

  const begin = () => {
    waiting = [];
    Object.assign(guesses, { right: 0, all: 0 });
    return ask(() => post(`${here}/begin`, order()), 0);
  };

  function setLink() {
    const state = new URLSearchParams({ seed: scene.seed });
    if (form.elements.as) state.set("as", scene.person);
    if (scene.name) state.set("name", scene.name);
    for (const name of ["greedy", "step", "guess"]) if (wants(name)) state.set(name, "1");
    if (form.elements.learning && !wants("learning")) state.set("learning", "0");
    const hides = [...form.querySelectorAll("[name=hide]:checked")].map(box => box.value);
    if (hides.length) state.set("hide", hides.join(","));
    at("link").href = `${here}?${state}`;
  }

  const surely = twice(() => say(`${opening("resign")}.`), () => send("resign"));
  const resign = () => { if (!at("resign").disabled && !at("resign").hidden && !waiting.length) surely(); };

  const keys = {
    u: () => { if (!at("undo").disabled && !at("undo").hidden) send("undo"); },
    n: () => { if (waiting.length) { waiting = []; draw(); } send("next"); },
    r: resign,
    s: goOn,
    m: () => at("typed").elements.move.focus(),
  };

  addEventListener("keydown", event => {
    if (!isForPage(event)) return;
    if (event.key === "h") {
      if (!event.repeat && !at("worth").hidden) setWorth(true);
    } else if (/^[0-9]$/.test(event.key)) {
      if (waiting[0] === "guess") guess(Number(event.key) - 1);
      else if ("cells" in play.dataset && scene?.moves.some(move => move.name === event.key)) send("move", { move: event.key });
    } else if (event.key in keys && !event.repeat) {
      event.preventDefault();
      keys[event.key]();
    }
  });
  at("undo").addEventListener("click", keys.u);
  at("next").addEventListener("click", keys.n);
  at("resign").addEventListener("click", resign);
  at("record").addEventListener("click", () => send("finish"));
  at("step").addEventListener("click", goOn);
  at("typed").addEventListener("submit", event => {
    event.preventDefault();
    const field = event.target.elements.move;
    if (field.value.trim()) send("move", { move: field.value });
    field.value = "";
  });
  form.addEventListener("submit", event => { event.preventDefault(); begin(); });
  form.addEventListener("change", () => { if (scene) setLink(); });

  // Continue the session of this tab, if it still exists; a link with parameters begins a new one.
  const kept = sessionStorage.getItem(here);
  const asked = Object.values(given).some(Boolean);
  if (kept && !asked) {
    get(sessionAddress(kept))
      .then(state => arrive(state, Infinity))
      .catch(async error => {
        await begin();
        if (error.status === 410) say(`The sitting of before is gone. ${at("status").textContent}`);
      });
  } else {
    begin();
  }
}
