// Mouse and keyboard on boards of buttons: Tab reaches one of them, the arrow keys go to the others, clicks choose moves.
"use strict";
(menace => {
  const ASIDE = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  const SURE = 4000; // milliseconds
  const POINTS = 3; // of a score that need no curve
  const rowsOf = board => [...board.rows].map(row => [...row.querySelectorAll("button")]);

  /** Let Tab reach one of several elements, such as the buttons of a board: that which has the focus, or else the first. */
  function rove(elements) {
    const kept = elements.find(element => element === document.activeElement) ?? elements[0];
    for (const element of elements) element.tabIndex = element === kept ? 0 : -1;
  }

  // Arrow keys go to the next button where they point, on every board.
  document.addEventListener("keydown", event => {
    const board = event.target.closest?.("[data-board]");
    if (!board || !(event.key in ASIDE) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const [down, right] = ASIDE[event.key];
    event.preventDefault();
    const rows = rowsOf(board);
    const row = rows.findIndex(buttons => buttons.includes(event.target));
    rows[row + down]?.[rows[row].indexOf(event.target) + right]?.focus();
    rove(rows.flat());
  });

  /** Let hands and keys choose moves on a board that is drawn at a place: `chosen` gets the move, `asks` a question. */
  class Hands {
    constructor(place, { chosen, asks }) {
      Object.assign(this, { place, chosen, asks, moves: [], selected: null });
      place.addEventListener("click", event => {
        const button = event.target.closest("button[data-cell]");
        if (!button) return;
        button.focus();
        rove(this.buttons);
        this.choose(Number(button.dataset.cell));
      });
    }

    show(board, moves, label) {
      const focused = this.place.contains(document.activeElement) ? document.activeElement.dataset.cell : null;
      Object.assign(this, { moves, selected: null });
      this.place.innerHTML = menace.buttons(board, moves, label);
      this.place.querySelector(`[data-cell="${focused}"]`)?.focus();
      rove(this.buttons);
      this.label();
    }

    get buttons() {
      return [...this.place.querySelectorAll("button[data-cell]")];
    }

    /** Label each cell: what stands there, what a move there is worth, where that is shown, and where a piece may go. */
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
      if (this.selected !== null && ends.length === 1) this.chosen(ends[0]);
      else if (begins.some(move => move.path)) {
        this.select(cell, begins);
        this.asks(`${menace.opening("where_to", { moves: names })}.`);
      } else if (begins.length === 1) this.chosen(begins[0]);
      else if (ends.length === 1) this.chosen(ends[0]);
      else this.asks(`${menace.opening(begins.length ? "which_one" : "no_move", { moves: names })}.`);
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

  // Around the board of a page to play.

  const at = id => document.getElementById(id);

  /** Show moves as a list of buttons. */
  function listMoves(moves, chosen) {
    at("list").innerHTML = moves.map(move => `<button type="button">${menace.escaped(move.name)}`
      + `<span class="worth ${move.verdict}"> ${menace.escaped(menace.worthText(move))}</span></button>`).join("");
    at("list").querySelectorAll("button").forEach((button, number) => button.addEventListener("click", () => chosen(moves[number])));
  }

  /** Show how games have ended, and the machine's score as Michie drew it; `draws` is null in a game that has none. */
  function showScore(you, name, { person, machine, draws, points }) {
    const score = menace.phrase("score", { person: you, persons: person, name, machines: machine });
    at("score").textContent = draws === null ? score : menace.phrase("score_with_draws", { score, draws: menace.counted(draws, "draw") });
    at("figure").innerHTML = points.length > POINTS ? menace.scoreCurve(name, points, draws !== null) : "";
  }

  /** Show on a page what each move is worth as long as `h` is held, or after a press of its button. Returns the switch. */
  function worthSwitch(page, hands) {
    const set = shown => {
      page.classList.toggle("shows-worth", shown);
      at("worth").setAttribute("aria-pressed", String(shown));
      hands.label();
    };
    addEventListener("keyup", event => { if (event.key === "h") set(false); });
    addEventListener("blur", () => set(false));
    at("worth").addEventListener("click", () => set(!page.classList.contains("shows-worth")));
    return set;
  }

  /** Return a handler that acts if called twice within SURE; it `asks` at the first call. */
  function twice(asks, act) {
    let asked = -Infinity;
    return () => {
      const sure = performance.now() - asked < SURE;
      asked = sure ? -Infinity : performance.now();
      (sure ? act : asks)();
    };
  }

  Object.assign(menace, { Hands, listMoves, rove, showScore, twice, worthSwitch });
})(globalThis.menace ??= {});
