// Boards: the tables of a game by board, and drawings of them, as menace/exporting/board.py and menace/web draw them.
"use strict";
(menace => {
  const FIRST_PIECE = 48; // as tables.py
  const CLASSES = { X: "x", O: "o" };
  const ESCAPED = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };
  const BEADS_LONG = 100000;

  const escaped = text => String(text).replace(/[&<>"']/g, sign => ESCAPED[sign]);
  const counted = (number, noun) =>
    `${number.toLocaleString("en")} ${number === 1 ? noun : noun + (noun.endsWith("x") ? "es" : "s")}`;

  /** Return a share, 0 to 1, as a percentage; what is neither 0 nor 1 never looks like it. */
  function percent(share) {
    if (share > 0 && share < 0.0005) return "<0.1%";
    if (share < 1 - 1e-12 && share >= 0.9995) return ">99.9%";
    return `${(share * 100).toFixed(1)}%`;
  }

  /** Return beads or a value in few characters. */
  function amountText(amount, unit) {
    if (unit === "beads") return amount < BEADS_LONG ? amount.toLocaleString("en") : `${Math.round(amount / 1000).toLocaleString("en")}k`;
    const plain = amount === 0 || (Math.abs(amount) >= 0.0005 && Math.abs(amount) < 10);
    return (plain ? amount.toFixed(3) : amount.toExponential(1)).replace("-", "\u2212");
  }

  /** Return names in one line, with commas where they have spaces themselves. */
  const joined = names => names.join(names.some(name => name.includes(" ")) ? ", " : " ");

  class Game {
    constructor(tables) {
      Object.assign(this, tables);
      this.graph = new menace.Graph(tables);
      this.texts = tables.boards.split(" ");
      this.numbers = new Map(this.texts.map((text, number) => [text, number]));
      [this.gap, this.dead] = tables.apart;
    }

    /** Return what stands on each cell of a board. */
    piecesOf(board) {
      const cells = this.shape[0] * this.shape[1];
      return Array.from({ length: cells }, (_, cell) => this.kinds[this.pieces.charCodeAt(board * cells + cell) - FIRST_PIECE]);
    }

    /** Return the moves of a board: `move`, as the graph numbers it, `next` board, `name`, `cells` to click, `path`, `puts`. */
    movesOf(board) {
      const flat = this.moves[board];
      const first = this.graph.first[this.home[board]];
      return Array.from({ length: flat.length / 3 }, (_, place) => {
        const [look, which, next] = flat.slice(3 * place, 3 * place + 3);
        const [name, cells, path, puts] = this.looks[look];
        return { move: first + which, next, name, cells, path, puts };
      });
    }

    /** Return the moves of a board, those that are alike by symmetry as one: `all` of them, and the `first`. */
    groupsOf(board) {
      const groups = new Map();
      for (const one of this.movesOf(board)) {
        if (!groups.has(one.move)) groups.set(one.move, { move: one.move, first: one, all: [] });
        groups.get(one.move).all.push(one);
      }
      return [...groups.values()];
    }

    outcomeOf(board) {
      return this.graph.outcome[this.home[board]];
    }

    sideOf(board) {
      return this.graph.to_move[this.home[board]];
    }

    /** Return what a move is for whoever makes it, under perfect play: wins, draws or loses. */
    verdict(move, side) {
      return this.verdicts[this.graph.minimax[this.graph.next[move]] * (side === 0 ? 1 : -1)];
    }

    /** Return the board that a text means, as people write boards; undefined if no game reaches it. */
    meant(text) {
      const plain = text.replace(/[\s/|]/g, "").toUpperCase().replace(/[_-]/g, ".");
      return this.numbers.get(text.trim()) ?? this.numbers.get(plain);
    }
  }

  /** Return what a learner calls a move: cells may have numbers of its own. */
  function nameOf(game, learner, one) {
    return game.of_cells && learner?.numbers.length && /^\d+$/.test(one.name) ? String(learner.numbers[one.name]) : one.name;
  }

  function colourOf(learner, move) {
    const place = learner.colour_of_move.length ? learner.colour_of_move[move] : -1;
    return place < 0 ? null : learner.colours[place];
  }

  // Boards to look at. A mark is what is shown of a move: `one` of movesOf, `verdict`, `share`, `amount`, `colour`.

  const bead = mark => (mark.colour ? `;--bead:${mark.colour}` : "");
  const styled = mark => `style="--s:${mark.share.toFixed(2)}${bead(mark)}"`;

  /** Return the rows of a table: a cell has its piece, or the amount of the move that is marked there. */
  function rows(game, board, marks) {
    const [height, width] = game.shape;
    const arrows = marks.filter(mark => mark.one.path !== null);
    const cells = game.piecesOf(board).map((piece, cell) =>
      cellOf(game, piece, marks.filter(mark => mark.one.path === null && mark.one.cells[0] === cell)));
    if (arrows.length) {
      const paths = arrows.map(mark => `<path class=${mark.verdict[0]} ${styled(mark)} d="${mark.one.path}">`
        + `<title>${escaped(mark.name)}: ${mark.amount}</title></path>`).join("");
      cells[0] += `<svg class=arrows style="--c:${width};--r:${height}" viewBox="0 0 ${width} ${height}">${paths}</svg>`;
    }
    let text = "";
    for (let at = 0; at < cells.length; at += width) text += `<tr>${cells.slice(at, at + width).join("")}`;
    const named = marks.map(mark => `<span class=${mark.verdict[0]} ${styled(mark)}>${escaped(mark.name)} <b>${mark.amount}</b></span>`);
    return text + (arrows.length ? `<tfoot><tr><td colspan=${width}>${named.join("")}` : "");
  }

  const aside = mark => ({ "": 0, X: -0.25 })[mark.one.puts] ?? 0.25;

  function cellOf(game, piece, marks) {
    if (piece === game.gap) return "<td class=gap>";
    if (piece === game.dead) return "<td class=dead>";
    const kind = CLASSES[piece] ?? "piece";
    if (!marks.length) return piece ? `<td class=${kind}>${escaped(piece)}` : "<td>";
    if (marks[0].one.puts) {
      const put = mark => `<span class="put ${aside(mark) < 0 ? "first" : "second"} ${mark.verdict[0]}" ${styled(mark)}`
        + ` title="${escaped(mark.name)}"><b>${escaped(mark.one.puts)}</b>${mark.amount}</span>`;
      return `<td>${[...marks].sort((one, other) => aside(one) - aside(other)).map(put).join("")}`;
    }
    const under = piece ? `<span class=${kind}>${escaped(piece)}</span>` : "";
    return `<td class=${marks[0].verdict[0]} ${styled(marks[0])}>${under}${marks[0].amount}`;
  }

  /** Return the marks of a box: what a learner has for each move of a board, the first of those alike. */
  function marksOf(game, learner, kept, policy, board) {
    return game.groupsOf(board).map(({ move, first }) => ({
      one: first,
      name: nameOf(game, learner, first),
      verdict: game.verdict(move, game.sideOf(board)),
      share: policy.share[move],
      amount: amountText(kept.weight[move], learner.unit),
      colour: colourOf(learner, move)?.[1] ?? null,
    }));
  }

  // Boards to play on.

  /** Return a board as a table of buttons, of which the tab key reaches one. `moves` may be made now. */
  function buttons(game, board, moves, label) {
    const [height, width] = game.shape;
    const side = game.sideOf(board);
    const cells = game.piecesOf(board).map((piece, cell) => {
      if (piece === game.gap) return '<td class="gap"></td>';
      const here = moves.filter(one => one.cells[0] === cell).map(one => game.verdict(one.move, side));
      const worth = Object.values(game.verdicts).find(one => here.includes(one));
      const shown = piece === game.dead ? "dead" : game.words[piece] ?? piece;
      const what = `row ${Math.floor(cell / width) + 1} column ${cell % width + 1}, ${shown}`;
      const more = (worth ? ` data-worth="${worth}"` : "") + (here.length || moves.some(one => one.cells.includes(cell)) ? "" : ' aria-disabled="true"');
      const kind = piece === game.dead ? "dead" : CLASSES[piece] ?? (piece && piece in game.words ? "stone" : "piece");
      return `<td><button type="button" data-cell="${cell}" tabindex="-1" aria-label="${escaped(what)}"${more}`
        + `${piece === game.dead ? ' class="dead"' : ""}><span class="${kind}">${piece === game.dead ? "" : escaped(piece)}</span></button></td>`;
    });
    let text = "";
    for (let at = 0; at < cells.length; at += width) text += `<tr>${cells.slice(at, at + width).join("")}</tr>`;
    const paths = moves.filter(one => one.path !== null)
      .map(one => `<path class="${game.verdict(one.move, side)}" d="${one.path}"/>`).join("");
    const arrows = paths && `<svg class="arrows" viewBox="0 0 ${width} ${height}" aria-hidden="true">${paths}</svg>`;
    return `<table class="board" aria-label="${escaped(label)}" style="--columns:${width}">${text}</table>${arrows}`;
  }

  /** Let hands and keys choose moves on a board that `buttons` drew: `chosen` gets the move, `asks` a question. */
  class Hands {
    constructor(place, { chosen, asks }) {
      Object.assign(this, { place, chosen, asks, moves: [], selected: null });
      place.addEventListener("click", event => {
        const button = event.target.closest("button[data-cell]");
        if (!button) return;
        this.rove(button);
        this.choose(Number(button.dataset.cell));
      });
      place.addEventListener("keydown", event => this.key(event));
    }

    show(game, board, moves, label) {
      const focused = this.place.contains(document.activeElement) ? document.activeElement.dataset.cell : null;
      this.moves = moves;
      this.selected = null;
      this.place.innerHTML = buttons(game, board, moves, label);
      const all = this.all();
      const back = all.find(button => button.dataset.cell === focused);
      this.rove(back ?? all[0]);
      back?.focus();
    }

    all() {
      return [...this.place.querySelectorAll("button[data-cell]")];
    }

    rove(button) {
      for (const other of this.all()) other.tabIndex = other === button ? 0 : -1;
    }

    choose(cell) {
      const begins = this.moves.filter(one => one.cells[0] === cell);
      const ends = this.moves.filter(one => one.cells[1] === cell && (this.selected === null || one.cells[0] === this.selected));
      if (this.selected !== null && ends.length === 1) this.chosen(ends[0]);
      else if (begins.length && begins[0].path !== null) this.select(cell, begins);
      else if (begins.length === 1) this.chosen(begins[0]);
      else if (ends.length === 1) this.chosen(ends[0]);
      else if (begins.length) this.asks(`Which one: ${begins.map(one => one.name).join(", ")}? Take it from the list.`);
      else this.asks("There is no move there.");
    }

    select(cell, begins) {
      this.selected = cell;
      for (const button of this.all()) {
        button.classList.toggle("selected", Number(button.dataset.cell) === cell);
        button.classList.toggle("target", begins.some(one => one.cells[1] === Number(button.dataset.cell)));
      }
      this.asks(`Where to? ${begins.map(one => one.name).join(", ")}.`);
    }

    key(event) {
      const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
      const from = event.target.closest("td");
      if (!from || !(event.key in steps)) return;
      event.preventDefault();
      const [down, right] = steps[event.key];
      const grid = [...this.place.querySelectorAll("tr")].map(row => [...row.children]);
      let [row, column] = [from.parentElement.rowIndex, from.cellIndex];
      do [row, column] = [row + down, column + right]; while (grid[row]?.[column] && !grid[row][column].firstElementChild);
      const next = grid[row]?.[column]?.firstElementChild;
      if (!next) return;
      this.rove(next);
      next.focus();
    }
  }

  /** Return a curve through points [x, y] as SVG, y from `low` to `high`, with a rule at 0; x as `across` of it says. */
  function curve(points, { low, high, label, height = 150, across = x => x, signed = true }) {
    const [width, left, around] = [320, 34, 10];
    const most = Math.max(...points.map(([x]) => across(x)), 1e-9);
    const least = Math.min(...points.map(([x]) => across(x)));
    const x = value => left + (most > least ? (across(value) - least) / (most - least) : 0) * (width - left - around);
    const y = value => height - around - (high > low ? (value - low) / (high - low) : 0) * (height - 2 * around);
    const line = points.map(([one, other]) => `${x(one).toFixed(1)},${y(other).toFixed(1)}`).join(" ");
    const [lastX, lastY] = points.at(-1);
    const texts = [...new Set([low, 0, high])].map(value => `<text x="${left - 5}" y="${y(value) + 4}">${value > 0 && signed ? "+" : ""}${String(value).replace("-", "\u2212")}</text>`);
    return `<svg class="drawn-curve" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(label)}">`
      + `<path d="M${left} ${y(0)}H${width - around}"/><polyline points="${line}"/>`
      + `<circle cx="${x(lastX)}" cy="${y(lastY)}" r="3"/>${texts.join("")}</svg>`;
  }

  Object.assign(menace, { Game, Hands, amountText, buttons, colourOf, counted, curve, escaped, joined, marksOf, nameOf, percent, rows });
})(globalThis.menace ??= {});
