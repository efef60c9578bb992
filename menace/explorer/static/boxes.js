// The slider and the film show boxes as they were, arrow keys go from box to box. Everything works without this file.
import { boardKeys } from "./keys.js";
import { show, swapping } from "./swap.js";

const FRAME = 300; // milliseconds, at least
const at = id => document.getElementById(id);
const boxes = () => [...document.querySelectorAll("#shelf .matchbox-small, #shelf > section .shelf > .box")];
let asked = 0; // of frames: an older one that comes late is not shown
let playing = false;
let beads = true; // whether drawers are shown

function addressOf(form) {
  const address = new URL(location.href);
  address.search = new URLSearchParams([...new FormData(form)].filter(([, value]) => value)).toString();
  return address;
}

/** Show the boxes of the chosen moment, and nothing else: those that changed are lit. */
async function frame() {
  const own = (asked += 1);
  const answer = await fetch(addressOf(at("moment").form));
  const page = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("shelf");
  if (own !== asked || !page) return;
  const [then, now] = [boxes(), [...page.querySelectorAll(".matchbox-small, .shelf > .box")]];
  const focused = document.activeElement.id;
  if (then.length === now.length) {
    now.forEach((box, number) => box.classList.toggle("lit", box.textContent !== then[number].textContent));
  }
  at("shelf").replaceWith(page);
  ready();
  at(focused)?.focus({ preventScroll: true });
}

/** Show all of the page at the chosen moment: what else is asked for is asked at that time. */
function settle() {
  asked += 1;
  return show(addressOf(at("moment").form), { push: false });
}

async function play() {
  playing = !playing;
  ready();
  if (!playing) return settle();
  const moment = at("moment");
  if (moment.selectedIndex === moment.length - 1) moment.selectedIndex = -1;
  while (playing && moment.isConnected && moment.selectedIndex < moment.length - 1) {
    moment.selectedIndex += 1;
    told();
    await Promise.all([frame(), new Promise(resolve => setTimeout(resolve, FRAME))]);
  }
  if (playing && moment.isConnected) settle();
  playing = false;
  ready();
}

/** Let the slider stand where the list of moments does, and say which that is. */
function told() {
  const [moment, range] = [at("moment"), at("at")];
  if (!range) return;
  range.value = moment.selectedIndex;
  at("after").textContent = moment.selectedOptions[0].text;
  range.setAttribute("aria-valuetext", moment.selectedOptions[0].text);
}

/** Put a slider in the place of the list of moments. */
function slider() {
  const moment = at("moment");
  const range = Object.assign(document.createElement("input"), { type: "range", id: "at", max: moment.length - 1 });
  range.setAttribute("aria-label", "After how many games");
  moment.form.querySelectorAll("label, button:not([id])").forEach(part => { part.hidden = true; });
  moment.hidden = true;
  moment.after(range, Object.assign(document.createElement("output"), { id: "after" }));
  range.addEventListener("input", () => {
    playing = false;
    moment.selectedIndex = range.value;
    told();
    frame();
  });
  range.addEventListener("change", settle);
}

/** Go from box to box: to the next one, or to the nearest of the next row. */
function walk(event) {
  const all = boxes();
  const here = all.findIndex(box => box.contains(event.target));
  const { left, top } = all[here].getBoundingClientRect();
  const below = event.key === "ArrowDown" ? 1 : -1;
  const rows = all.map(box => box.getBoundingClientRect()).map((place, number) => ({ place, number }))
    .filter(({ place, number }) => (number - here) * below > 0 && Math.abs(place.top - top) > 5)
    .sort((a, b) => (a.place.top - b.place.top) * below || Math.abs(a.place.left - left) - Math.abs(b.place.left - left));
  const next = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: all.length - 1 }[event.key]
    ?? (event.key.startsWith("Arrow") ? rows[0]?.number : undefined);
  if (next === undefined) return;
  event.preventDefault();
  all[next]?.querySelector("a").focus();
  rove();
}

/** Let Tab reach one box: that which has the focus, or else the first. */
function rove() {
  const links = boxes().map(box => box.querySelector("a"));
  const kept = links.find(link => link === document.activeElement) ?? links[0];
  for (const link of links) link.tabIndex = link === kept ? 0 : -1;
}

const boards = boardKeys(event => {
  if (event.target.closest?.("#shelf")) walk(event);
  if (event.key === "p" && at("film")) play();
});

function ready() {
  boards();
  if (at("film")) {
    if (!at("at")) slider();
    at("film").hidden = false;
    at("film").setAttribute("aria-pressed", playing);
    told();
  }
  if (at("drawers")) at("drawers").checked = beads;
  rove();
}

document.addEventListener("click", event => { if (event.target.closest("#film")) play(); });
document.addEventListener("change", event => { if (event.target.id === "drawers") beads = event.target.checked; });
swapping(ready);
