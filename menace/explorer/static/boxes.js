// The slider shows boxes while it moves. Everything works without this file: each form has its button.
import { boardKeys } from "./keys.js";
import { show, swapping } from "./swap.js";

let asked = null; // what to show next: the server plays games again for each answer, so it gets one question at a time
let busy = false;

async function answer() {
  if (busy) return;
  busy = true;
  while (asked) {
    const [address, only] = asked;
    asked = null;
    await show(address, only);
  }
  busy = false;
}

// While the slider is held only the boxes change; then all that says at which block they are.
for (const [kind, only] of [["input", "shelf"], ["change", ""]]) {
  document.addEventListener(kind, (event) => {
    const form = event.target.closest("[data-slide]");
    if (!form) return;
    const address = new URL(location.href);
    address.search = new URLSearchParams(new FormData(form)).toString();
    asked = [address, only];
    answer();
  });
}

swapping(boardKeys());
