// A graph to move about in: drag, wheel, two fingers, buttons and keys; arrows go from board to board.

const { isForPage } = menace;

const graph = document.getElementById("graph");
const [LEFT, TOP, WIDTH, HEIGHT] = graph.getAttribute("viewBox").split(" ").map(Number);
const CLOSEST = 60; // how wide the smallest part is that can be seen, in the graph's own unit
const SMALLEST = 12; // pixels: how wide a board is on which pieces can be seen
const STEP = 1.5; // of a button or a key
let view; // what is seen

const within = (value, least, most) => Math.min(Math.max(value, least), most);

/** Show the part of a width whose corner is at [x, y]. */
function look(x, y, wanted) {
  const width = within(wanted, CLOSEST, WIDTH);
  const height = width * HEIGHT / WIDTH;
  view = { x: within(x, LEFT, LEFT + WIDTH - width), y: within(y, TOP, TOP + HEIGHT - height), width, height };
  graph.setAttribute("viewBox", [view.x, view.y, width, height].join(" "));
  drawInView();
}

// What is out of view is not drawn: painting a thousand boards takes longer than a frame. What Tab reaches stays.
const drawn = [...graph.querySelectorAll("a, .moves path")].map(node => ({ node, box: node.getBBox(), seen: true }));

function drawInView() {
  const { left, top, right, bottom, width } = graph.getBoundingClientRect();
  const [fromX, fromY] = at({ clientX: left, clientY: top });
  const [toX, toY] = at({ clientX: right, clientY: bottom });
  for (const part of drawn) {
    const { x, y, width: wide, height: tall } = part.box;
    const seen = (x < toX && x + wide > fromX && y < toY && y + tall > fromY) || part.node.tabIndex === 0;
    const far = wide * width / (toX - fromX) < SMALLEST;
    if (seen !== part.seen) part.node.style.display = (part.seen = seen) ? "" : "none";
    if (far !== part.far) part.node.classList.toggle("far", (part.far = far));
  }
}

/** Go closer by a factor; what is at [x, y] stays where it is seen. */
function zoom(factor, [x, y] = [view.x + view.width / 2, view.y + view.height / 2]) {
  const by = within(view.width / factor, CLOSEST, WIDTH) / view.width;
  look(x - (x - view.x) * by, y - (y - view.y) * by, view.width * by);
}

/** Return where an event is, in the graph's own unit. */
function at({ clientX, clientY }) {
  const point = new DOMPoint(clientX, clientY).matrixTransform(graph.getScreenCTM().inverse());
  return [point.x, point.y];
}

const fingers = new Map();
let moved = 0;
graph.addEventListener("pointerdown", event => {
  fingers.set(event.pointerId, event);
  if (fingers.size === 1) moved = 0;
});
graph.addEventListener("pointermove", event => {
  const before = fingers.get(event.pointerId);
  if (!before) return;
  const [[x, y], [toX, toY]] = [at(before), at(event)];
  moved += Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY);
  const other = [...fingers.values()].find(finger => finger.pointerId !== event.pointerId);
  fingers.set(event.pointerId, event);
  if (other) {
    const [otherX, otherY] = at(other);
    zoom(Math.hypot(toX - otherX, toY - otherY) / Math.max(Math.hypot(x - otherX, y - otherY), 1), [otherX, otherY]);
  } else if (moved > 4) {
    graph.classList.add("dragged");
    if (!graph.hasPointerCapture(event.pointerId)) graph.setPointerCapture(event.pointerId);
    look(view.x + x - toX, view.y + y - toY, view.width);
  }
});
for (const kind of ["pointerup", "pointercancel", "pointerleave"]) graph.addEventListener(kind, event => {
  fingers.delete(event.pointerId);
  graph.classList.remove("dragged");
});
graph.addEventListener("dragstart", event => event.preventDefault());
graph.addEventListener("click", event => {
  if (moved > 4 && event.detail) event.preventDefault(); // a drag ended; a key's click has no detail
  moved = 0;
}, true);
graph.addEventListener("wheel", event => {
  if (!event.ctrlKey && !event.metaKey) return; // the page goes on scrolling
  event.preventDefault();
  zoom(Math.exp(-event.deltaY / 300), at(event));
}, { passive: false });

const ZOOMS = { "+": place => zoom(STEP, place), "-": place => zoom(1 / STEP, place), 0: () => look(LEFT, TOP, WIDTH) };
document.querySelector(".zoom").hidden = false;
document.querySelector(".zoom").addEventListener("click", ({ target }) => ZOOMS[target.dataset.zoom]?.());

addEventListener("resize", drawInView);
ZOOMS[0]();

const boards = [...graph.querySelectorAll("a")].map(link => ({ link, at: link.dataset.at.split(" ").map(Number) }));
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// The next board of the same ply, or the nearest of the next ply that has boards.
function next(from, [right, down]) {
  const [fromX, , fromPly] = from.at;
  const isAhead = ({ at: [x, , ply] }) => (right ? ply === fromPly && (x - fromX) * right > 0 : (ply - fromPly) * down > 0);
  const far = ({ at: [x, , ply] }) => Math.abs(ply - fromPly) * WIDTH * 2 + Math.abs(x - fromX);
  return boards.filter(isAhead).sort((a, b) => far(a) - far(b))[0];
}

graph.addEventListener("keydown", event => {
  if (!WAYS[event.key] || !isForPage(event)) return;
  event.preventDefault();
  const here = boards.find(board => board.link === event.target);
  const there = here && next(here, WAYS[event.key]);
  if (there) {
    here.link.setAttribute("tabindex", -1);
    there.link.setAttribute("tabindex", 0);
    const [x, y] = there.at;
    const inView = x >= view.x && x <= view.x + view.width && y >= view.y && y <= view.y + view.height;
    if (!inView) look(x - view.width / 2, y - view.height / 2, view.width);
    there.link.focus({ preventScroll: true });
  }
});

addEventListener("keydown", event => {
  if (!(event.key in ZOOMS) || !isForPage(event)) return;
  event.preventDefault();
  ZOOMS[event.key](boards.find(board => board.link === document.activeElement)?.at);
});
