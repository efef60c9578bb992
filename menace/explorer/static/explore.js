// Step through a line of play with keys. The links and forms of the page also work without this file.
import { enableSwapping, show } from "./swap.js";

const STEPS = { ArrowLeft: "earlier", ArrowRight: "later", Home: "first", End: "last" };

menace.listen(event => {
  const link = document.getElementById(STEPS[event.key] ?? "");
  if (!link) return;
  event.preventDefault();
  link.click();
});
// For a large game, the fast part of the page appears at once. The slow part is then loaded, and is shown unless the page has changed to another board by then.
enableSwapping(() => {
  const later = document.querySelector("a[data-later]");
  if (!later) return;
  later.replaceWith("Computing…");
  show(later.href, location.href);
});
