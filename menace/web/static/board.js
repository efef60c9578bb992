// Boards of buttons: Tab reaches one of them, the arrow keys go to the others.

import { isForPage } from "./keys.js";

const ASIDE = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function rowsOf(board) {
  return [...board.rows].map((row) => [...row.querySelectorAll("button")]);
}

/** Let Tab reach the button that has the focus, or else the first. */
export function rove(board) {
  const buttons = rowsOf(board).flat();
  const kept = buttons.find((one) => one === document.activeElement) ?? buttons[0];
  for (const one of buttons) one.tabIndex = one === kept ? 0 : -1;
}

/** Go to the next button where an arrow key points. */
export function go(board, event) {
  const [down, right] = ASIDE[event.key] ?? [0, 0];
  if (!down && !right) return;
  event.preventDefault();
  const rows = rowsOf(board);
  const row = rows.findIndex((buttons) => buttons.includes(event.target));
  const next = rows[row + down]?.[rows[row].indexOf(event.target) + right];
  next?.focus();
  rove(board);
}

/** Listen to keys; `elsewhere` gets those that are for no board and no field. Returns what readies a page's boards. */
export function keys(elsewhere = () => {}) {
  document.addEventListener("keydown", (event) => {
    if (event.shiftKey || !isForPage(event)) return;
    const board = event.target.closest?.("[data-board]");
    if (board) go(board, event);
    else if (!event.target.closest?.("input, .wide")) elsewhere(event);
  });
  return () => document.querySelectorAll("[data-board]").forEach(rove);
}
