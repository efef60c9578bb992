// The page of a kiosk, which shows a film until somebody touches the screen, and then games against one machine. Requests name the game and the ply,
// so that a request repeated after a lost response changes nothing.
"use strict";
(menace => {
  const { answer, BoardInput, changedBoxes, endText, isOnBoard, listMoves, openBox, openedText, opening, post, showDraw } = menace;
  const IDLE = 60_000; // milliseconds without a touch before the film starts
  const RETRY = 2000; // milliseconds between requests while the server does not answer
  const [FRAME, HOLD] = [350, 6000]; // milliseconds for which each frame of the film, and its last frame, are shown
  const GRACE = 500; // milliseconds after the touch that ends the film in which touches cannot make a move
  const LATER = 2500; // milliseconds between the end of a game and the display of its changes
  const at = id => document.getElementById(id);
  const { dataset } = document.body;
  menace.clauses = JSON.parse(dataset.clauses);
  let state = null;
  let busy = false;
  let begun = 0; // when the current game was first shown
  let touched = performance.now(); // when the screen was last touched
  let [film, learning] = []; // timers
  const board = new BoardInput(at("stage"), { onMove: play, onMessage: () => {} });

  /** Send a request and show the response. While the server does not respond, keep requesting the state. */
  async function request(send) {
    if (busy) return;
    busy = true;
    try {
      state = await send();
      at("wrong").hidden = true;
      state.scene ? draw() : attract();
    } catch {
      at("wrong").hidden = false;
      setTimeout(load, RETRY);
    } finally {
      busy = false;
    }
  }

  const load = () => request(() => answer("/state", "", { cache: "no-store" }));
  const begin = visit => request(() => post("/begin", { turn: state?.turn ?? "", visit }));

  function play(move) {
    if (busy || performance.now() - begun < GRACE) return;
    const { scene, turn } = state;
    board.show({ ...scene, pieces: move.pieces, before: scene.pieces }, [], "the board");
    request(() => post("/move", { turn, ply: scene.plies.length, move: move.name }));
  }

  function show(name) {
    if (name === "game" && dataset.shows !== name) begun = performance.now();
    dataset.shows = name;
    for (const id of ["attract", "game"]) at(id).hidden = id !== name;
    for (const line of document.querySelectorAll(".taught")) line.textContent = state.taught;
    at("own").textContent = state.own ?? "";
    [film, learning].forEach(clearTimeout);
  }

  // The game.

  function draw() {
    const { scene } = state;
    const over = scene.outcome !== null;
    const fresh = scene.plies.at(-1)?.by_machine;
    show("game");
    at("headline").textContent = over ? endText(scene, "the machine") : scene.said;
    at("then").textContent = over ? `${scene.resigned ? "It had no bead left for this board, so it gave up. " : ""}You are visitor ${state.visitor}.` : "Can you beat the machine? It learns from your game.";
    board.show({ ...scene, before: scene.plies.at(-1)?.pieces }, over ? [] : scene.moves, "the board");
    listMoves(over || isOnBoard(scene.moves) ? [] : scene.moves, play);
    at("about").textContent = openedText(scene.saw) || (scene.saw || over ? "" : `${opening("not_moved")}.`);
    at("box").innerHTML = scene.saw ? openBox(scene.saw) : "";
    at("changed").innerHTML = "";
    at("game").className = over ? "ended" : "";
    at("next").hidden = !over;
    at("anew").hidden = over;
    if (fresh) showDraw(at("box"), at("stage").querySelector(".last"));
    if (over) learning = setTimeout(showLearned, fresh ? LATER : 0);
  }

  /** Replace the machine's open box with what the machine has learned from the game. */
  function showLearned() {
    const { changes, opened } = state.scene;
    const [drawing, meaning, cell] = changedBoxes(changes, opened, state.scene);
    board.mark(cell);
    at("game").classList.add("learned");
    at("about").innerHTML = meaning ?? "";
    at("box").innerHTML = "";
    at("changed").innerHTML = drawing;
  }

  // The film.

  async function attract() {
    show("attract");
    try {
      const { boxes, frames, taught } = await answer("/film", "", { cache: "no-store" });
      state.taught = taught;
      if (dataset.shows === "attract") showFrame(boxes, frames, 0);
    } catch {
      film = setTimeout(attract, RETRY);
    }
  }

  /** Show how full the boxes of the practising copy are. */
  function showFrame(boxes, frames, number) {
    show("attract");
    const filled = boxes.map((box, place) => ({ ...box, moves: box.moves.map((move, row) => ({ ...move, amount: frames[number][place][row] })) }));
    at("wall").innerHTML = filled.map((box, place) => `<div>${place ? menace.smallBox(box, menace.smallBeadScale([box])) : menace.largeBox(box)}</div>`).join("");
    const last = number === frames.length - 1;
    at("wall").classList.toggle("full", last);
    film = setTimeout(() => (last ? attract() : showFrame(boxes, frames, number + 1)), last || !number ? HOLD : FRAME);
  }

  addEventListener("pointerdown", () => {
    touched = performance.now();
    if (dataset.shows === "attract") begin(true);
  });
  setInterval(() => { if (dataset.shows === "game" && performance.now() - touched > IDLE) attract(); }, 1000);
  addEventListener("contextmenu", event => event.preventDefault());
  at("next").addEventListener("click", () => begin(false));
  at("anew").addEventListener("click", () => begin(true));
  load();
})(globalThis.menace ??= {});
