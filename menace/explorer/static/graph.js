// Pan and zoom the graph with the mouse, the wheel, two fingers, buttons and keys. Arrow keys move from board to board.

const { isForPage } = menace;

const graph = document.getElementById("graph");
const [LEFT, TOP, WIDTH, HEIGHT] = graph.getAttribute("viewBox").split(" ").map(Number);
const MIN_VIEW_WIDTH = 60; // the minimum width of the visible part, in the graph's own units
const MIN_BOARD_WIDTH = 12; // pixels; pieces are not drawn on smaller boards
const STEP = 1.5; // the zoom factor for one press of a button or key
let view; // the visible part of the graph

const clamp = (value, least, most) => Math.min(Math.max(value, least), most);

/** Show the part of the graph that has the given width and its top left corner at [x, y]. */
function setView(x, y, wanted) {
  const width = clamp(wanted, MIN_VIEW_WIDTH, WIDTH);
  const height = width * HEIGHT / WIDTH;
  view = { x: clamp(x, LEFT, LEFT + WIDTH - width), y: clamp(y, TOP, TOP + HEIGHT - height), width, height };
  graph.setAttribute("viewBox", [view.x, view.y, width, height].join(" "));
  drawInView();
}

// Boards and lines that are out of view are hidden, because painting a thousand boards takes longer than a frame. The board that Tab reaches is never
// hidden.
const drawn = [...graph.querySelectorAll("a, .moves path")].map(node => ({ node, box: node.getBBox(), seen: true }));

function drawInView() {
  const { left, top, right, bottom, width } = graph.getBoundingClientRect();
  const [fromX, fromY] = at({ clientX: left, clientY: top });
  const [toX, toY] = at({ clientX: right, clientY: bottom });
  for (const part of drawn) {
    const { x, y, width: wide, height: tall } = part.box;
    const seen = (x < toX && x + wide > fromX && y < toY && y + tall > fromY) || part.node.tabIndex === 0;
    const far = wide * width / (toX - fromX) < MIN_BOARD_WIDTH;
    if (seen !== part.seen) part.node.style.display = (part.seen = seen) ? "" : "none";
    if (far !== part.far) part.node.classList.toggle("far", (part.far = far));
  }
}

/** Zoom in by a factor; the point [x, y] stays where it is on the screen. */
function zoom(factor, [x, y] = [view.x + view.width / 2, view.y + view.height / 2]) {
  const by = clamp(view.width / factor, MIN_VIEW_WIDTH, WIDTH) / view.width;
  setView(x - (x - view.x) * by, y - (y - view.y) * by, view.width * by);
}

/** Return the position of an event in the graph's own coordinates. */
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
    setView(view.x + x - toX, view.y + y - toY, view.width);
  }
});
for (const kind of ["pointerup", "pointercancel", "pointerleave"]) graph.addEventListener(kind, event => {
  fingers.delete(event.pointerId);
  graph.classList.remove("dragged");
});
graph.addEventListener("dragstart", event => event.preventDefault());
graph.addEventListener("click", event => {
  if (moved > 4 && event.detail) event.preventDefault(); // a click that ends a drag is ignored; clicks from the keyboard have no detail
  moved = 0;
}, true);
graph.addEventListener("wheel", event => {
  if (!event.ctrlKey && !event.metaKey) return; // without a modifier key, the wheel scrolls the page
  event.preventDefault();
  zoom(Math.exp(-event.deltaY / 300), at(event));
}, { passive: false });

const ZOOMS = { "+": place => zoom(STEP, place), "-": place => zoom(1 / STEP, place), 0: () => setView(LEFT, TOP, WIDTH) };
document.querySelector(".zoom").hidden = false;
document.querySelector(".zoom").addEventListener("click", ({ target }) => ZOOMS[target.dataset.zoom]?.());

addEventListener("resize", drawInView);
ZOOMS[0]();

const boards = [...graph.querySelectorAll("a")].map(link => ({ link, at: link.dataset.at.split(" ").map(Number) }));
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Return the next board of the same ply, or the nearest board of the next ply that has boards. */
function next(from, [right, down]) {
  const [fromX, , fromPly] = from.at;
  const isAhead = ({ at: [x, , ply] }) => (right ? ply === fromPly && (x - fromX) * right > 0 : (ply - fromPly) * down > 0);
  const far = ({ at: [x, , ply] }) => Math.abs(ply - fromPly) * WIDTH * 2 + Math.abs(x - fromX);
  return boards.filter(isAhead).sort((a, b) => far(a) - far(b))[0];
}

graph.addEventListener("keydown", event => {
  if (!DIRECTIONS[event.key] || !isForPage(event)) return;
  event.preventDefault();
  const here = boards.find(board => board.link === event.target);
  const there = here && next(here, DIRECTIONS[event.key]);
  if (there) {
    here.link.setAttribute("tabindex", -1);
    there.link.setAttribute("tabindex", 0);
    const [x, y] = there.at;
    const inView = x >= view.x && x <= view.x + view.width && y >= view.y && y <= view.y + view.height;
    if (!inView) setView(x - view.width / 2, y - view.height / 2, view.width);
    there.link.focus({ preventScroll: true });
  }
});

addEventListener("keydown", event => {
  if (!(event.key in ZOOMS) || !isForPage(event)) return;
  event.preventDefault();
  ZOOMS[event.key](boards.find(board => board.link === document.activeElement)?.at);
});
