// A matchbox as SVG, seen from above: the sleeve with its board, the drawer pulled out, and the V of card in whose corner one bead
// comes to rest. A view is what `openBox` of drawing.js takes: a board, and its moves with the amount and colour of their beads.
"use strict";
(menace => {
  const [GAP, DEAD, STONE] = ["|", "#", "\u25cf"]; // as menace/games/base.py
  const WIDTH = 420;
  const SLEEVE = 150; // height of what is seen of it
  const HEIGHT = 470;
  const RADIUS = 10; // of a bead
  const WALL = 18; // from the sleeve's side to the inside of the drawer
  const TIP = HEIGHT - 34; // where the V has its corner
  const SHOULDER = 306; // where it meets the walls
  const BEADS_MOST = 72; // that are drawn in one box
  const [SMALL_RADIUS, SMALL_MOST] = [23, 24]; // the same of a drawer that is drawn small

  const { escaped } = menace;
  const at = number => Number(number.toFixed(1));

  /** Return a source of numbers below 1 that are the same for the same text. */
  function chance(text) {
    let state = [...text].reduce((hash, sign) => Math.imul(hash ^ sign.charCodeAt(0), 16777619), 2166136261) >>> 0;
    return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  }

  /** Return how many beads each bead that is drawn stands for, so that those of every box of a picture have room. */
  const beadsEach = (totals, most = BEADS_MOST) => Math.max(1, ...totals.map(total => Math.ceil(total / most)));

  /** Return the moves of the beads to draw: of each that has any at least one; `drawn` comes first, the rest are shaken. */
  function shaken(view, each) {
    const beads = view.moves.flatMap((move, row) => Array(move.amount ? Math.max(1, Math.round(move.amount / each)) : 0).fill(row));
    const random = chance(view.board + beads.length);
    for (let last = beads.length - 1; last > 0; last -= 1) {
      const other = Math.floor(random() * (last + 1));
      [beads[last], beads[other]] = [beads[other], beads[last]];
    }
    const first = beads.indexOf(view.drawn);
    if (first > 0) [beads[0], beads[first]] = [beads[first], beads[0]];
    return beads;
  }

  /** Return where that many beads of a radius come to rest, from the corner of the V upwards. */
  function places(count, radius, random) {
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

  /** Return the board of a sleeve in a square of a side, with a bead of its colour where each move is. */
  function boardOf(view, x, y, side) {
    const [height, width] = view.shape;
    const cell = side / Math.max(height, width);
    const [left, top] = [x + (side - cell * width) / 2, y + (side - cell * height) / 2];
    const middle = number => [left + (number % width + 0.5) * cell, top + (Math.floor(number / width) + 0.5) * cell];
    const drawn = view.pieces.map((piece, number) => pieceOf(piece, ...middle(number), cell));
    const lines = [];
    for (let column = 1; column < width; column += 1) lines.push(`M${at(left + column * cell)} ${at(top)}v${at(cell * height)}`);
    for (let row = 1; row < height; row += 1) lines.push(`M${at(left)} ${at(top + row * cell)}h${at(cell * width)}`);
    const marks = view.moves.map(move => {
      if (!move.colour) return "";
      if (move.path) return `<path class="way" transform="translate(${at(left)} ${at(top)}) scale(${at(cell)})" stroke="${move.colour}" d="${move.path}"/>`;
      return bead(...middle(move.cells[0]), at(cell * 0.25), move.colour, move.amount ? "" : " none");
    });
    return `<path class="grid" d="${lines.join("")}"/>${drawn.join("")}${marks.join("")}`;
  }

  function pieceOf(piece, x, y, cell) {
    const reach = at(cell * 0.26);
    if (piece === "X") return `<path class="cross" stroke-width="${at(cell * 0.11)}" d="M${at(x - reach)} ${at(y - reach)}l${reach * 2} ${reach * 2}m0 ${-reach * 2}l${-reach * 2} ${reach * 2}"/>`;
    if (piece === "O") return `<circle class="nought" stroke-width="${at(cell * 0.11)}" cx="${at(x)}" cy="${at(y)}" r="${reach}"/>`;
    if (piece === STONE) return `<circle class="stone" cx="${at(x)}" cy="${at(y)}" r="${reach}"/>`;
    if (piece === DEAD) return `<rect class="stone" x="${at(x - cell / 2)}" y="${at(y - cell / 2)}" width="${at(cell)}" height="${at(cell)}"/>`;
    return piece === GAP || !piece ? "" : `<text x="${at(x)}" y="${at(y + cell * 0.25)}" font-size="${at(cell * 0.7)}" text-anchor="middle">${escaped(piece)}</text>`;
  }

  const total = view => view.moves.reduce((sum, move) => sum + move.amount, 0);

  /** Return where a move goes, in words; its name where it has none. */
  function placeOf(view, move) {
    const plain = view.kind === "cell" && view.shape.every(side => side === 3);
    return plain ? menace.phrase(move.cells[0] === 4 ? "centre" : ["corner", "edge"][move.cells[0] % 2]) : menace.joined(move.names);
  }

  /** Return a drawer with its beads, whose radius is given. */
  function drawer(view, each, radius) {
    const beads = shaken(view, each);
    const heap = places(beads.length, radius, chance(view.board));
    const lie = beads.map((row, number) => bead(...heap[number], radius, view.moves[row].colour, !number && row === view.drawn ? " drawn" : ""));
    return `<rect class="drawer" x="8" y="${SLEEVE - 20}" width="${WIDTH - 16}" height="${HEIGHT - SLEEVE + 18}" rx="5"/>`
      + `<rect class="floor" x="${WALL}" y="${SLEEVE - 20}" width="${WIDTH - 2 * WALL}" height="${HEIGHT - SLEEVE + 8}" rx="2"/>`
      + `<path class="card under" d="M${WALL} ${SHOULDER}L${WIDTH / 2} ${TIP}L${WIDTH - WALL} ${SHOULDER}V${HEIGHT - 12}H${WALL}Z"/>`
      + `<path class="card" d="M${WALL} ${SHOULDER}L${WIDTH / 2} ${TIP}L${WIDTH - WALL} ${SHOULDER}"/><g class="beads">${lie.reverse().join("")}</g>`;
  }

  /** Return the drawer of a box as a small picture, beside which its board is drawn. */
  const smallDrawer = (view, each) => `<svg class="matchbox" viewBox="0 ${SLEEVE} ${WIDTH} ${HEIGHT - SLEEVE}" aria-hidden="true">${drawer(view, each, SMALL_RADIUS)}</svg>`;

  /** Return how many beads each bead of several small drawers stands for. */
  const smallEach = views => beadsEach(views.map(total), SMALL_MOST);

  /** Return a box of beads as SVG. `each` is how many beads one that is drawn stands for. */
  function matchbox(view, each = beadsEach([total(view)])) {
    const held = menace.counted(total(view), "bead");
    const title = view.number === null ? held : menace.phrase("shelf_number", { number: view.number });
    const lines = [view.number === null ? "" : held, each > 1 ? menace.phrase("beads_each", { each: menace.thousands(each) }) : ""];
    const move = view.moves[view.drawn];
    const says = move ? [move.bead, placeOf(view, move)] : [];
    const label = [view.title, ...says].join(", ");
    const words = lines.map((line, number) => `<text class="held" x="164" y="${68 + number * 23}">${escaped(line)}</text>`);
    const told = says.map((text, right) => `<text class="says" x="${right ? WIDTH - WALL - 12 : WALL + 12}" y="${HEIGHT - 24}"`
      + ` text-anchor="${right ? "end" : "start"}">${escaped(text)}</text>`);
    const sleeve = `<rect class="shade" x="8" y="${SLEEVE}" width="${WIDTH - 16}" height="9"/><rect class="sleeve" x="2" y="2" width="${WIDTH - 4}" height="${SLEEVE}" rx="4"/>`
      + `<rect class="frame" x="10" y="10" width="${WIDTH - 20}" height="${SLEEVE - 16}" rx="2"/>`
      + `${boardOf(view, 24, 20, 114)}<text class="title" x="164" y="44">${escaped(title)}</text>${words.join("")}`;
    return `<svg class="matchbox" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(label)}">`
      + `${drawer(view, each, RADIUS)}${told.join("")}${sleeve}</svg>`;
  }

  Object.assign(menace, { matchbox, smallDrawer, smallEach });
})(globalThis.menace ??= {});
