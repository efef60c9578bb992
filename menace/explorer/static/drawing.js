// Draw boards, boxes, changes and curves as HTML and SVG, using the wording in text/narration.toml. A board has a `shape` and `pieces`. A move has a
// `name` and the piece that it `places`. A move also has either `cells` or an `arrow`. An arrow has a `path`, and so do two `cells` that form a pair.
"use strict";
(menace => {
  const { amountText, counted, escaped, joined, opening, percent, phrase, thousands } = menace;
  const [GAP, DEAD, STONE] = ["|", "#", "\u25cf"]; // as in menace/games/base.py
  const CONTENT_NAMES = { "": "empty", [STONE]: "stone", [DEAD]: "dead" }; // names of the clauses without the prefix `on_cell_`
  const KINDS = { X: "x", O: "o", [GAP]: "gap", [DEAD]: "dead" };
  const MAX_WIDE_COLUMNS = 3; // boards with more columns show "wins 3" instead of "wins in 3"
  const MAX_POINTS_WITH_MARKS = 400; // longer curves have no marks for individual points
  const MAX_CHANGED_BEADS = 8; // maximum number of beads drawn beside a change
  const MARKS_APART = 14; // the minimum distance between visible marks, as in menace/explorer/content/curves.py
  const RESULTS = ["wins", "draws", "losses"]; // as in menace/text/wording.py; these are also the names of the clauses
  const MAX_TICKS = 8;
  const DASHES = ["", "7 3", "2 3", "9 3 2 3", "12 4", "4 2 1 2", "1 4", "14 3 3 3"]; // as in templates/menace_curves.html

  // Boards for viewing. A mark is a move with its `verdict`, its `share`, and the texts of its `amount` and `colour`.

  const bead = mark => (mark.colour ? `;--bead:${mark.colour}` : "");
  const styled = mark => `style="--s:${mark.share.toFixed(2)}${bead(mark)}"`;
  const inRows = (cells, width) => cells.map((cell, at) => (at % width ? cell : `<tr>${cell}`)).join("");

  /** Return the rows of a table, as in menace/exporting/board_html.py. Each cell contains its piece, or the amount of the move shown there. */
  function rows({ shape: [height, width], pieces }, marks) {
    const arrows = marks.filter(mark => mark.path !== null);
    const cells = pieces.map((piece, cell) => cellHtml(piece, marks.filter(mark => mark.path === null && mark.cells[0] === cell)));
    const spans = marks.filter(mark => mark.path === null && mark.cells.length > 1).map(mark => `<path class=span d="${spanPath(mark.cells, width)}"/>`);
    const paths = spans.join("") + arrows.map(mark => `<path class=${mark.verdict[0]} ${styled(mark)} d="${mark.path}">`
      + `<title>${escaped(mark.name)}: ${mark.amount}</title></path>`).join("");
    if (paths) cells[0] += `<svg class=arrows style="--c:${width};--r:${height}" viewBox="0 0 ${width} ${height}">${paths}</svg>`;
    if (!arrows.length) return inRows(cells, width);
    const named = marks.map(mark => `<span class=${mark.verdict[0]} ${styled(mark)}>${escaped(mark.name)} <b>${mark.amount}</b></span>`);
    return `${inRows(cells, width)}<tfoot><tr><td colspan=${width}>${named.join("")}`;
  }

  /** Return the path through the cells of a move that has several cells. */
  const spanPath = (cells, width) => `M${cells.map(cell => `${(cell % width + 0.5).toFixed(1)} ${(Math.floor(cell / width) + 0.5).toFixed(1)}`).join("L")}`;

  const offsetOf = mark => ({ "": 0, X: -0.25 })[mark.places] ?? 0.25;

  function cellHtml(piece, marks) {
    const kind = KINDS[piece] ?? "piece";
    if (piece === GAP || piece === DEAD) return `<td class=${kind}>`;
    if (!marks.length) return piece ? `<td class=${kind}>${escaped(piece)}` : "<td>";
    if (marks[0].places) {
      const put = mark => `<span class="put ${offsetOf(mark) < 0 ? "first" : "second"} ${mark.verdict[0]}" ${styled(mark)}`
        + ` title="${escaped(mark.name)}"><b>${escaped(mark.places)}</b>${mark.amount}</span>`;
      return `<td>${[...marks].sort((a, b) => offsetOf(a) - offsetOf(b)).map(put).join("")}`;
    }
    const under = piece ? `<span class=${kind}>${escaped(piece)}</span>` : "";
    return `<td class=${marks[0].verdict[0]} ${styled(marks[0])}>${under}${marks[0].amount}`;
  }

  /** Return the table rows for a box, which show its board with the amounts of its moves. */
  const boxRows = box => rows(box, box.moves.map(move => ({ ...move, share: move.share ?? 0, amount: amountText(move.amount, box.unit) })));

  // Boards for playing.

  const isPair = move => move.path !== null && !move.arrow; // whether a move consists of two cells, which can be clicked in either order
  const begins = (move, cell) => (isPair(move) ? move.cells.includes(cell) : (move.arrow ?? move.cells)[0] === cell);
  /** Return whether a move ends at the given cell and, if a cell is selected, begins at the selected cell. */
  const ends = (move, cell, selected) => {
    if (isPair(move)) return move.cells.includes(cell) && cell !== selected && (selected === null || move.cells.includes(selected));
    const [start, end] = move.arrow ?? [move.cells[0], move.cells[0]];
    return end === cell && (selected === null || start === selected);
  };

  /** Return the best move: the fastest win or, if there is none, the move after which the game lasts longest. */
  function bestOf(moves) {
    const rank = ({ verdict, ends_in }) => menace.clauses.verdicts.indexOf(verdict) * 1e6 + (verdict === "wins" ? ends_in : -ends_in);
    return moves.reduce((best, move) => (rank(move) < rank(best) ? move : best), moves[0]);
  }

  /** Return the value of a move in words: the result under perfect play, and the number of moves until the game ends. */
  const worthText = (move, clause = "ends_in") => phrase(clause, { verdict: phrase(`verdict_${move.verdict}`), moves: move.ends_in });

  /** Return the paths of strokes through the lines whose cells all contain the same piece, as in menace/drawing/boards.py. */
  function strokes(lines, pieces, width) {
    const middle = cell => [cell % width + 0.5, Math.floor(cell / width) + 0.5];
    return lines.filter(line => pieces[line[0]] && line.every(cell => pieces[cell] === pieces[line[0]])).map(line => {
      const [from, to] = [middle(line[0]), middle(line.at(-1))];
      const beyond = to.map((end, axis) => 0.3 * Math.sign(end - from[axis]));
      return [`M${from.map((end, axis) => Number((end - beyond[axis]).toFixed(2))).join(" ")}L${to.map((end, axis) => Number((end + beyond[axis]).toFixed(2))).join(" ")}`, pieces[line[0]]];
    });
  }

  /**
   * Return a board as a table of buttons, only one of which the Tab key reaches. `cells` contains the names of the cells, as in drawing/boards.py. `moves`
   * are the moves that clicks make. `before` contains the pieces before the last move, so that the cells of that move can be marked.
   */
  function buttons({ shape: [height, width], pieces, before = pieces, cells }, moves, label) {
    const first = pieces.findIndex(piece => piece !== GAP);
    const drawn = pieces.map((piece, cell) => (piece === GAP ? "<td></td>"
      : button(piece, cell, { cells, moves, width, reached: cell === first, last: piece !== before[cell], edge: edgeNames(cells, cell, width, height) })));
    const struck = strokes(cells.lines, pieces, width).map(([path, piece]) => `<path class="struck" d="${path}" data-by="${KINDS[piece] ?? ""}"/>`);
    const paths = [...moves.filter(move => move.path !== null).map(move => `<path class="${move.verdict}" d="${move.path}"/>`), ...struck].join("");
    const arrows = paths && `<svg class="arrows" viewBox="0 0 ${width} ${height}" aria-hidden="true">${paths}</svg>`;
    return `<table class="board" data-board aria-label="${escaped(label)}" style="--columns:${width}">${inRows(drawn, width)}</table>${arrows}`;
  }

  /** Return the names of a cell's row and column, each only if the cell is at the edge where that name is shown. */
  function edgeNames({ coordinates: [ranks, files] }, cell, width, height) {
    const [row, column] = [Math.floor(cell / width), cell % width];
    const beside = { rank: column === 0 && ranks[row], file: row === height - 1 && files[column] };
    return Object.entries(beside).map(([kind, name]) => (name ? `<span class="${kind}" aria-hidden="true">${escaped(name)}</span>` : "")).join("");
  }

  function button(piece, cell, { cells, moves, width, reached, last, edge }) {
    const here = moves.filter(move => begins(move, cell));
    const best = bestOf(here);
    const worth = best ? ` data-worth="${best.verdict}" data-ends="${escaped(worthText(best, width > MAX_WIDE_COLUMNS ? "ends_in_short" : "ends_in"))}" data-says="${escaped(worthText(best))}"` : "";
    const still = here.length || moves.some(move => ends(move, cell, null)) ? "" : ' aria-disabled="true"';
    const what = [cells.places[cell], CONTENT_NAMES[piece] ? phrase(`on_cell_${CONTENT_NAMES[piece]}`) : piece, ...(last ? [phrase("last_move")] : [])].join(", ");
    const name = cells.names[cell] ? `<span class="name" aria-hidden="true">${escaped(cells.names[cell])}</span>` : "";
    const looks = [piece === DEAD && "dead", last && "last"].filter(Boolean).join(" ");
    const kind = piece === STONE ? "stone" : KINDS[piece] ?? "";
    return `<td><button type="button" data-cell="${cell}" tabindex="${reached ? 0 : -1}" data-label="${escaped(what)}"`
      + ` aria-label="${escaped(what)}"${worth}${still}${looks && ` class="${looks}"`}>`
      + `${name}<span class="piece ${kind}">${piece === DEAD ? "" : escaped(piece)}</span></button>${edge}</td>`;
  }

  // Boxes, and the changes that a game made in them.

  const paragraph = (clause, parts) => `<p>${escaped(opening(clause, parts))}.</p>`;

  /** Draw the box that a machine opened: a board and its `moves`, each with its `names`. `drawn` is the index of the drawn move. If `unit` is null, there is no box. */
  function openBox(view) {
    const parts = { ...view, kind: phrase(`kind_${view.kind}`) };
    if (view.moves.length === 1 && view.moves[0].names.length === 1) return paragraph("one_left", parts);
    if (view.unit === null) return paragraph("no_box", parts);
    const heads = [parts.kind, phrase(`unit_${view.unit}`), phrase("share")].map(text => `<th>${escaped(text)}</th>`).join("");
    const head = `<tr>${heads}<th class="worth">${escaped(phrase("worth_word"))}</th></tr>`;
    const body = view.moves.map((move, row) => boxRow(move, row, view.unit, row === view.drawn)).join("");
    const drawing = isDrawn(view) ? menace.matchbox(view)
      : `<p>${escaped(view.title)}</p><table class="small">${boxRows(view)}</table>`;
    return `${drawing}<details class="numbers"${isDrawn(view) ? "" : " open"}><summary>${opening("in_numbers")}</summary>${isDrawn(view) ? `<p class="hint">${escaped(menace.contentsText(view))}</p>` : ""}<table class="moves"><thead>${head}</thead><tbody>${body}</tbody></table></details>`;
  }

  function boxRow(move, row, unit, drawn) {
    const { amount, share, verdict } = move;
    const bead = move.colour ? `<i class="dot" style="--bead:${move.colour}"></i> ` : "";
    return `<tr${drawn ? ' class="drawn"' : ""} data-row="${row}"><th scope="row"><span class="name">${escaped(joined(move.names))}</span></th>`
      + `<td>${bead}${amountOf(amount, unit)}</td><td class="share" style="--s:${(share ?? 0).toFixed(3)}">${share === null ? "" : escaped(percent(share))}</td>`
      + `<td class="worth ${verdict}">${phrase(`verdict_${verdict}`)}</td></tr>`;
  }

  /** Return an amount as text. The word `beads` follows a number of beads; values and odds have four significant digits. */
  function amountOf(amount, unit) {
    if (unit === "beads") return counted(amount, "bead");
    const short = Number(menace.withoutNoise(amount).toPrecision(4));
    return short === 0 || (Math.abs(amount) >= 1e-4 && Math.abs(amount) < 1e4) ? String(short) : short.toExponential();
  }

  /**
   * Draw the changes that a game made in a box, given as a board and its `moves` with `before`, `after` and the beads `put_back`. `saw` is the box as
   * it was when the machine opened it, if that is known.
   */
  function changedBox(box, saw, most = false) {
    const learnedOf = move => move.after - move.before - move.put_back;
    const total = saw?.unit === "beads" ? saw.moves.reduce((sum, move) => sum + move.amount, 0) : 0;
    const totalAfter = total + box.moves.reduce((sum, move) => sum + learnedOf(move), 0);
    const moves = box.moves.map(move => {
      const whole = [move.before, move.after].every(Number.isInteger);
      const written = number => (whole ? thousands(number) : number.toFixed(4));
      const learned = learnedOf(move);
      const amount = `${learned < 0 ? "" : "+"}${amountText(learned, whole ? "beads" : "value")}`;
      const verdict = menace.clauses.verdicts[1 - Math.sign(learned)]; // an increase has the colour of a win, and a decrease has the colour of a loss
      return { ...move, share: 0, amount, verdict, learned, change: phrase("change", { before: written(move.before), after: written(move.after) }) };
    });
    const lines = moves.map(move => {
      const [often, change] = total && totalAfter ? oftenTexts(move, total, totalAfter)
        : ["", move.put_back ? phrase("put_back", { change: move.change, beads: thousands(move.put_back) }) : move.change];
      const place = move.names.length ? menace.placeOf(saw ?? { ...box, kind: "" }, rowOf(saw, move)) : phrase("this_board");
      return `<li><b class="${move.verdict}">${move.amount}</b>${changedBeadsHtml(move)} <small>${escaped(place)}${often && `, ${often}`}<span>: ${change}</span></small></li>`;
    });
    const named = moves.filter(move => move.names.length);
    const after = named.map(({ share, ...move }) => ({ ...rowOf(saw, move), amount: move.after }));
    const board = !isDrawn(box) ? `<table class="small">${rows(box, named)}</table>` : !saw ? menace.closedMatchbox({ ...box, moves: after })
      : smallBox({ ...saw, taken: named.some(move => move.learned < 0), moves: saw.moves.map(move => after.find(({ names }) => joined(names) === joined(move.names)) ?? move) }, menace.smallBeadScale([saw]));
    return `<div class="changed${most ? " most" : ""}">${board}<ul>${lines.join("")}</ul></div>`;
  }

  /**
   * Return the box in which a game changed a move's share most, or null if no opened box has beads. The result includes a `text` that describes
   * this move, the `cell` of the move, and `details`: how often the machine makes the move, and which move would have been better under perfect play.
   * `sawOf` returns a changed box as it was when opened. A better move is named only if the machine has not won.
   */
  function meaningOf(changes, sawOf, { outcome, person } = {}) {
    const sum = moves => moves.reduce((total, move) => total + move, 0);
    const seen = changes.map(sawOf).filter(saw => saw?.unit === "beads");
    const shifts = changes.filter(box => seen.includes(sawOf(box))).flatMap(box => {
      const saw = sawOf(box);
      const [total, put] = [sum(saw.moves.map(move => move.amount)), sum(box.moves.map(move => move.put_back))];
      const added = sum(box.moves.map(move => move.after - move.before)) - put;
      return box.moves.map(move => ({ box, saw, move: rowOf(saw, move), before: (move.before + move.put_back) / total, now: move.after / (total + added) }));
    }).filter(({ now, before }) => Number.isFinite(now) && before > 0);
    if (!shifts.length) return null;
    const { box, saw, move, before, now } = shifts.reduce((most, shift) => (Math.abs(shift.now - shift.before) > Math.abs(most.now - most.before) ? shift : most));
    const [then, often] = [before, now].map(share => Math.round(10 * share));
    const change = now > before ? then === often ? "little_more" : "more_often" : then === often ? "little_less" : "less_often";
    const place = menace.placeOf(saw, move);
    const hasMissed = outcome === "draw" || outcome === person;
    const details = [now && then !== often ? opening("times_in_ten", { before: then, now: often }) : "", hasMissed && outcome ? missedText(seen, saw, now > before) : ""].filter(Boolean);
    const text = `${opening(now ? "will_do" : "will_not_again", { place, often: phrase(change) })}.`;
    return { box, text, cell: saw.kind === "cell" ? (move.marks ?? [move])[0].cells[0] : null, details: details.map(part => `${part}.`).join(" ") };
  }

  /** Say which move would have been better, preferably in the box `main`, or else in the last box with a mistake. */
  function missedText(seen, main, gains) {
    const rank = ({ verdict, ends }) => menace.clauses.verdicts.indexOf(verdict) - (verdict === "wins" && ends ? 0.5 : 0);
    const bestIn = saw => saw.moves.reduce((best, move) => (rank(move) < rank(best) ? move : best));
    const saw = [...seen, main].findLast(({ moves, drawn }) => drawn !== null && rank(bestIn({ moves })) < rank(moves[drawn]));
    if (!saw) return "";
    const best = bestIn(saw);
    return opening(best.verdict !== "wins" ? "would_draw" : gains ? "missed_win" : "would_win", { place: menace.upper(menace.placeOf(saw, best)) });
  }

  /** Draw the boxes that a game changed. `opened` contains the boxes as they were when opened. Return the drawing, and, if a box has beads, a text as HTML and the cell of the most changed move. */
  function changedBoxes(changes, opened, scene) {
    const sawOf = box => opened.find(saw => saw.board === box.board);
    const meaning = meaningOf(changes, sawOf, scene);
    return [changes.map(box => changedBox(box, sawOf(box), box === meaning?.box)).join(""), meaning && `${escaped(meaning.text)} <small>${escaped(meaning.details)}</small>`, meaning?.cell];
  }

  /** Return a headline that tells the person how the game ended. `name` is the name of the machine. */
  const endText = ({ outcome, person }, name) => opening(outcome === "draw" ? "end_draw" : outcome === person ? "end_win" : "end_loss", { name });

  /** Say whether a machine will make a move more or less often than before the game, and how often. The totals are the numbers of beads in the box. */
  function oftenTexts({ before, put_back, after }, total, totalAfter) {
    const [then, now] = [(before + put_back) / total, after / totalAfter].map(share => Math.round(100 * share));
    return [phrase(!after ? "no_longer" : now > then ? "more_often" : now < then ? "less_often" : "as_often"), phrase("times_in_hundred", { before: then, after: now })];
  }

  /** Return the changed move as it was in the opened box, or the change itself if the opened box is not known. */
  const rowOf = (saw, changed) => saw?.moves.find(move => joined(move.names) === joined(changed.names)) ?? changed;

  /** Draw the beads that a game adds to a box or removes from it. */
  function changedBeadsHtml({ colour, learned }) {
    if (!colour || !learned) return "";
    const dot = `<i class="dot ${learned > 0 ? "comes" : "goes"}" style="--bead:${colour}"></i>`;
    return ` <span class="moved" aria-hidden="true">${dot.repeat(Math.min(Math.abs(learned), MAX_CHANGED_BEADS))}</span>`;
  }

  /** Return a small picture of a box: either a matchbox in which each drawn bead stands for `each` beads, or a board with values. */
  function smallBox(box, each) {
    const label = phrase(box.number === null ? "values_for" : "box_for", box);
    return isDrawn(box) ? menace.smallMatchbox(box, each, label) : `<table class="small" aria-label="${escaped(label)}">${boxRows(box)}</table>`;
  }

  /** Return a large picture of a box, like that of `smallBox`, or an empty string if there is no box. */
  function largeBox(box) {
    if (!box || !isDrawn(box)) return box ? smallBox(box, 1) : "";
    const kind = box.moves.some(move => move.path || move.cells.length > 1) ? "move" : "cell";
    return menace.matchbox({ ...box, kind, title: phrase("box_for", box), moves: box.moves.map(move => ({ ...move, names: [move.name] })) });
  }

  /** Return whether a box contains beads with known colours. */
  const isDrawn = box => box.moves.every(move => move.colour);

  // Curves of amounts against the number of games. `lines` are pairs [name, points], and points are pairs [games, amount].

  const signed = digits => value => `${value < 0 ? "" : "+"}${value.toFixed(digits)}`;
  const VALUE = { ticks: [1, 0.5, 0, -0.5, -1], text: signed(1), exactly: signed(4) };
  const PERCENT = { ticks: [0, 50, 100], text: value => `${value}%`, exactly: value => `${value.toFixed(1)}%` };

  /** Return curves as SVG. The axis for games is logarithmic or linear. */
  function curves(lines, { ticks, text = String, exactly = String, label, logarithmic = true, height = 140 }) {
    const [width, left, top] = [330, 44, 12];
    const [foot, end, low, high] = [top + height, left + width, Math.min(...ticks), Math.max(...ticks)];
    const games = lines.flatMap(([, points]) => points.map(([number]) => number));
    const first = games.length ? Math.min(...games) : 0;
    const last = Math.max(logarithmic ? 0 : 1, ...games) - first;
    const part = number => (logarithmic ? Math.log1p(number - first) / Math.log1p(last) : (number - first) / last);
    const place = ([number, amount]) => [left + (last ? part(number) * width : 0), top + (high - amount) / (high - low) * height];
    const upwards = ticks.map(tick => [tick, place([first, tick])[1]]).map(([tick, y]) =>
      `<path class="grid" d="M${left} ${y.toFixed(1)}H${end}"/><text x="${left - 6}" y="${(y + 4).toFixed(1)}" text-anchor="end">${text(tick)}</text>`);
    const across = axisNumbers(first, last, logarithmic).map(number => [number, place([number, 0])[0].toFixed(1)]).map(([number, x]) =>
      `<path class="axis" d="M${x} ${foot}v4"/><text x="${x}" y="${foot + 17}" text-anchor="middle">`
      + `${number === first || !logarithmic ? thousands(number) : (first ? "+" : "") + gamesText(number - first)}</text>`);
    const drawn = lines.map(([name, points], hue) => lineSvg(name, points, points.map(place), hue % DASHES.length, exactly));
    return `<svg class="curves narrow" viewBox="0 0 ${end + 12} ${foot + 40}" role="img" aria-label="${escaped(label)}">`
      + `<path class="axis" d="M${left} ${top}V${foot}H${end}"/>${upwards.join("")}${across.join("")}`
      + `<text x="${end}" y="${foot + 34}" text-anchor="end">${escaped(phrase(logarithmic ? "games_learned" : "games"))}</text>${drawn.join("")}</svg>`;
  }

  function lineSvg(name, points, places, hue, exactly) {
    if (!points.length) return "";
    const apart = marksApart(places);
    const circles = points.length > MAX_POINTS_WITH_MARKS ? [] : places.map(([x, y], at) => `<circle${apart[at] ? "" : ' class="hidden"'} cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="2.5">`
      + `<title>${escaped(phrase("point", { line: name, amount: exactly(points[at][1]), games: counted(points[at][0], "game") }))}</title></circle>`);
    const path = places.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
    return `<g class="hue-${hue}"><path class="line hue-${hue}" stroke-dasharray="${DASHES[hue]}" d="M${path}"/>${circles.join("")}</g>`;
  }

  /** Return, for each point of a curve, whether its mark is far enough from the next visible mark. */
  function marksApart(places) {
    let next = [Infinity, 0];
    return places.toReversed().map(place => {
      const apart = Math.hypot(place[0] - next[0], place[1] - next[1]) >= MARKS_APART;
      if (apart) next = place;
      return apart;
    }).reverse();
  }

  /** Return the numbers of games to show below an axis. */
  function axisNumbers(first, last, logarithmic) {
    if (!logarithmic) return [first, first + last];
    const powers = Array.from({ length: 19 }, (_, power) => 10 ** power).filter(power => power <= last);
    const step = Math.ceil(powers.length / MAX_TICKS) || 1;
    return [first, ...powers.filter((_, at) => at % step === 0).map(power => first + power)];
  }

  /** Return a round number of games in the form shown on an axis, such as 10k. */
  function gamesText(games) {
    const [size, letter] = [[1e9, "G"], [1e6, "M"], [1e3, "k"]].find(([least]) => games >= least) ?? [1, ""];
    return `${games / size}${letter}`;
  }

  /** Return a curve of a machine's score after each game, as in Michie's "Trial and error" (Science Survey 2, 1961). */
  function scoreCurve(name, score, draws) {
    const ticks = [...new Set([Math.min(0, ...score), 0, Math.max(1, ...score)])];
    const label = opening(draws ? "score_drawn" : "score_drawn_without_draws", { name, points: score.slice(-20).join(", ") });
    return curves([[name, score.map((points, games) => [games, points])]], { ticks, label, logarithmic: false });
  }

  Object.assign(menace, {
    PERCENT, RESULTS, VALUE, begins, boxRows, buttons, changedBox, changedBoxes, curves, endText, ends, isDrawn, largeBox, meaningOf, openBox, paragraph, rows, scoreCurve, smallBox, worthText,
  });
})(globalThis.menace ??= {});
