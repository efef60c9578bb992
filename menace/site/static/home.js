// The first page: curves of the machines, and what each has learned in this browser.
"use strict";
(menace => {
  for (const place of document.querySelectorAll("[data-curve]")) {
    const points = JSON.parse(place.dataset.curve);
    if (points.length < 2) continue;
    const label = `value against random play, from ${points[0][1].toFixed(2)} to ${points.at(-1)[1].toFixed(2)}, by games`;
    place.innerHTML = menace.spark(points, label);
  }
  for (const place of document.querySelectorAll("[data-print]")) {
    const games = menace.gamesOf(place.dataset.print);
    if (games) place.textContent = `+${games.toLocaleString("en")} here`;
  }
})(globalThis.menace ??= {});
