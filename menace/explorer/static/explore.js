// Keys that step through a line. Everything works without this file: links and forms say it all.
import { show, swapping } from "./swap.js";

const STEPS = { ArrowLeft: "earlier", ArrowRight: "later", Home: "first", End: "last" };

menace.listen(event => {
  const link = document.getElementById(STEPS[event.key] ?? "");
  if (!link) return;
  event.preventDefault();
  link.click();
});
// What is known of a board is shown at once; what takes long follows, unless another board is shown by then.
swapping(() => {
  const later = document.querySelector("a[data-later]");
  if (!later) return;
  later.replaceWith("They are being computed…");
  show(later.href, location.href);
});
