// Show the list of keyboard shortcuts when `?` is pressed, and determine which key presses are meant for the page.
"use strict";
(menace => {
  /** Return whether a key press is meant for the page rather than for a field, the browser or the system. */
  const isForPage = event =>
    !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing && !event.defaultPrevented &&
    !event.target.closest?.("input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable], dialog");

  /** Call `handler` on key presses outside boards and fields. */
  const listen = handler => document.addEventListener("keydown", event => {
    if (!event.shiftKey && isForPage(event) && !event.target.closest?.("[data-board], input, .wide")) handler(event);
  });

  const sheet = document.getElementById("keys");
  const opener = document.getElementById("show-keys");

  // This listener runs before all others so that, while the list is open, keys can only scroll or close the list.
  addEventListener("keydown", event => {
    if (sheet.open) {
      if (event.key === "?") sheet.close();
      event.stopImmediatePropagation();
    } else if (event.key === "?" && isForPage(event)) {
      event.preventDefault();
      sheet.showModal();
    }
  }, true);

  // A field's shortcut key moves the cursor to that field. The field is looked up on each key press, because the content may have been replaced.
  addEventListener("keydown", event => {
    const field = !event.repeat && isForPage(event) && document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    if (!field) return;
    event.preventDefault();
    field.focus();
    field.select();
  });

  // A click outside the menu and the list closes the menu.
  addEventListener("click", ({ target }) => document.querySelectorAll("header details").forEach(menu => { menu.open &&= menu.contains(target) || sheet.contains(target); }));

  opener.hidden = false;
  opener.addEventListener("click", () => sheet.showModal());
  sheet.addEventListener("click", event => { if (event.target === sheet) sheet.close(); }); // a click beside the list

  Object.assign(menace, { isForPage, listen });
})(globalThis.menace ??= {});
