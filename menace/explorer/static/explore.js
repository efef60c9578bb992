// Keys that step through a line of play. The page also works without this file, by its links and forms.
import { enableSwapping, show } from "./swap.js";

const STEPS = { ArrowLeft: "earlier", ArrowRight: "later", Home: "first", End: "last" };

menace.listen(event => {
  const link = document.getElementById(STEPS[event.key] ?? "");
  if (!link) return;
  event.preventDefault();
  link.click();
});
// The fast part of a large game's page appears at once. The slow part is then loaded, unless another board is shown by that time.
enableSwapping(() => {
  const later = document.querySelector("a[data-later]");
  if (!later) return;
  later.replaceWith("Computing…");
  show(later.href, location.href);
});
