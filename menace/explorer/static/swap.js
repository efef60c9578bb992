// Links and forms within a page that change what is looked at: the page's content is fetched and put in place, so that
// the focus stays where it was. The address changes as it would without this file, but the browser's history keeps
// the last one alone: Back leads to the page before, not through thirty boards.

let under = null;

const whole = (then, now) => then.replaceWith(document.adoptNode(now));

/** Put a part of the page of an address in place, as `replace` does, and return that page; nothing, if another is asked for meanwhile. */
export async function put(address, part, replace = whole) {
  under?.abort();
  const { signal } = (under = new AbortController());
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

/** Show the page of an address, `as` that of another. */
export async function show(address, as = "") {
  const page = await put(address, "main");
  if (!page) return;
  document.title = page.title;
  history.replaceState(null, "", as || page.address);
  // To screen readers: the page's own status was replaced with the page.
  document.getElementById("spoken").textContent = document.querySelector("main [role=status]")?.textContent ?? page.title;
  after();
}

let after = () => {};

/** Return the address that a form asks for. */
export function addressOf(form, submitter) {
  const address = new URL(submitter?.getAttribute("formaction") ?? form.getAttribute("action") ?? location.pathname, location.href);
  address.search = new URLSearchParams(new FormData(form, submitter)).toString();
  return address;
}

/** Swap pages from now on; `ready` is called for each, the first one too. Tab reaches one button of each board. */
export function swapping(ready) {
  after = () => {
    document.querySelectorAll("[data-board]").forEach(board => menace.rove([...board.querySelectorAll("button")]));
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
