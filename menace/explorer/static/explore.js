// Keys that step through a line. Everything works without this file: links and forms say it all.
import { swapping } from "./swap.js";

const { boardKeys } = menace;
const STEPS = { ArrowLeft: "earlier", ArrowRight: "later", Home: "first", End: "last" };

const ready = boardKeys((event) => {
  const link = document.getElementById(STEPS[event.key] ?? "");
  if (!link) return;
  event.preventDefault();
  link.click();
});
swapping(ready);
