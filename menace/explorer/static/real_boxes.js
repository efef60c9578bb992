// Guide an operator through games with real matchboxes. The browser stores the state, so that the page can show it at once when it is reloaded. If
// the server has lost the game because it restarted, the page sends all entries again.
"use strict";
(menace => {
  const { answer, BoardInput, closedMatchbox, escaped, isOnBoard, listMoves, onSecondCall, upper } = menace;
  const RETRY_DELAY = 2000; // milliseconds until a request that the server did not answer is repeated
  const at = id => document.getElementById(id);
  if (!at("real")) return;
  const { here, clauses } = at("source").dataset;
  menace.clauses = JSON.parse(clauses);
  const KEY = `menace matchboxes ${here}`;
  const recount = at("recount").querySelector("form");
  const post = (what, body) => menace.post(here + what, body, "go on");
  let { scene = null, ticked = [] } = JSON.parse(localStorage.getItem(KEY) ?? "{}");
  let busy = false;
  const complain = text => Object.assign(at("wrong"), { hidden: !text, textContent: text && `${upper(text)}.` });
  const board = new BoardInput(at("board"), { onMove: move => enter(move.name), onMessage: text => { if (scene.moves.length) at("said").textContent = text; } });
  const store = () => localStorage.setItem(KEY, JSON.stringify({ scene, ticked }));
  const sentence = text => ([scene.player, scene.name].some(name => name && text.startsWith(name)) ? text : upper(text));
  const sentences = texts => texts.map(text => `<p>${escaped(sentence(text))}.</p>`).join("");
  const dot = move => `<i class="dot" style="--bead:${move.colour}"></i>`;
  const label = box => closedMatchbox({ ...box, moves: box.moves.map(({ share, ...move }) => move) });

  function draw() {
    const { box, moves, outcome, recorded } = scene;
    at("real").hidden = false;
    at("headline").textContent = sentence(scene.headline);
    at("said").innerHTML = sentences([...scene.said, ...(scene.outdated ? [scene.outdated] : [])]);
    at("box").innerHTML = box ? `${label(box)}${sentences(box.says)}<p class="beads">${box.moves.map((move, row) => `<button type="button" data-bead="${escaped(move.bead)}"${move.amount ? "" : ' class="none"'}>`
      + `${dot(move)} ${escaped(box.beads[row])} <small>${move.amount} inside</small></button>`).join("")}</p>` : "";
    at("todo").innerHTML = scene.todo.map((text, row) => `<li><label><input type="checkbox" data-row="${row}"${ticked.includes(row) ? " checked" : ""}> ${escaped(sentence(text))}</label></li>`).join("");
    board.show(scene, moves, "the board");
    listMoves(isOnBoard(moves) ? [] : moves, move => enter(move.name));
    at("record").hidden = outcome === null || recorded !== null || !scene.plies;
    at("undo").hidden = recorded !== null || !scene.entries.length;
    at("next").hidden = recorded === null && !scene.entries.length && outcome === null;
    at("next").textContent = recorded === null ? "Give up this game" : "Another game";
    at("real").classList.toggle("opens", Boolean(box));
  }

  function show(state) {
    if (state.recorded !== scene?.recorded) ticked = [];
    scene = state;
    store();
    draw();
  }

  const begin = (name = scene?.name ?? "") => post("/begin", { name, physical: true, ...(scene?.recorded === null && { entries: scene.entries, board: scene.board }) });

  /** Send a request and show the state that it returns. If the session is lost, begin another session that continues the same game. */
  async function ask(request) {
    if (busy) return;
    busy = true;
    try {
      show(await request());
      complain("");
    } catch (error) {
      if (error.status === 410) {
        const lost = await begin().catch(failed => failed);
        if (lost instanceof Error) complain(lost.message);
        else if (scene.recorded === null) show(lost);
        else scene.token = lost.token;
      } else complain(error.message);
      if (error.status === 0) setTimeout(again, RETRY_DELAY);
      if (scene) draw();
    } finally {
      busy = false;
    }
  }
  const send = (what, body) => ask(() => post(`/${what}`, { token: scene.token, ...body }));
  const enter = move => send("move", { move, ply: scene.plies });
  const load = () => answer(`${here}/session.json?token=${encodeURIComponent(scene.token)}`, "go on", { cache: "no-store" });
  const again = () => ask(() => (scene ? load() : begin()));

  /** Show a box in the form for recounting its beads. */
  async function showPiles() {
    const box = await answer(`${here}/matchboxes/box.json?number=${Number(recount.elements.number.value)}`, "go on").catch(error => complain(error.message));
    if (!box) return;
    at("counted").textContent = "";
    at("piles").innerHTML = label(box) + box.moves.map((move, row) =>
      `<label>${dot(move)} ${escaped(box.beads[row])} <input type="number" min="0" inputmode="numeric" name="${escaped(move.bead)}" value="${move.amount}" required></label>`).join("");
  }

  const giveUp = onSecondCall(() => { at("said").textContent = "To give up this game, press the button again."; }, () => send("next"));
  at("box").addEventListener("click", ({ target }) => { const bead = target.closest("[data-bead]"); if (bead) enter(bead.dataset.bead); });
  at("todo").addEventListener("change", () => {
    ticked = [...at("todo").querySelectorAll(":checked")].map(box => Number(box.dataset.row));
    store();
  });
  at("undo").addEventListener("click", () => send("undo"));
  at("record").addEventListener("click", () => send("finish"));
  at("next").addEventListener("click", () => (scene.recorded === null ? giveUp : () => send("next"))());
  at("opponent").addEventListener("submit", event => { event.preventDefault(); ask(() => begin(event.target.elements.name.value)); });
  at("recount").addEventListener("toggle", () => {
    if (!at("recount").open) return;
    recount.elements.number.value = scene.box?.number ?? 1;
    showPiles();
  });
  recount.elements.number.addEventListener("change", showPiles);
  recount.addEventListener("submit", event => {
    event.preventDefault();
    const counted = Object.fromEntries([...at("piles").querySelectorAll("input")].map(({ name, value }) => [name, value]));
    ask(async () => {
      const { said } = await post("/matchboxes/recount", { number: recount.elements.number.value, counted, token: scene.token });
      at("counted").textContent = `${upper(said)}.`;
      return load();
    });
  });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) again(); });
  if (scene) draw();
  again();
})(globalThis.menace ??= {});
