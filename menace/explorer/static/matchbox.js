// Draw a matchbox as SVG, seen from above: the sleeve with its board, the open drawer, and the V-shaped piece of card with one bead at rest in
// its corner. A `view` has the form that `openBox` in drawing.js accepts: a board and its moves, with the number and colour of their beads.
"use strict";
(menace => {
  const [GAP, DEAD, STONE] = ["|", "#", "\u25cf"]; // as in menace/games/base.py
  const WIDTH = 420;
  const SLEEVE = 150; // the height of the visible part of the sleeve
  const HEIGHT = 484;
  const RADIUS = 12; // the radius of a bead
  const [EDGE, WALL] = [7, 18]; // the distances from the side of the sleeve to the outside and inside of the drawer
  const TIP = 436; // y coordinate of the corner of the V
  const SHOULDER = 306; // y coordinate at which the V meets the walls
  const PARTIAL_SIZE = 0.6; // relative size of a bead that stands for fewer beads than the others
  const MAX_BEADS = 72; // maximum number of beads drawn in one box
  const MAX_NAMES = 3; // maximum number of equivalent moves that are listed
  const [SMALL_RADIUS, MAX_SMALL_BEADS] = [23, 24]; // the radius and maximum number of beads in a small picture
  const [SMALL_SLEEVE, SMALL_TOP] = [216, 215]; // in a small picture, the height of the sleeve and the y coordinate of the visible drawer
  const MAX_SHARES = 4; // maximum number of lines on a sleeve
  const MAX_PUSHED = 84; // how far a drawer can be pushed in without hiding beads
  const MIN_SIZE = 0.45; // relative size of the bead on the sleeve for a share of 0

  const { escaped } = menace;
  const at = number => Number(number.toFixed(1));

  /** Return a generator of random numbers between 0 and 1; the seed is a string. */
  function randomNumbers(text) {
    let state = [...text].reduce((hash, sign) => Math.imul(hash ^ sign.charCodeAt(0), 16777619), 2166136261) >>> 0;
    return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  }

  /** Return the number of beads that each bead in the picture stands for, chosen so that every box has room for its beads. */
  const beadScale = (totals, most = MAX_BEADS) => Math.max(1, ...totals.map(total => Math.ceil(total / most)));

  /** Return the move of each bead in the picture, at least one for each move that has beads. The drawn bead comes first; the others are shuffled. */
  function shuffledBeads(view, each) {
    const beads = view.moves.flatMap((move, row) => Array(move.amount ? Math.max(1, Math.round(move.amount / each)) : 0).fill(row));
    const random = randomNumbers(view.board + beads.length);
    for (let last = beads.length - 1; last > 0; last -= 1) {
      const other = Math.floor(random() * (last + 1));
      [beads[last], beads[other]] = [beads[other], beads[last]];
    }
    const first = beads.indexOf(view.drawn);
    if (first > 0) [beads[0], beads[first]] = [beads[first], beads[0]];
    return beads;
  }

  /** Return the coordinates of `count` beads at rest, starting at the corner of the V and going upwards. */
  function beadPlaces(count, radius, random) {
    const [slope, inside, swing] = [(WIDTH / 2 - WALL) / (TIP - SHOULDER), WIDTH / 2 - WALL - radius - 1, radius / 4];
    const heap = [[WIDTH / 2, TIP - radius * 2.1]];
    for (let y = TIP - radius * 3.9; heap.length < count; y -= radius * 1.78) {
      const half = Math.min(inside, (TIP - y) * slope - radius * 1.9);
      const beads = Math.min(1 + Math.floor(half / radius / 1.04), count - heap.length);
      for (let bead = 0; bead < beads; bead += 1) {
        heap.push([WIDTH / 2 + (bead - (beads - 1) / 2) * radius * 2.06 + (random() - 0.5) * swing, y + (random() - 0.5) * swing]);
      }
    }
    return heap;
  }

  const bead = (x, y, radius, colour, more = "") => `<g class="bead${more}" transform="translate(${at(x)} ${at(y)})"><circle r="${radius}" fill="${colour}"/>`
    + `<circle class="hole" r="${at(radius * 0.26)}"/><path class="shine" d="M${at(-radius * 0.62)} ${at(-radius * 0.18)}A${at(radius * 0.65)} ${at(radius * 0.65)} 0 0 1 ${at(-radius * 0.1)} ${at(-radius * 0.64)}"/></g>`;

  /** Return the board on a sleeve, drawn in a square of the given size, with a bead of the right colour at each move. */
  function boardSvg(view, x, y, side) {
    const [height, width] = view.shape;
    const cell = side / Math.max(height, width);
    const [left, top] = [x + (side - cell * width) / 2, y + (side - cell * height) / 2];
    const middle = number => [left + (number % width + 0.5) * cell, top + (Math.floor(number / width) + 0.5) * cell];
    const pieces = view.pieces.map((piece, number) => pieceSvg(piece, ...middle(number), cell));
    const lines = [];
    for (let column = 1; column < width; column += 1) lines.push(`M${at(left + column * cell)} ${at(top)}v${at(cell * height)}`);
    for (let row = 1; row < height; row += 1) lines.push(`M${at(left)} ${at(top + row * cell)}h${at(cell * width)}`);
    const marks = view.moves.flatMap((move, row) => (move.marks ?? [move]).map(({ cells, path }, also) => {
      const drawn = row === view.drawn && !also;
      if (!move.colour || (!move.amount && !drawn)) return "";
      if (path) return `<path class="way" transform="translate(${at(left)} ${at(top)}) scale(${at(cell)})" stroke="${move.colour}" d="${path}"/>`;
      const [x, y] = middle(cells[0]);
      const beside = move.places ? (move.places === "X" ? -0.24 : 0.24) : 0; // two moves may put different pieces into the same cell
      const ring = drawn ? `<circle class="ring" cx="${at(x + beside * cell)}" cy="${at(y)}" r="${at(cell * 0.36)}"/>` : "";
      const size = move.share === undefined ? 1 : MIN_SIZE + (1 - MIN_SIZE) * Math.sqrt(move.share);
      return (move.amount ? bead(x + beside * cell, y, at(cell * (beside ? 0.2 : 0.28) * size), move.colour) : "") + ring;
    }));
    return `<path class="grid" d="${lines.join("")}"/>${pieces.join("")}${marks.join("")}`;
  }

  function pieceSvg(piece, x, y, cell) {
    const reach = at(cell * 0.26);
    if ("XO".includes(piece) && piece && globalThis.document?.body?.classList?.contains("pawns")) {
      const points = getComputedStyle(document.body).getPropertyValue("--pawn").match(/\d+/g);
      return `<polygon class="pawn-${piece.toLowerCase()}" transform="translate(${at(x - cell * 0.36)} ${at(y - cell * 0.36)}) scale(${at(cell * 7.2) / 1000})" points="${points.join(" ")}"/>`;
    }
    if (piece === "X") return `<path class="cross" stroke-width="${at(cell * 0.11)}" d="M${at(x - reach)} ${at(y - reach)}l${reach * 2} ${reach * 2}m0 ${-reach * 2}l${-reach * 2} ${reach * 2}"/>`;
    if (piece === "O") return `<circle class="nought" stroke-width="${at(cell * 0.11)}" cx="${at(x)}" cy="${at(y)}" r="${reach}"/>`;
    if (piece === STONE) return `<circle class="stone" cx="${at(x)}" cy="${at(y)}" r="${reach}"/>`;
    if (piece === DEAD) return `<rect class="stone" x="${at(x - cell / 2)}" y="${at(y - cell / 2)}" width="${at(cell)}" height="${at(cell)}"/>`;
    return piece === GAP || !piece ? "" : `<text x="${at(x)}" y="${at(y + cell * 0.25)}" font-size="${at(cell * (piece.length > 1 ? 0.55 : 0.7))}" text-anchor="middle">${escaped(piece)}</text>`;
  }

  const total = view => view.moves.reduce((sum, move) => sum + move.amount, 0);

  /** Return a move's place in words if the move is a cell of a 3x3 board; otherwise return the move's name. */
  function placeOf(view, move) {
    const plain = view.kind === "cell" && view.shape.every(side => side === 3);
    const [name] = move.names;
    if (plain) return menace.phrase("the_place", { place: menace.phrase("nine_cells").split(", ")[(move.marks ?? [move])[0].cells[0]] });
    return move.names.length > MAX_NAMES ? menace.phrase("and_more", { name, more: move.names.length - 1 }) : menace.joined(move.names);
  }

  /** Say which bead lies in the tip of the opened box, and which move it stands for. Return an empty string if no bead was drawn. */
  function openedText(view) {
    const move = view?.moves[view.drawn];
    return move?.bead ? `${menace.opening("opened", { bead: colourName(move), place: placeOf(view, { ...move, names: move.names.slice(0, 1) }) })}.` : "";
  }

  /** Return a text explaining why some moves share a colour, or an empty string if none do. */
  function sharedColourText(view) {
    if (view.moves.every(move => move.names.length < 2)) return "";
    return menace.phrase(view.kind === "cell" || view.moves[0].path ? "mirrored" : "alike");
  }

  /** Return a drawer with beads of the given radius. If the drawn bead has been `taken` out, a dashed ring shows its place. */
  function drawerSvg(view, each, radius) {
    const beads = shuffledBeads(view, each);
    const places = beadPlaces(beads.length + Number(view.taken ?? 0), radius, randomNumbers(view.board));
    const heap = view.taken ? places.slice(1) : places;
    const lie = beads.map((row, number) => bead(...heap[number], view.moves[row].amount < each / 2 ? at(radius * PARTIAL_SIZE) : radius, view.moves[row].colour, !number && !view.taken && row === view.drawn ? " drawn" : ""));
    const ring = view.taken || (beads.length && beads[0] === view.drawn) ? `<circle class="ring${view.taken ? " taken" : ""}" cx="${WIDTH / 2}" cy="${at(places[0][1])}" r="${at(radius * (view.taken ? 1 : 1.3))}"/>` : "";
    const [left, right, inner, front] = [EDGE, WIDTH - EDGE, HEIGHT - 12, HEIGHT - 2];
    return `<rect class="drawer" x="${left}" y="${SLEEVE - 20}" width="${right - left}" height="${front - SLEEVE + 20}" rx="3"/>`
      + `<rect class="floor" x="${WALL}" y="${SLEEVE - 20}" width="${WIDTH - 2 * WALL}" height="${inner - SLEEVE + 20}"/>`
      + `<path class="wall" d="M${WALL} ${SLEEVE}V${inner}H${WIDTH - WALL}V${SLEEVE}h-7V${inner - 7}H${WALL + 7}V${SLEEVE}Z"/>`
      + `<path class="fold" d="M${left + 1} ${front - 1}L${WALL} ${inner}M${right - 1} ${front - 1}L${WIDTH - WALL} ${inner}"/>`
      + `<path class="card under" d="M${WALL} ${SHOULDER}L${WIDTH / 2} ${TIP}L${WIDTH - WALL} ${SHOULDER}V${inner}H${WALL}Z"/>`
      + `<path class="card" d="M${WALL} ${SHOULDER}L${WIDTH / 2} ${TIP}L${WIDTH - WALL} ${SHOULDER}"/><g class="beads">${lie.reverse().join("")}</g>${ring}`;
  }

  /** Return a small picture of a box: the sleeve, whose board shows beads sized by their shares, and the drawer. */
  const smallMatchbox = (view, each, label) => `<svg class="matchbox" viewBox="0 0 ${WIDTH} ${HEIGHT - SMALL_TOP + SMALL_SLEEVE}" role="img" aria-label="${escaped(label)}">`
    + `<g transform="translate(0 ${SMALL_SLEEVE - SMALL_TOP})">${drawerSvg(view, each, SMALL_RADIUS)}</g>${smallSleeve(view)}</svg>`;

  const smallSleeve = view => sleeve(SMALL_SLEEVE) + boardSvg(view, (WIDTH - SMALL_SLEEVE) / 2 + 18, 18, SMALL_SLEEVE - 36);

  /** Return a picture of a closed box. */
  const closedMatchbox = view => `<svg class="matchbox" viewBox="0 0 ${WIDTH} ${SMALL_SLEEVE + 4}" aria-hidden="true">${smallSleeve(view)}</svg>`;

  /** Return a picture of a box's drawer without the sleeve. */
  const smallDrawer = (view, each) => `<svg class="matchbox" viewBox="0 ${SMALL_TOP} ${WIDTH} ${HEIGHT - SMALL_TOP}" aria-hidden="true">${drawerSvg(view, each, SMALL_RADIUS)}</svg>`;

  /** Return the number of beads that each bead in small drawers stands for: 1, 2, 5, 10, ... This number rarely changes while a machine learns. */
  function smallBeadScale(views) {
    const least = beadScale(views.map(total), MAX_SMALL_BEADS);
    const power = 10 ** (String(least).length - 1);
    return power * [1, 2, 5, 10].find(step => step * power >= least);
  }

  /** Return the name of the colour of a move's beads. */
  const colourName = move => menace.phrase(`colour_${move.bead.replace(" ", "_")}`);

  const sleeve = height => `<rect class="shade" x="${EDGE}" y="${height}" width="${WIDTH - 2 * EDGE}" height="11"/><rect class="sleeve" x="2" y="2" width="${WIDTH - 4}" height="${height}" rx="3"/>`
    + `<path class="strike" d="M8 4V${height}M${WIDTH - 8} 4V${height}"/><path class="strike rough" d="M8 4V${height}M${WIDTH - 8} 4V${height}"/>`
    + `<rect class="frame" x="20" y="9" width="${WIDTH - 40}" height="${height - 15}" rx="2"/>`;

  /** Return the lines on the sleeve, one for each move in descending order of share; a line shows the move's bead, share and name. */
  function sharesSvg(view) {
    const all = total(view);
    const moves = view.moves.filter(move => move.amount).sort((a, b) => b.amount - a.amount);
    if (moves.length > 1 && moves.every(({ amount }) => amount === moves[0].amount)) {
      return `${moves.map((move, place) => bead(172 + Math.min(24, 220 / moves.length) * place, 76, 9, move.colour)).join("")}<text class="held" x="162" y="112">${escaped(menace.phrase("equal_shares", { count: moves.length }))}</text>`;
    }
    const few = moves.length > MAX_SHARES ? moves.slice(0, MAX_SHARES - 1) : moves;
    const rest = moves.slice(few.length);
    const lines = few.map(move => [bead(164, 0, 8, move.colour), move.bead ? colourName(move) : placeOf(view, move), move.amount]);
    if (rest.length) lines.push(["", menace.phrase("others", { others: rest.length }), rest.reduce((sum, move) => sum + move.amount, 0)]);
    const shareText = amount => `${Math.round(100 * amount / all) || "<1"}%`;
    return lines.map(([mark, name, amount], line) => `<g transform="translate(0 ${67 + line * 21})">${mark}<text class="held share" x="232" y="6" text-anchor="end">${escaped(shareText(amount))}</text>`
      + `<text class="held" x="242" y="6">${escaped(name)}</text></g>`).join("");
  }

  /** Return the contents of a box in words: the number of beads, the scale of the picture, and why moves share a colour. */
  const contentsText = (view, each = beadScale([total(view)])) => [menace.counted(total(view), "bead"),
    each > 1 ? menace.phrase("beads_each", { each: menace.amountText(each, "beads") }) : "", sharedColourText(view)].filter(Boolean).join("; ");

  /** Return a box of beads as SVG. `each` is the number of beads that each drawn bead stands for. The drawer is pushed in by `pushed`, at most MAX_PUSHED. */
  function matchbox(view, each = beadScale([total(view)]), pushed = 0) {
    const title = view.number === null ? menace.counted(total(view), "bead") : menace.phrase("shelf_number", { number: view.number });
    const move = view.moves[view.drawn];
    const says = move?.bead ? menace.phrase("bead_at", { bead: colourName(move), place: placeOf(view, move) }) : "";
    const label = [view.title, says].filter(Boolean).join(", ");
    const told = says && `<text class="says" x="${WIDTH / 2}" y="${HEIGHT - 22}" text-anchor="middle">${escaped(says)}</text>`;
    return `<svg class="matchbox" viewBox="0 0 ${WIDTH} ${HEIGHT - pushed}" role="img" aria-label="${escaped(label)}">${view.moves.length ? `<title>${escaped(contentsText(view, each))}</title>` : ""}`
      + `<g transform="translate(0 ${-pushed})">${drawerSvg(view, each, RADIUS)}${told}</g>${sleeve(SLEEVE)}${boardSvg(view, 34, 20, 112)}<text class="title" x="160" y="44">${escaped(title)}</text>${sharesSvg(view)}</svg>`;
  }

  Object.assign(menace, { MAX_PUSHED, boardSvg, closedMatchbox, contentsText, matchbox, openedText, placeOf, smallBeadScale, smallDrawer, smallMatchbox });
})(globalThis.menace ??= {});
