// The page "How good are you?", an exam that runs in the person's browser. After `#exam=`, a link contains the side (0 for X), the number of
// positions, and the answers as moves in the graph, written in base 36 and separated by dots.
"use strict";
(async menace => {
  const { BoardInput, Exam, Game, escaped, listMoves, opening, percent, phrase, withoutNoise } = menace;
  const VALUE = 6; // the index of the value in a list of bounds
  const [LINE, LEFT, WIDTH] = [17, 56, 168]; // in the picture, which is 340 wide: the height of a line, and the left edge and width of the bars
  const TINTS = ["wins", "draws", "loses", "wins", "draws", "loses", "value"];
  const at = id => document.getElementById(id);
  const page = at("exam");
  const tables = menace.tables ?? await menace.servedTables;
  if (tables.error) return void (at("status").textContent = `${menace.upper(tables.error)}.`);

  const game = new Game(tables);
  const exams = [0, 1].map(side => new Exam(game.graph, tables.players, side));
  const key = `menace exam ${game.title} ${game.graph.positions}`;
  const boardInput = new BoardInput(at("board"), { onMove: answer, onMessage: text => say(text) });
  let own = stored(); // the person's side, and the answers for each side
  let shared = null; // the side and the answers in a link
  let further = false; // whether to continue with boards that can change only wins and draws

  const say = text => { at("said").textContent = text; };

  function stored() {
    try {
      const { side, answers } = JSON.parse(localStorage.getItem(key));
      if (exams[side] && exams.every((exam, of) => exam.accepts(answers[of]))) return { side, answers };
    } catch { /* The browser has stored nothing, or something else. */ }
    return { side: 0, answers: [[], []] };
  }

  /** Store and show the answers after a change, and remove any result from the address, because that result no longer matches the answers. */
  function keep() {
    if (location.hash) history.replaceState(null, "", location.href.split("#")[0]);
    try {
      localStorage.setItem(key, JSON.stringify(own));
    } catch { /* The browser stores nothing. */ }
    show();
  }

  // The picture, which shows each quantity as a bar from its minimum to its maximum.

  const lines = ["exam_random", ["wins", 0], ["draws", 1], ["losses", 2], "exam_optimal", ["wins", 3], ["draws", 4], ["losses", 5],
    "exam_best_response", ["exam_result", VALUE]].filter(([clause]) => game.draws || clause !== "draws");
  at("bars").innerHTML = `<svg viewBox="0 0 340 ${lines.length * LINE}" role="img">${lines.map((line, number) => {
    const y = number * LINE + 12;
    if (typeof line === "string") return `<text class="head" y="${y}">${escaped(opening(line))}</text>`;
    const [clause, place] = line;
    return `<text y="${y}">${escaped(phrase(clause))}</text><rect class="track" x="${LEFT}" y="${y - 9}" width="${WIDTH}" height="10"/>`
      + `<rect class="bar ${TINTS[place]}" y="${y - 9}" height="10"/><text class="amount" x="340" y="${y}"></text>`;
  }).join("")}</svg>`;
  const [bars, amounts] = [".bar", ".amount"].map(kind => [...at("bars").querySelectorAll(kind)]);

  const verdictOf = value => menace.clauses.verdicts[1 - Math.round(value)];

  function showBars({ least, most }) {
    const rows = lines.filter(line => typeof line !== "string");
    const texts = rows.map(([, place], row) => {
      const ends = [least[place], most[place]];
      const shares = place === VALUE ? ends.map(value => (value + 1) / 2) : ends;
      const words = ends.map(end => (place === VALUE ? phrase(`verdict_${verdictOf(end)}`) : percent(withoutNoise(end))));
      const isClosed = ends[1] - ends[0] <= 1e-12;
      bars[row].setAttribute("x", LEFT + shares[0] * (WIDTH - 6));
      bars[row].setAttribute("width", 6 + (shares[1] - shares[0]) * (WIDTH - 6)); // keeps a bar visible when its ends meet
      bars[row].classList.toggle("closed", isClosed);
      return isClosed ? words[0] : phrase("exam_between", { least: words[0], most: words[1] });
    });
    amounts.forEach((amount, row) => { amount.textContent = texts[row]; });
    const spoken = lines.map(line => (typeof line === "string" ? opening(line) : `${phrase(line[0])} ${texts[rows.indexOf(line)]}`));
    at("bars").firstChild.setAttribute("aria-label", spoken.join(", "));
  }

  // The exam.

  const now = () => shared ?? { side: own.side, answers: own.answers[own.side] };

  function show() {
    const { side, answers } = now();
    const state = exams[side].after(answers);
    const position = state.next ?? (further ? state.later : undefined);
    const isOver = position === undefined;
    page.classList.toggle("over", isOver);
    for (const button of page.querySelectorAll("[data-side]")) button.setAttribute("aria-pressed", String(Number(button.dataset.side) === side));
    showBars(state);
    say("");
    if (isOver) showGrade(side, answers, state);
    else showQuestion(game.canonical[position], side, answers.length + 1);
    at("undo").hidden = !answers.length || shared;
    at("again").hidden = !answers.length;
    at("again").textContent = opening(shared ? "exam_own" : "exam_again");
    at("share").hidden = !isOver || shared;
    at("further").hidden = !isOver || shared || state.later === undefined;
  }

  function showQuestion(board, side, number) {
    const moves = shared ? [] : game.movesOf(board);
    at("status").textContent = `${opening("exam_board", { number, side: "XO"[side] })}.`;
    at("decided").textContent = "";
    boardInput.show(game.played(board), moves, opening("board_named", { board: game.texts[board] }));
    listMoves(game.of_cells ? [] : moves, answer);
  }

  function showGrade(side, answers, { most }) {
    const number = exams[side].decidedAfter(answers);
    const board = number ? game.canonical[exams[side].positionOf[answers[number - 1]]] : game.start;
    const moves = game.movesOf(board);
    const played = moves.find(({ move }) => move === answers[number - 1]);
    const rank = ({ verdict }) => menace.clauses.verdicts.indexOf(verdict);
    const better = played ? moves.filter(move => rank(move) < rank(played)) : [];
    const sentences = [opening("exam_losses", { share: percent(withoutNoise(most[2])) })];
    if (played) sentences.push(opening("exam_decided", { move: played.name }));
    if (better.length) sentences.push(opening("exam_better", { moves: better.map(({ name }) => name).join(", ") }));
    const grade = `${opening(`exam_${verdictOf(most[VALUE])}`)}.`;
    at("status").textContent = shared ? opening("exam_shared", { grade }) : grade;
    at("decided").textContent = sentences.map(sentence => `${sentence}.`).join(" ");
    boardInput.show(played ? { ...game.played(played.next), before: game.record(board).pieces } : game.played(board), [], opening("the_board"));
    listMoves([], answer);
    at("status").scrollIntoView({ block: "nearest" });
  }

  function answer({ move }) {
    own.answers[own.side].push(move);
    keep();
  }

  /** Start again, or leave the result that a link showed. */
  function again() {
    if (shared) location.hash = "";
    else if (confirm(opening("exam_forget"))) {
      own.answers[own.side] = [];
      further = false;
      keep();
    }
  }

  const link = ({ side, answers }) => [side, game.graph.positions, ...answers].map(number => number.toString(36)).join(".");

  async function share() {
    history.replaceState(null, "", `#exam=${link(now())}`);
    await navigator.clipboard?.writeText(location.href).catch(() => {});
    say(`${opening("exam_link")}.`);
  }

  /** Show the result that the address contains, or else the person's own exam. */
  function open() {
    shared = null;
    const [name, text] = location.hash.slice(1).split("=");
    const isLink = name === "exam" && text !== link(now());
    if (isLink) {
      const [side, positions, ...answers] = text.split(".").map(part => parseInt(part, 36));
      if (positions === game.graph.positions && exams[side]?.accepts(answers)) shared = { side, answers };
    }
    show();
    if (isLink && !shared) say(`${opening("link_damaged")}.`);
  }

  const acts = { undo: () => { own.answers[own.side].pop(); keep(); }, again, share, further: () => { further = true; show(); } };
  for (const [id, act] of Object.entries(acts)) at(id).addEventListener("click", act);
  for (const button of page.querySelectorAll("[data-side]")) {
    button.addEventListener("click", () => {
      shared = null;
      further = false;
      own.side = Number(button.dataset.side);
      keep();
    });
  }
  addEventListener("hashchange", open);
  open();
})(globalThis.menace ??= {});
