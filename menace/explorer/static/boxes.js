// The slider and the film show the boxes at earlier times; the arrow keys move from box to box. The page also works without this file.
import { addressOf, enableSwapping, replacePart, show } from "./swap.js";

const FRAME_TIME = 300; // minimum number of milliseconds between two moments
const at = id => document.getElementById(id);
const boxesOf = shelf => [...shelf.querySelectorAll(".matchbox-small, .shelf > .box")];
let film = null; // an object that identifies the film while it plays
let drawers = true; // whether the drawers are open

function address() {
  const address = addressOf(at("moment").form);
  if (!at("moment").value) address.searchParams.delete("at");
  return address;
}

/** Show the boxes at the chosen moment; the rest of the page does not change. */
const frame = () => replacePart(address(), "#shelf", updateBoxes);

/** Replace and highlight the boxes that changed, and update the texts. If the set of boxes has changed, replace the whole shelf. */
function updateBoxes(then, now) {
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

/** Load the whole page for the chosen moment, so that the page's links and forms refer to that moment. */
function showWholePage() {
  film = null;
  return show(address());
}

/** Pause the film if it is playing; otherwise play the film, starting over if it is at the end. */
async function play() {
  if (film) return showWholePage();
  const own = (film = {});
  const moment = at("moment");
  if (moment.selectedIndex === moment.length - 1) moment.selectedIndex = -1;
  while (film === own && moment.isConnected && moment.selectedIndex < moment.length - 1) {
    moment.selectedIndex += 1;
    showMoment();
    await Promise.all([frame(), new Promise(resolve => setTimeout(resolve, FRAME_TIME))]);
  }
  if (film === own) showWholePage();
}

/** Set the slider and its text to the chosen moment. */
function showMoment() {
  const [moment, slider] = [at("moment"), at("at")];
  const text = moment.selectedOptions[0].text;
  slider.value = moment.selectedIndex;
  slider.setAttribute("aria-valuetext", text);
  at("after").textContent = text;
  at("film").setAttribute("aria-pressed", Boolean(film));
}

function onSlide() {
  film = null;
  at("moment").selectedIndex = at("at").value;
  showMoment();
  frame();
}

/** Move the focus to the next box, or to the nearest box in the next row. */
function moveFocus(event) {
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
  menace.setTabStop(linksOf());
}

const linksOf = () => boxesOf(at("shelf")).map(box => box.querySelector("a"));

menace.listen(event => {
  if (event.target.closest?.("#shelf")) moveFocus(event);
  if (event.key === "p" && at("film")) play();
});

function ready() {
  menace.setTabStop(linksOf());
  if (at("drawers")) at("drawers").checked = drawers;
  if (!at("moment")) return;
  for (const part of at("moment").form.children) part.hidden = part.id === "list";
  showMoment();
}

const HANDLERS = { "click film": play, "input at": onSlide, "change at": showWholePage, "change drawers": ({ target }) => { drawers = target.checked; } };
for (const type of ["click", "input", "change"]) {
  document.addEventListener(type, event => HANDLERS[`${type} ${event.target.closest("[id]")?.id}`]?.(event));
}
enableSwapping(ready);
