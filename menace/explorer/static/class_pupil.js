// The page on which a pupil joins the class, plays, and sees what the machine has learned. Every request names the game and the ply, so that a
// repeated request after a lost connection changes nothing.
"use strict";
(menace => {
  const { answer, BoardInput, changedBoxes, isOnBoard, listMoves, openBox } = menace;
  const POLL = 2000; // milliseconds between polls
  const KEY = "menace class";
  const RESULTS = { win: "you won", draw: "a draw", loss: "the machine won" };
  const at = id => document.getElementById(id);
  menace.clauses = JSON.parse(document.body.dataset.clauses);
  let token = localStorage.getItem(KEY);
  let state = null;
  let busy = false;
  let shown = ""; // the state that is drawn, so that the page changes only if a poll returns something new
  const board = new BoardInput(at("stage"), { onMove: move => play(move), onMessage: text => headline(text) });
  const headline = text => { at("headline").textContent = text; };
  const complain = text => Object.assign(at("wrong"), { hidden: !text, textContent: text && `${menace.upper(text)}.` });
  const dots = games => games.map(([result]) => `<i class="${result}" role="img" aria-label="${RESULTS[result]}"></i>`).join("");

  /** Send a request for this pupil and return the response. */
  const ask = (address, body) => answer(address, "wait a moment", { cache: "no-store", headers: { "content-type": "application/json", "x-pupil": token ?? "" },
    ...(body && { method: "POST", body: JSON.stringify(body) }) });

  function sentence(scene, phase) {
    if (phase === "over") return "The lesson is over. Thank you!";
    if (phase === "lobby") return "You are in! Wait until your teacher begins.";
    if (phase === "paused") return "Pause. Look at your teacher's screen.";
    if (!scene) return "Your machine is coming.";
    if (scene.error) return menace.upper(`${scene.error}.`);
    if (scene.outcome === null) return `Your turn. You play ${scene.person}.`;
    if (scene.outcome === "draw") return "A draw!";
    return scene.resigned ? "You win: its box was empty!" : menace.endText(scene, "your machine");
  }

  function draw() {
    const { scene, phase, games, name, together } = state;
    const now = JSON.stringify(state);
    if (now === shown) return;
    const fresh = scene && !shown.includes(JSON.stringify(scene)) && scene.plies.at(-1)?.by_machine;
    shown = now;
    at("join").hidden = true;
    at("game").hidden = false;
    document.body.dataset.phase = phase;
    at("who").textContent = `${name} · ${together ? "all of you play one machine" : "you raise your own machine"}`;
    headline(sentence(scene, phase));
    const over = scene?.outcome !== null;
    const moves = over || phase !== "play" ? [] : scene.moves;
    if (scene) {
      board.show({ ...scene, before: scene.plies.at(-1)?.pieces }, moves, "the board");
      listMoves(isOnBoard(scene.moves) ? [] : moves, play);
    }
    const learned = over ? scene?.changes ?? [] : [];
    at("my-box").innerHTML = scene?.saw && !learned.length ? openBox(scene.saw) : "";
    const [drawing, meaning, cell] = changedBoxes(learned, scene?.opened ?? [], scene ?? {});
    board.mark(cell);
    at("about-box").innerHTML = learned.length ? meaning ?? "Your machine has learned:" : scene?.saw ? "The box that it opened last:" : "";
    at("changed").innerHTML = drawing;
    at("next").hidden = !(scene && over && phase === "play");
    const loss = games.at(-1)?.[1];
    at("progress").innerHTML = games.length ? `<p class="games">${dots(games)}</p>${loss == null ? "" : `<p>Against a player who moves at random in 100 games it now loses <b>${Math.round(100 * loss)}</b>.</p>`}` : "";
    if (fresh) menace.showDraw(at("my-box"), at("stage").querySelector(".last"));
  }

  async function request(address, body) {
    if (busy) return;
    busy = true;
    try {
      state = await ask(address, body);
      complain("");
      draw();
    } catch (error) {
      if (error.status === 410) leave();
      else shown = "";
      complain(error.status === 0 ? "the connection is lost; wait until it comes back" : error.message);
      if (state && error.status !== 410) draw();
    } finally {
      busy = false;
    }
    if (state?.phase === "play" && (!state.scene || (state.go && state.scene.outcome !== null))) next();
  }

  function leave() {
    localStorage.removeItem(KEY);
    [token, state, shown] = [null, null, ""];
    at("game").hidden = true;
    at("join").hidden = false;
  }

  const next = () => request("/next", { turn: state.turn });

  function play(move) {
    if (busy || state?.phase !== "play") return;
    const { scene, turn } = state;
    board.show({ ...scene, pieces: move.pieces, before: scene.pieces }, [], "the board");
    shown = "";
    request("/move", { turn, ply: scene.plies.length, move: move.name });
  }

  at("join").addEventListener("submit", async event => {
    event.preventDefault();
    const { code, name } = event.target.elements;
    try {
      ({ token } = await ask("/join", { code: code.value, name: name.value }));
      localStorage.setItem(KEY, token);
      complain("");
      poll();
    } catch (error) {
      complain(error.message);
    }
  });
  at("next").addEventListener("click", next);
  const poll = () => { if (token && !document.hidden) request("/state"); };
  document.addEventListener("visibilitychange", poll);
  setInterval(poll, POLL);
  if (token) poll();
  else at("join").hidden = false;
})(globalThis.menace ??= {});
