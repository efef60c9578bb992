// Animate a draw: the beads roll into the corner of the V, and the drawn bead is lifted out and placed on the board. If the system asks for reduced
// motion, nothing moves.
"use strict";
(menace => {
  const ROLL = 420; // milliseconds for which a bead rolls
  const LIFT = 650; // milliseconds that the drawn bead takes to reach the board
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  /** Let the beads of an open box roll to their places. Returns the duration in milliseconds. */
  function roll(box) {
    if (still.matches) return 0;
    const beads = [...box.querySelectorAll(".beads .bead")]; // the drawn bead is the last element and stops first
    beads.forEach((bead, number) => {
      const delay = 3 * (beads.length - number);
      bead.animate([{ translate: `${(number * 37) % 60 - 30}px -170px`, opacity: 0 }, { opacity: 1, offset: 0.2 }, { translate: "0 0" }],
        { duration: ROLL, delay, easing: "cubic-bezier(0.5, 0, 0.7, 1.25)", fill: "backwards" });
    });
    return beads.length ? ROLL + 3 * beads.length : 0;
  }

  /** Move the drawn bead from its box to a cell of the board, whose piece appears when the bead arrives. */
  function lift(box, cell, delay) {
    const bead = box.querySelector(".beads .drawn");
    if (still.matches || !bead || !cell) return;
    const [from, to] = [bead, cell].map(element => element.getBoundingClientRect());
    const flying = Object.assign(document.createElement("div"), { className: "flying" });
    flying.innerHTML = `<svg class="matchbox" viewBox="-11 -11 22 22">${bead.outerHTML}</svg>`;
    flying.querySelector("g").removeAttribute("transform");
    Object.assign(flying.style, { left: `${from.x}px`, top: `${from.y}px`, width: `${from.width}px`, height: `${from.height}px` });
    document.body.append(flying);
    const [across, down] = [to.x + to.width / 2 - from.x - from.width / 2, to.y + to.height / 2 - from.y - from.height / 2];
    const grown = Math.max(1, to.width / from.width / 3);
    const path = [{ translate: "0 0", scale: 1 }, { translate: `${across * 0.3}px ${Math.min(0, down) - 40}px`, scale: grown, offset: 0.4 },
      { translate: `${across}px ${down}px`, scale: grown, offset: 0.85 }, { translate: `${across}px ${down}px`, scale: grown * 1.4, opacity: 0 }];
    flying.animate(path, { duration: LIFT, delay, easing: "ease-in-out" }).finished.finally(() => flying.remove());
    bead.animate([{ opacity: 0.25 }, { opacity: 0.25 }], { duration: LIFT, delay });
    cell.querySelector(".piece")?.animate([{ opacity: 0 }, { opacity: 0, offset: 0.85 }, { opacity: 1 }], { duration: delay + LIFT, fill: "backwards" });
  }

  /** Animate the machine's draw: the beads roll, and one of them moves to the board. */
  menace.showDraw = (box, cell) => lift(box, cell, roll(box));
})(globalThis.menace ??= {});
