// Build texts from the clauses in text/narration.toml, and format numbers. All scripts that display text use this file.
"use strict";
(menace => {
  const ESCAPED = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };
  const [BEADS_LONG, VALUE_LONG, VALUE_SMALL] = [10000, 10, 0.0005]; // limits for numbers in cells, as in menace/exporting/board_html.py
  const SIZES = "kMGTPE"; // suffixes for thousands, millions, ...

  const escaped = text => String(text).replace(/[&<>"']/g, sign => ESCAPED[sign]);
  const minus = text => String(text).replace("-", "\u2212");
  const thousands = number => number.toLocaleString(menace.clauses.language);

  const upper = text => text[0].toUpperCase() + text.slice(1);
  const filled = (text, parts) => text.replace(/\{(\w+)\}/g, (_, part) => parts[part]);
  /** Return a clause with its placeholders filled in. `opening` also capitalizes the first letter. */
  const phrase = (clause, parts = {}) => filled(menace.clauses[clause], parts);
  const opening = (clause, parts = {}) => filled(upper(menace.clauses[clause]), parts);

  const counted = (number, noun) => phrase(`${noun}_${number === 1 ? "one" : "other"}`, { count: thousands(number) });

  /** Return a share from 0 to 1 as a percentage. Only exact values of 0 and 1 are written as 0.0% and 100.0%. */
  function percent(share) {
    if (share > 0 && share < 0.0005) return "<0.1%";
    if (share < 1 - 1e-12 && share >= 0.9995) return ">99.9%";
    return `${(share * 100).toFixed(1)}%`;
  }

  /** Return a number, or 0 if the number is only a rounding error, as in menace/text/wording.py. */
  const withoutNoise = amount => (Math.abs(amount) < 1e-14 ? 0 : amount);

  /** Return a number of beads or a value in at most five characters, as in menace/exporting/board_html.py. */
  function amountText(amount, unit) {
    amount = withoutNoise(amount);
    const size = Math.abs(amount);
    if (unit === "beads" || size >= VALUE_LONG) return (amount < 0 ? "\u2212" : "") + rounded(Math.round(size));
    if (amount === 0 || size >= VALUE_SMALL) return minus(amount.toFixed(amount < 0 ? 2 : 3));
    return amount.toExponential(0).replaceAll("-", "\u2212");
  }

  /** Return an integer as text. Long integers are rounded to thousands (k), millions (M) and so on. */
  function rounded(count) {
    if (count < BEADS_LONG) return thousands(count);
    const power = [...SIZES].findIndex((_, at) => count < 999.5 * 1000 ** (at + 1)) + 1;
    const part = count / 1000 ** power;
    const tens = part < 9.95 ? 10 : 1;
    return `${(Math.round(part * tens) / tens).toFixed(tens === 10 ? 1 : 0)}${SIZES[power - 1]}`;
  }

  /** Return names on one line, separated by commas if any name contains spaces, and otherwise by spaces. */
  const joined = names => names.join(names.some(name => name.includes(" ")) ? ", " : " ");

  const isBeginner = name => /^beginner(-\d+)?$/.test(name);
  /** Return the display name of a machine, as in menace/text/wording.py. */
  const called = name => (/^menace-[xo]$/.test(name) ? "MENACE" : isBeginner(name) ? "Beginner" : name);

  Object.assign(menace, { amountText, called, counted, escaped, isBeginner, joined, opening, percent, phrase, thousands, upper, withoutNoise });
})(globalThis.menace ??= {});
