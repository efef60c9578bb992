// A person at the board: the server has the game, this page shows it piece by piece and sends moves.
import { at, counted, get, post } from "./asking.js";
import { go, rove } from "./board.js";
import { isForPage } from "./keys.js";

const AGAIN = 2000; // milliseconds until a server that did not answer is asked again
const play = at("play");
if (play) {
  const here = play.dataset.here;
  const given = JSON.parse(play.dataset.given);
  const form = at("sit");
  let scene = null; // how the sitting stands
  let waiting = []; // steps of the machine's turn that are not shown yet: draw, move, reward
  let selected = null; // the cell that an arrow is to leave
  let busy = false;
  let sure = false; // the first of two presses that resign a game
  const guesses = { right: 0, all: 0 };

  const sitting = token => `${here}/sitting.json?token=${encodeURIComponent(token)}`;
  const wants = name => form.elements[name]?.checked ?? false;
  const say = text => { at("status").textContent = text; };
  const buttons = () => [...at("board").querySelectorAll("button")];

  // What is shown.

  function setBoard(html) {
    const focused = document.activeElement?.dataset?.cell;
    const inside = at("board").contains(document.activeElement);
    at("board").innerHTML = html;
    for (const button of buttons()) button.dataset.label = button.getAttribute("aria-label");
    const back = buttons().find(button => button.dataset.cell === focused);
    if (inside && back) { back.focus(); rove(back.closest("[data-board]")); }
    showWorth();
  }

  function showWorth() {
    const shown = play.classList.contains("shows-worth") && !waiting.length;
    for (const button of buttons()) {
      const worth = shown && button.dataset.worth ? `, ${button.dataset.worth}` : "";
      const end = button.classList.contains("target") ? ", the selected piece can move here" : "";
      button.setAttribute("aria-label", button.dataset.label + worth + end);
    }
    at("worth").setAttribute("aria-pressed", String(play.classList.contains("shows-worth")));
  }

  function setWorth(shown) {
    play.classList.toggle("shows-worth", shown);
    showWorth();
  }

  function showMoves() {
    const list = at("list");
    list.replaceChildren();
    if ("cells" in play.dataset || waiting.length) return;
    for (const move of scene.moves) {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: move.name });
      const worth = Object.assign(document.createElement("span"), { className: `worth ${move.verdict}`, textContent: ` ${move.verdict}` });
      button.append(worth);
      button.addEventListener("click", () => send("move", { move: move.name }));
      list.append(button);
    }
  }

  function draw() {
    const next = waiting[0];
    selected = null;
    play.classList.toggle("undrawn", next === "draw" || next === "guess");
    const old = next === "draw" || next === "guess" || next === "move";
    setBoard(old && scene.html.before ? scene.html.before : scene.html.board);
    at("box").innerHTML = scene.html.box;
    if (next === "guess") offerGuesses();
    showMoves();
    const over = scene.outcome !== null && !waiting.length;
    at("moves").replaceChildren(...scene.plies.slice(0, scene.plies.length - (old ? 1 : 0)).map(ply =>
      Object.assign(document.createElement("li"), { textContent: `${ply.by_machine ? scene.player : scene.name ?? "you"}: ${ply.name}` })));
    at("learned").hidden = !over || !scene.html.changes;
    at("changes").innerHTML = over ? scene.html.changes : "";
    if (over || scene.outcome === null) {
      const { person, machine, draws } = scene.score;
      const drawn = draws === null ? "" : `, ${counted(draws, "draw")}`;
      at("score").textContent = `${scene.name ?? "you"} ${person}, ${scene.player} ${machine}${drawn}`;
      at("figure").innerHTML = scene.html.score;
    }
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
    if (next === "guess") return `${scene.player} opens its box. Which bead will it draw?`;
    if (next === "draw") return `${scene.player} opens its box.`;
    if (next === "move") {
      const put = scene.drawn.restocked ? "Its box was empty, and its first beads have been put back. " : "";
      return `${put}${scene.player} ${scene.drawn.explored ? "explores" : "takes"} ${scene.drawn.name}.`;
    }
    if (next === "reward") return "The game is over.";
    const last = scene.drawn && scene.plies.at(-1)?.by_machine ? `${scene.player} plays ${scene.drawn.name}. ` : "";
    return (scene.outcome === null ? last : "") + scene.said;
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
    at("guessed").textContent = `${row === scene.drawn.row ? "Right" : "No"}: it drew ${scene.drawn.name}. Guessed ${guesses.right} of ${guesses.all}.`;
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

  function arrive(found, before) {
    scene = found;
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
      say(`${error.message[0].toUpperCase()}${error.message.slice(1)}.`);
      if (error.status === 410) lost = error;
      if (error.status === 0) setTimeout(again, AGAIN);
    } finally {
      busy = false;
      play.removeAttribute("aria-busy");
    }
    if (lost) {
      await sitDown();
      if (scene.token !== token) say(`${lost.message}. A new one has begun.`);
    }
  }

  /** Ask a server that did not answer how the game stands there; its words go as soon as it does. */
  const again = () => (scene ? ask(() => get(sitting(scene.token)), Infinity) : sitDown());

  const send = (what, body = {}) => {
    if (!scene || waiting.length) return undefined;
    const before = what === "undo" ? Infinity : what === "next" ? 0 : scene.plies.length;
    return ask(() => post(`${here}/${what}`, { token: scene.token, ...body }), before);
  };

  function order() {
    const fields = form.elements;
    const found = { name: fields.name.value.trim(), seed: fields.seed.value.trim() };
    if (fields.as) found.as = fields.as.value;
    if (fields.greedy) Object.assign(found, { greedy: fields.greedy.checked, learning: fields.learning.checked });
    return found;
  }

  const sitDown = () => {
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
    const hides = [...form.querySelectorAll("[name=hide]:checked")].map(one => one.value);
    if (hides.length) state.set("hide", hides.join(","));
    at("link").href = `${here}?${state}`;
  }

  // Hands on the board.

  const isEnd = (move, cell) => (move.arrow ? move.arrow[1] === cell : false);
  const begins = (move, cell) => (move.arrow ? move.arrow[0] === cell : move.cells[0] === cell);

  function choose(cell) {
    if (!scene || waiting.length || scene.outcome !== null) return;
    const ends = scene.moves.filter(move => isEnd(move, cell) && (selected === null || move.arrow[0] === selected));
    const from = scene.moves.filter(move => begins(move, cell));
    if (selected !== null && ends.length === 1) return void send("move", { move: ends[0].name });
    if (from.length && from[0].arrow) {
      selected = cell;
      for (const button of buttons()) {
        const number = Number(button.dataset.cell);
        button.classList.toggle("selected", number === cell);
        button.classList.toggle("target", from.some(move => move.arrow[1] === number));
      }
      showWorth();
      say(`Where to? ${from.map(move => move.name).join(", ")}.`);
    } else if (from.length === 1) {
      send("move", { move: from[0].name });
    } else if (ends.length === 1) {
      send("move", { move: ends[0].name });
    } else if (from.length) {
      say(`Which one: ${from.map(move => move.name).join(", ")}? Take it from the list below the board.`);
    } else {
      say("There is no move there.");
    }
  }

  at("board").addEventListener("click", event => {
    const button = event.target.closest("button");
    if (!button) return;
    button.focus();
    rove(button.closest("[data-board]"));
    choose(Number(button.dataset.cell));
  });

  at("board").addEventListener("keydown", event => go(event.target.closest("[data-board]"), event));

  function resign() {
    if (at("resign").disabled || at("resign").hidden || waiting.length) return;
    if (!sure) {
      sure = true;
      say("Resign? Press it again to say yes.");
      setTimeout(() => { sure = false; }, 4000);
      return;
    }
    sure = false;
    send("resign");
  }

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
  addEventListener("keyup", event => { if (event.key === "h") setWorth(false); });
  addEventListener("blur", () => setWorth(false));

  at("worth").addEventListener("click", () => setWorth(!play.classList.contains("shows-worth")));
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
  form.addEventListener("submit", event => { event.preventDefault(); sitDown(); });
  form.addEventListener("change", () => { if (scene) setLink(); });

  // The sitting that this tab had, if it is still there; a link that says how to play begins anew.
  const kept = sessionStorage.getItem(here);
  const asked = Object.values(given).some(Boolean);
  if (kept && !asked) {
    get(sitting(kept))
      .then(found => arrive(found, Infinity))
      .catch(async error => {
        await sitDown();
        if (error.status === 410) say(`The sitting of before is gone. ${at("status").textContent}`);
      });
  } else {
    sitDown();
  }
}
