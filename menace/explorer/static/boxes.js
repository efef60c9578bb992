// The slider and the film show boxes as they were, arrow keys go from box to box. Everything works without this file.
import { addressOf, put, show, swapping } from "./swap.js";

const FRAME = 300; // milliseconds from one to the next, at least
const at = id => document.getElementById(id);
const boxesOf = shelf => [...shelf.querySelectorAll(".matchbox-small, .shelf > .box")];
let film = null; // the one that plays
let drawers = true; // whether they are open

function address() {
  const address = addressOf(at("moment").form);
  if (!at("moment").value) address.searchParams.delete("at");
  return address;
}

/** Show the boxes at the chosen moment, and nothing else. */
const frame = () => put(address(), "#shelf", renew);

/** Replace the boxes that changed, which are lit, and what is said of all; the shelf, if it has other boxes. */
function renew(then, now) {
  const [old, young] = [then, now].map(shelf => [...boxesOf(shelf), ...shelf.querySelectorAll("h2, #shelf > p")]);
  if (old.length !== young.length) {
    then.replaceWith(document.adoptNode(now));
    return ready();
  }
  old.forEach((part, place) => {
    const [before, link] = [part.querySelector("a"), young[place].querySelector("a")];
    part.classList.remove("lit");
    if (before && link) link.tabIndex = before.tabIndex;
    if (part.isEqualNode(young[place])) return;
    young[place].classList.add("lit");
    part.replaceWith(document.adoptNode(young[place]));
  });
}

/** Show the whole page at the chosen moment, so that what else is asked for is asked at that time. */
function settle() {
  film = null;
  return show(address());
}

/** Play the film, from its beginning if it is at its end; or pause. */
async function play() {
  if (film) return settle();
  const own = (film = {});
  const moment = at("moment");
  if (moment.selectedIndex === moment.length - 1) moment.selectedIndex = -1;
  while (film === own && moment.isConnected && moment.selectedIndex < moment.length - 1) {
    moment.selectedIndex += 1;
    told();
    await Promise.all([frame(), new Promise(resolve => setTimeout(resolve, FRAME))]);
  }
  if (film === own) settle();
}

/** Let the slider stand where the list of moments does, and say which that is. */
function told() {
  const [moment, slider] = [at("moment"), at("at")];
  const text = moment.selectedOptions[0].text;
  slider.value = moment.selectedIndex;
  slider.setAttribute("aria-valuetext", text);
  at("after").textContent = text;
  at("film").setAttribute("aria-pressed", Boolean(film));
}

function slid() {
  film = null;
  at("moment").selectedIndex = at("at").value;
  told();
  frame();
}

/** Go from box to box, and to the nearest of the next row. */
function walk(event) {
  const boxes = boxesOf(at("shelf"));
  const here = boxes.findIndex(box => box.contains(event.target));
  const places = boxes.map(box => box.getBoundingClientRect());
  const { left, top } = places[here] ?? {};
  const distance = ({ left: x, top: y }) => Math.abs(y - top) * 100 + Math.abs(x - left);
  const row = way => places.indexOf(places.filter(place => (place.top - top) * way > 5).sort((a, b) => distance(a) - distance(b))[0]);
  const ends = { ArrowLeft: () => here - 1, ArrowRight: () => here + 1, ArrowUp: () => row(-1), ArrowDown: () => row(1), Home: () => 0, End: () => boxes.length - 1 };
  if (here < 0 || !(event.key in ends)) return;
  event.preventDefault();
  linksOf()[ends[event.key]()]?.focus();
  menace.rove(linksOf());
}

const linksOf = () => boxesOf(at("shelf")).map(box => box.querySelector("a"));

menace.listen(event => {
  if (event.target.closest?.("#shelf")) walk(event);
  if (event.key === "p" && at("film")) play();
});

function ready() {
  menace.rove(linksOf());
  if (at("drawers")) at("drawers").checked = drawers;
  if (!at("moment")) return;
  for (const part of at("moment").form.children) part.hidden = part.id === "list";
  told();
}

const DOES = { "click film": play, "input at": slid, "change at": settle, "change drawers": ({ target }) => { drawers = target.checked; } };
for (const type of ["click", "input", "change"]) {
  document.addEventListener(type, event => DOES[`${type} ${event.target.closest("[id]")?.id}`]?.(event));
}
swapping(ready);
