// Show a session on the Play page step by step, and send moves to `menace.source`, which is either a server or a learner in this browser.
"use strict";
(menace => {
  const { BoardInput, called, changedBoxes, createValueSwitch, isForPage, listMoves, onSecondCall, openBox, opening, paragraph, phrase, showScore, source, upper } = menace;
  const RETRY_DELAY = 2000; // milliseconds until a request that the source did not answer is repeated
  const STEPS = { draw: "step_draw", move: "step_move", reward: "step_reward" }; // for each step, the clause on the button that shows it
  const at = id => document.getElementById(id);
  const play = at("play");
  if (!play) return;
  const form = at("sit");
  const [title, changedTitle] = ["box-title", "means"].map(id => at(id).textContent);
  let scene = null; // the state of the session
  let shown = 0; // the number of plies that the person has already seen, which are not shown step by step again
  let waiting = []; // the steps of the machine's turn (draw, move, reward) that have not been shown yet
  let busy = false;
  let opened = []; // the boxes that the machine opened in this game, each with the number of its ply
  const guesses = { right: 0, all: 0 };

  const wants = name => form.elements[name]?.checked ?? false;
  const say = text => { at("status").textContent = text; };
  const boardInput = new BoardInput(at("board"), { onMove: playMove, onMessage: text => { if (!waiting.length && scene?.outcome === null) say(text); } });
  const setWorth = createValueSwitch(play, boardInput);

  // Showing the session.

  /** Replace the box with the changes that a game made; if there are no changes, show the box. */
  function showChanges(changes = []) {
    at("learned").hidden = !changes.length;
    at("seen").hidden = changes.length > 0;
    const [drawing, meaning, cell] = changedBoxes(changes, opened.map(({ saw }) => saw), scene);
    boardInput.mark(cell);
    at("means").innerHTML = meaning ?? changedTitle;
    at("changes").innerHTML = drawing;
  }

  function showDraw() {
    menace.showDraw(at("box"), at("board").querySelector(".last"));
  }

  function draw() {
    const next = waiting[0];
    play.classList.remove("sent");
    const you = scene.name ?? phrase("you");
    const old = next === "draw" || next === "guess" || next === "move";
    if (old && scene.drawn) boardInput.show({ ...scene, ...scene.plies.findLast(ply => ply.by_machine) }, [], opening("board_before"));
    else boardInput.show({ ...scene, before: scene.plies.at(-1)?.pieces }, scene.moves, opening("the_board"));
    const unseen = play.dataset.plays ? "not_moved" : "no_boxes";
    at("box").innerHTML = scene.saw ? openBox(next === "draw" || next === "guess" ? { ...scene.saw, drawn: null } : scene.saw) : paragraph(unseen, { name: called(scene.player) });
    at("box-title").textContent = (!next && !scene.resigned && menace.openedText(scene.saw)) || title;
    at("guesses").innerHTML = next !== "guess" ? "" : scene.saw.moves.map((move, row) => `<button type="button" data-guess="${row}">${row + 1} ${move.colour ? `<i class="dot" style="--bead:${move.colour}"></i> ` : ""}${menace.escaped(menace.placeOf(scene.saw, move))}</button>`).join("");
    listMoves("cells" in play.dataset || waiting.length ? [] : scene.moves, playMove);
    const over = scene.outcome !== null && !waiting.length;
    at("moves").replaceChildren(...scene.plies.slice(0, scene.plies.length - (old ? 1 : 0)).map(ply =>
      Object.assign(document.createElement("li"), { textContent: `${ply.by_machine ? called(scene.player) : you}: ${ply.name}` })));
    showChanges(over ? scene.changes : []);
    showOpened(old);
    if (over || scene.outcome === null) showScore(you, called(scene.player), scene.score);
    if (over || scene.outcome === null) menace.showLessons(called(scene.player), scene.lessons);
    if (over || scene.outcome === null) menace.showChallenges(scene);
    play.classList.toggle("over", over);
    play.closest(".screen").classList.toggle("unsaved", Boolean(scene.unsaved));
    at("step").hidden = !waiting.length || next === "guess";
    at("undo").disabled = scene.recorded !== null || !scene.plies.some(ply => !ply.by_machine);
    at("resign").disabled = scene.outcome !== null || !scene.plies.length;
    at("record").hidden = scene.outcome === null || scene.recorded !== null || !scene.plies.length;
    const boards = [...scene.plies.map(ply => ply.board), scene.board];
    if (old) boards.pop(); // the machine's move has not been shown yet
    at("explore").href = source.exploring(boards);
    showStatus(next);
    at("step").firstChild.textContent = `${opening(STEPS[next] ?? "go_on")} `;
  }

  /** Show the boxes opened in this game except the one that is shown open. If `old` is true, also omit the last box, whose bead has not been shown yet. */
  function showOpened(old) {
    const boxes = opened.slice(0, opened.length - 1 - Number(old)).map(({ saw }) => saw); // the latest box whose bead has been shown is drawn open
    if (!at("of-game")) return;
    at("opened").innerHTML = boxes.map(saw => `<div class="small-box">${menace.smallBox(saw, menace.smallBeadScale([saw]))}</div>`).join("");
    at("of-game").hidden = !boxes.length;
    at("of-game").style.setProperty("--boxes", boxes.length);
  }

  /** Return a move's place in words if the move is a cell of a 3x3 board; otherwise return the move's name. */
  function place(move) {
    const [, where] = scene.cells.places.find(text => text.split(",")[0] === move)?.split(", ") ?? [];
    return where ? phrase("the_place", { place: where }) : move;
  }

  function statusText(next) {
    const parts = { name: called(scene.player), move: place(scene.drawn?.name) };
    const restocked = scene.drawn?.restocked ? `${opening("restocked")}. ` : "";
    if (next === "guess") return opening("which_bead", { opens: opening("opens", parts) });
    if (next === "draw") return `${opening("opens", parts)}.`;
    if (next === "move") return `${restocked}${opening(scene.drawn.explored ? "explores" : "takes", parts)}.`;
    if (next === "reward") return `${opening("game_over")}.`;
    if (scene.outcome !== null || !scene.plies.at(-1)?.by_machine) return scene.said;
    return `${restocked}${opening(scene.drawn.explored ? "explores" : "plays", parts)}.`;
  }

  /** Show whose turn it is or how the game ended, followed by the machine's last action. */
  function showStatus(next) {
    const said = statusText(next);
    const first = next ? "" : scene.outcome === null ? scene.said : said.slice(0, said.indexOf(". ") + 1);
    const rest = said.replace(first, "");
    const headline = first && scene.outcome !== null ? menace.endText(scene, called(scene.player)) : first;
    const isSaidBeside = scene.outcome === null && !scene.drawn?.restocked && at("box-title").textContent !== title;
    at("status").replaceChildren(Object.assign(document.createElement("b"), { textContent: headline }),
      Object.assign(document.createElement("span"), { textContent: rest && ` ${rest.trim()}`, className: isSaidBeside ? "unseen" : "" }));
  }

  function guess(row) {
    if (waiting[0] !== "guess" || row >= scene.saw.moves.length) return;
    guesses.all += 1;
    guesses.right += Number(row === scene.drawn.row);
    at("guessed").hidden = false;
    at("guessed").textContent = `${opening(row === scene.drawn.row ? "guessed_right" : "guessed_wrong", { move: place(scene.drawn.name), ...guesses })}.`;
    waiting.shift();
    if (waiting[0] === "draw") waiting.shift();
    if (!wants("step")) waiting = [];
    draw();
  }

  function showNextStep() {
    if (!waiting.length || waiting[0] === "guess") return;
    waiting.shift();
    draw();
  }

  function receive(state) {
    scene = state;
    opened = opened.filter(({ game, ply }) => game === scene.game && ply < scene.plies.length);
    const ply = scene.plies.findLastIndex(({ by_machine }) => by_machine);
    if (scene.saw?.unit && ply !== opened.at(-1)?.ply) opened.push({ game: scene.game, ply, saw: scene.saw });
    const fresh = scene.drawn && scene.plies.length > shown && scene.plies.at(-1)?.by_machine;
    waiting = [];
    if (fresh && wants("guess") && scene.drawn.row !== null) waiting.push("guess");
    if (wants("step") || waiting.length) {
      if (fresh) waiting.push("draw", "move");
      if (scene.outcome !== null && scene.plies.length >= shown) waiting.push("reward");
    }
    draw();
    setLink();
    if (fresh && !waiting.length) showDraw();
  }

  // Show one of the machine's practice games instead of the person's game until `end` is called.
  menace.practice = {
    begin: () => say(`${opening("it_practises", { name: called(scene?.player ?? "") })}.`),
    show(board) {
      boardInput.show(board, [], opening("board_practice"));
      showChanges(board.changes);
      if (board.saw) {
        at("box").innerHTML = openBox(board.saw);
        showDraw();
      }
      say(board.said);
    },
    end() { if (scene) draw(); },
  };

  // Sending requests.

  async function ask(request) {
    if (busy) return;
    busy = true;
    let lost = null;
    const token = scene?.token;
    play.setAttribute("aria-busy", "true");
    try {
      receive(await request());
    } catch (error) {
      if (scene) draw(); // remove a move that was shown before the source answered
      say(`${upper(error.message)}.`);
      if (error.status === 410) lost = error;
      if (error.status === 0) setTimeout(again, RETRY_DELAY);
    } finally {
      busy = false;
      play.removeAttribute("aria-busy");
    }
    if (lost) {
      await begin();
      if (scene && scene.token !== token) say(`${upper(lost.message)}. ${opening("begun_anew")}. ${scene.said}`);
    }
  }

  /** Restore this tab's session, or begin a new one. */
  const again = () => ask(async () => {
    const state = await source.again();
    shown = state ? Infinity : 0;
    return state ?? source.begin(sessionOptions());
  });

  function send(what, body = {}) {
    if (!scene || busy || waiting.length) return;
    shown = what === "undo" ? Infinity : what === "next" ? 0 : scene.plies.length;
    ask(() => source.act(what, body));
  }

  /** Send a move, and show its piece without waiting for the response. */
  function playMove(move) {
    if (busy || waiting.length) return;
    play.classList.add("sent");
    boardInput.show({ ...scene, pieces: move.pieces, before: scene.pieces }, [], opening("the_board"));
    send("move", { move: move.name });
  }

  function sessionOptions() {
    const fields = form.elements;
    const options = { name: fields.name.value.trim(), seed: fields.seed.value.trim() };
    if (fields.as) options.as = fields.as.value;
    for (const name of ["greedy", "learning"]) if (fields[name]) options[name] = fields[name].checked;
    return options;
  }

  function begin() {
    waiting = [];
    shown = 0;
    Object.assign(guesses, { right: 0, all: 0 });
    return ask(() => source.begin(sessionOptions()));
  }

  // The code below reads the parameters of a link and creates the link to the session.

  const given = new URLSearchParams(location.search);
  for (const name of ["as", "name", "seed"]) if (given.get(name) && form.elements[name]) form.elements[name].value = given.get(name);
  for (const name of ["greedy", "step", "guess"]) if (form.elements[name]) form.elements[name].checked = given.get(name) === "1";
  if (given.get("learning") === "0" && form.elements.learning) form.elements.learning.checked = false;

  function setLink() {
    const state = new URLSearchParams({ seed: scene.seed });
    if (form.elements.as) state.set("as", scene.person);
    if (scene.name) state.set("name", scene.name);
    for (const name of ["greedy", "step", "guess"]) if (wants(name)) state.set(name, "1");
    if (given.get("present")) state.set("present", "1");
    if (form.elements.learning && !wants("learning")) state.set("learning", "0");
    const hides = [...form.querySelectorAll("[name=hide]:checked")].map(box => box.value);
    if (hides.length) state.set("hide", hides.join(","));
    at("link").href = `?${state}`;
  }

  // Keys and buttons.

  const usable = id => !at(id).disabled && !at(id).closest("[hidden]");
  const resignIfConfirmed = onSecondCall(() => say(`${opening("resign")}.`), () => send("resign"));
  const keys = {
    u: () => { if (usable("undo")) send("undo"); },
    n: () => { if (waiting.length) { waiting = []; draw(); } send("next"); },
    r: () => { if (usable("resign") && !waiting.length) resignIfConfirmed(); },
    s: showNextStep,
    m: () => at("typed").elements.move.focus(),
  };

  addEventListener("keydown", event => {
    if (!isForPage(event)) return;
    if (event.key === "h") {
      if (!event.repeat && usable("worth")) setWorth(true);
    } else if (/^[0-9]$/.test(event.key)) {
      play.classList.add("keyed");
      if (waiting[0] === "guess") guess(Number(event.key) - 1);
      else if ("cells" in play.dataset) scene?.moves.filter(move => move.name === event.key).forEach(playMove);
    } else if (event.key in keys && !event.repeat) {
      event.preventDefault();
      keys[event.key]();
    }
  });
  at("all")?.addEventListener("click", ({ target }) => target.setAttribute("aria-expanded", String(target.closest(".screen").classList.toggle("full"))));
  for (const [id, act] of Object.entries({ undo: keys.u, next: keys.n, resign: keys.r, record: () => send("finish"), step: showNextStep })) {
    at(id).addEventListener("click", act);
  }
  at("typed").addEventListener("submit", event => {
    event.preventDefault();
    const field = event.target.elements.move;
    if (field.value.trim()) send("move", { move: field.value });
    field.value = "";
  });
  form.addEventListener("submit", event => { event.preventDefault(); begin(); });
  form.addEventListener("change", () => {
    at("guess")?.setAttribute("aria-pressed", String(wants("guess")));
    if (scene) setLink();
  });
  at("guess")?.addEventListener("click", () => form.elements.guess.click());
  at("guesses").addEventListener("click", ({ target }) => { if (target.closest("button")) guess(Number(target.closest("button").dataset.guess)); });

  // With ?present=1, one section is shown at a time. Presentation remotes send Page Up and Page Down.

  const SECTIONS = ["board", "box", "side", "boxes"];
  const DIRECTIONS = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };
  if (given.get("present") === "1") {
    document.body.classList.add("present");
    const { dataset } = document.body;
    dataset.shows = SECTIONS[0];
    addEventListener("keydown", event => {
      if (!isForPage(event) || !(event.key in DIRECTIONS)) return;
      event.preventDefault();
      dataset.shows = SECTIONS[Math.max(0, Math.min(SECTIONS.length - 1, SECTIONS.indexOf(dataset.shows) + DIRECTIONS[event.key]))];
    });
  }

  menace.begin = begin;
  // Opening a link with parameters begins a session. Reloading the page restores this tab's session.
  if (location.search && performance.getEntriesByType("navigation")[0]?.type === "navigate") begin();
  else again();
})(globalThis.menace ??= {});
