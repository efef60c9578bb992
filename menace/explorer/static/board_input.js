// Handle mouse and keyboard input on boards of buttons. Tab moves to one button of a board, the arrow keys move to the others, and clicks choose
// moves.
"use strict";
(menace => {
  const DIRECTIONS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  const CONFIRMATION_TIME = 4000; // milliseconds between the two presses of a button that needs confirmation
  const MAX_POINTS_WITHOUT_CURVE = 3; // scores with no more points than this are not drawn
  const MAX_LESSONS = 20; // shown one by one
  const rowsOf = board => [...board.rows].map(row => [...row.querySelectorAll("button")]);

  /** Let the Tab key reach only one of the elements, such as a board's buttons: the one with the focus or, if none has the focus, the first. */
  function setTabStop(elements) {
    const reachable = elements.find(element => element === document.activeElement) ?? elements[0];
    for (const element of elements) element.tabIndex = element === reachable ? 0 : -1;
  }

  // On every board, an arrow key moves the focus to the next button in that direction.
  document.addEventListener("keydown", event => {
    const board = event.target.closest?.("[data-board]");
    if (!board || !(event.key in DIRECTIONS) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const [down, right] = DIRECTIONS[event.key];
    event.preventDefault();
    const rows = rowsOf(board);
    const row = rows.findIndex(buttons => buttons.includes(event.target));
    rows[row + down]?.[rows[row].indexOf(event.target) + right]?.focus();
    setTabStop(rows.flat());
  });

  /** Read moves from a board inside an element. Calls `onMove` with the chosen move, and `onMessage` with a question for the player. */
  class BoardInput {
    constructor(place, { onMove, onMessage }) {
      Object.assign(this, { place, onMove, onMessage, moves: [], selected: null });
      place.addEventListener("click", event => {
        const button = event.target.closest("button[data-cell]");
        if (!button) return;
        button.focus();
        setTabStop(this.buttons);
        this.choose(Number(button.dataset.cell));
      });
    }

    show(board, moves, label) {
      const focused = this.place.contains(document.activeElement) ? document.activeElement.dataset.cell : null;
      Object.assign(this, { moves, selected: null });
      this.place.innerHTML = menace.buttons(board, moves, label);
      this.place.querySelector(`[data-cell="${focused}"]`)?.focus();
      setTabStop(this.buttons);
      this.label();
    }

    get buttons() {
      return [...this.place.querySelectorAll("button[data-cell]")];
    }

    /** Label each cell with its content, the value of a move there (if values are shown), and whether the selected piece can move there. */
    label() {
      const shown = this.place.closest(".shows-worth");
      for (const button of this.buttons) {
        const worth = shown && button.dataset.says ? `, ${button.dataset.says}` : "";
        const end = button.classList.contains("target") ? `, ${menace.phrase("can_move_here")}` : "";
        button.setAttribute("aria-label", button.dataset.label + worth + end);
      }
    }

    choose(cell) {
      const begins = this.moves.filter(move => menace.begins(move, cell));
      const ends = this.moves.filter(move => menace.ends(move, cell, this.selected));
      const names = begins.map(move => move.name).join(", ");
      if (this.selected !== null && ends.length === 1) this.onMove(ends[0]);
      else if (begins.some(move => move.path)) {
        this.select(cell, begins);
        this.onMessage(`${menace.opening("where_to", { moves: names })}.`);
      } else if (begins.length === 1) this.onMove(begins[0]);
      else if (ends.length === 1) this.onMove(ends[0]);
      else this.onMessage(`${menace.opening(begins.length ? "which_one" : "no_move", { moves: names })}.`);
    }

    /** Highlight a cell, if there is one, instead of the cell of the last move. */
    mark(cell) {
      if (cell != null) for (const button of this.buttons) button.classList.toggle("last", Number(button.dataset.cell) === cell);
    }

    select(cell, begins) {
      this.selected = cell;
      for (const button of this.buttons) {
        const number = Number(button.dataset.cell);
        button.classList.toggle("selected", number === cell);
        button.classList.toggle("target", begins.some(move => menace.ends(move, number, cell)));
      }
      this.label();
    }
  }

  // Elements around the board on the Play page.

  const at = id => document.getElementById(id);

  /** Return whether every move can be chosen by clicking the board, as in games of cells and of moving pieces. */
  const isOnBoard = moves => moves.some(({ arrow }) => arrow) || new Set(moves.map(({ cells, path }) => path ?? (cells.length === 1 ? cells[0] : ""))).size === moves.length;

  /** Show moves as a list of buttons. */
  function listMoves(moves, chosen) {
    at("list").innerHTML = moves.map(move => `<button type="button">${menace.escaped(move.name)}`
      + `<span class="worth ${move.verdict}"> ${menace.escaped(menace.worthText(move))}</span></button>`).join("");
    at("list").querySelectorAll("button").forEach((button, number) => button.addEventListener("click", () => chosen(moves[number])));
  }

  /** Show the numbers of wins and draws, and draw the machine's score as in Michie's figure. `draws` is null in a game without draws. */
  function showScore(you, name, { person, machine, draws, points }) {
    const score = menace.phrase("score", { person: you, persons: person, name, machines: machine });
    at("score").textContent = draws === null ? score : menace.phrase("score_with_draws", { score, draws: menace.counted(draws, "draw") });
    at("figure").innerHTML = points.length > MAX_POINTS_WITHOUT_CURVE && at("lessons").hidden ? menace.scoreCurve(name, points, draws !== null) : "";
  }

  /** Show the games in which people taught the machine, each with the share of games that the machine would lose to a random player afterwards. */
  function showLessons(name, lessons) {
    at("lessons").hidden = !lessons.length;
    if (!lessons.length) return;
    const hundredth = loss => (100 * loss).toFixed(1);
    at("lessons").firstElementChild.textContent = `${menace.opening("lessons", { name, now: hundredth(lessons.at(-1)[1]) })}.`;
    at("lessons").querySelector("ol").innerHTML = lessons.slice(-MAX_LESSONS).map(([result, loss]) =>
      `<li class="${result}"><span class="unseen">${menace.escaped(menace.phrase(`lesson_${result}`))}: </span>${hundredth(loss)}</li>`).join("");
  }

  /** Show the value of each move while `h` is held down, or after the button has been pressed. Returns a function that turns the values on or off. */
  function createValueSwitch(page, boardInput) {
    const set = shown => {
      page.classList.toggle("shows-worth", shown);
      at("worth").setAttribute("aria-pressed", String(shown));
      boardInput.label();
    };
    addEventListener("keyup", event => { if (event.key === "h") set(false); });
    addEventListener("blur", () => set(false));
    at("worth").addEventListener("click", () => set(!page.classList.contains("shows-worth")));
    return set;
  }

  /** Return a handler that calls `ask` first, and `act` if it is called again within CONFIRMATION_TIME. */
  function onSecondCall(ask, act) {
    let asked = -Infinity;
    return () => {
      const sure = performance.now() - asked < CONFIRMATION_TIME;
      asked = sure ? -Infinity : performance.now();
      (sure ? act : ask)();
    };
  }

  Object.assign(menace, { BoardInput, createValueSwitch, isOnBoard, listMoves, onSecondCall, setTabStop, showLessons, showScore });
})(globalThis.menace ??= {});
