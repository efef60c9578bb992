// The sheet of keys on `?`, and which presses are meant for the page.
"use strict";
(menace => {
  /** Return whether a key press is for the page, and not for a field, the browser or the system. */
  const isForPage = event =>
    !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing && !event.defaultPrevented &&
    !event.target.closest?.("input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]");

  /** Listen to keys that are for no board and no field. */
  const listen = heard => document.addEventListener("keydown", event => {
    if (!event.shiftKey && isForPage(event) && !event.target.closest?.("[data-board], input, .wide")) heard(event);
  });

  const sheet = document.getElementById("keys");
  const opener = document.getElementById("show-keys");

  // Before any other listener: while the sheet is open, keys scroll and close it, and do nothing else.
  addEventListener("keydown", event => {
    if (sheet.open) {
      if (event.key === "?") sheet.close();
      event.stopImmediatePropagation();
    } else if (event.key === "?" && isForPage(event)) {
      event.preventDefault();
      sheet.showModal();
    }
  }, true);

  // A key that stands with a field puts the cursor there. Of swapped pages, too: it is looked for when it is pressed.
  addEventListener("keydown", event => {
    const field = !event.repeat && isForPage(event) && document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    if (!field) return;
    event.preventDefault();
    field.focus();
    field.select();
  });

  opener.hidden = false;
  opener.addEventListener("click", () => sheet.showModal());
  sheet.addEventListener("click", event => { if (event.target === sheet) sheet.close(); }); // beside it

  Object.assign(menace, { isForPage, listen });
})(globalThis.menace ??= {});
