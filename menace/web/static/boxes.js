// The slider shows boxes while it moves. Everything works without this file: each form has its button.
import { keys } from "./board.js";
import { show, swapping } from "./swap.js";

// While the slider is held only the boxes change; then all that says at which block they are.
for (const [kind, only] of [["input", "shelf"], ["change", ""]]) {
  document.addEventListener(kind, (event) => {
    const form = event.target.closest("[data-slide]");
    if (!form) return;
    const address = new URL(location.href);
    address.search = new URLSearchParams(new FormData(form)).toString();
    show(address, { push: false, only });
  });
}

swapping(keys());
