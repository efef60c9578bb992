// Handle links and forms that change only the content of the page. The new content is fetched and replaces the old content, so that the focus stays
// where it was. The address changes as it would without this file, but the browser's history keeps only the last address. The Back button therefore
// returns to the previous page instead of stepping back through every board.

let pending = null;

const replaceElement = (then, now) => then.replaceWith(document.adoptNode(now));

/** Fetch a page and use `replace` to update one part of the current page. Returns the page, or undefined if another page has been requested since. */
export async function replacePart(address, part, replace = replaceElement) {
  pending?.abort();
  const { signal } = (pending = new AbortController());
  try {
    const answer = await fetch(address, { signal });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const focused = document.activeElement?.id;
    replace(document.querySelector(part), page.querySelector(part));
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    return { address: answer.url, title: page.title };
  } catch (error) {
    if (error.name !== "AbortError") location.assign(address);
  }
}

/** Show the content of the page at an address; `as` is the address to display, if it differs. */
export async function show(address, as = "") {
  const page = await replacePart(address, "main");
  if (!page) return;
  document.title = page.title;
  history.replaceState(null, "", as || page.address);
  // Screen readers announce this text; they would miss the page's own status element, because that element is replaced.
  document.getElementById("spoken").textContent = document.querySelector("main [role=status]")?.textContent ?? page.title;
  after();
}

let after = () => {};

/** Return the address that a form requests. */
export function addressOf(form, submitter) {
  const address = new URL(submitter?.getAttribute("formaction") ?? form.getAttribute("action") ?? location.pathname, location.href);
  address.search = new URLSearchParams(new FormData(form, submitter)).toString();
  return address;
}

/** Handle links and forms as described above. `ready` is called for the current page and after each change. Tab reaches one button of each board. */
export function enableSwapping(ready) {
  after = () => {
    document.querySelectorAll("[data-board]").forEach(board => menace.setTabStop([...board.querySelectorAll("button")]));
    ready();
  };
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("form[data-swap]")) return;
    event.preventDefault();
    show(addressOf(event.target, event.submitter));
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("main .small, main .tools a[id], main form[data-swap] a, main a[data-swap]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    show(link.href);
  });
  after();
}
