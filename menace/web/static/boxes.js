// The slider shows boxes while it moves. Everything works without this file: each form has its button.
import { keys } from "./board.js";
import { show, swapping } from "./swap.js";

document.addEventListener("input", (event) => {
  const form = event.target.closest("[data-slide]");
  if (!form) return;
  const address = new URL(location.href);
  address.search = new URLSearchParams(new FormData(form)).toString();
  show(address, { push: false, only: "shelf" });
});

swapping(keys());
