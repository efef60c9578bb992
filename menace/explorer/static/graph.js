// A graph to move about in: drag, wheel, two fingers, buttons and keys; arrows go from board to board.

const { isForPage } = menace;

const graph = document.getElementById("graph");
const whole = graph.getAttribute("viewBox").split(" ").map(Number);
const CLOSEST = 60; // how wide the smallest part is that can be seen, in the graph's own unit
const SMALLEST = 12; // pixels: how wide a board is on which pieces can be seen
let view = [...whole];

function look(next) {
  const scale = Math.min(Math.max(next[2], CLOSEST), whole[2]) / next[2];
  const [width, height] = [next[2] * scale, next[3] * scale];
  const clamp = (at, size, side) => Math.min(Math.max(at, whole[side] - size / 2), whole[side] + whole[side + 2] - size / 2);
  view = [clamp(next[0], width, 0), clamp(next[1], height, 1), width, height];
  if (width === whole[2]) view = [...whole];
  graph.setAttribute("viewBox", view.join(" "));
  drawInView();
}

// What is out of view is not drawn: painting a thousand boards takes longer than a frame. What Tab reaches stays.
const drawn = [...graph.querySelectorAll("a, .moves path")].map(node => ({ node, box: node.getBBox(), seen: true }));

function drawInView() {
  const scale = Math.min(graph.clientWidth / view[2], graph.clientHeight / view[3]);
  const [width, height] = [graph.clientWidth / scale, graph.clientHeight / scale];
  const [left, top] = [view[0] + (view[2] - width) / 2, view[1] + (view[3] - height) / 2];
  for (const part of drawn) {
    const { x, y, width: wide, height: tall } = part.box;
    const seen = (x < left + width && x + wide > left && y < top + height && y + tall > top) || part.node.tabIndex === 0;
    const far = wide * scale < SMALLEST;
    if (seen !== part.seen) part.node.style.display = (part.seen = seen) ? "" : "none";
    if (far !== part.far) part.node.classList.toggle("far", (part.far = far));
  }
}

// Closer by a factor; what is at [x, y] stays where it is seen.
function zoom(factor, [x, y] = [view[0] + view[2] / 2, view[1] + view[3] / 2]) {
  const by = Math.max(Math.min(view[2] / factor, whole[2]), CLOSEST) / view[2];
  look([x - (x - view[0]) * by, y - (y - view[1]) * by, view[2] * by, view[3] * by]);
}

function at(event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(graph.getScreenCTM().inverse());
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
    look([view[0] + x - toX, view[1] + y - toY, view[2], view[3]]);
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

document.querySelector(".zoom").hidden = false;
for (const button of document.querySelectorAll("[data-zoom]")) button.addEventListener("click", () =>
  button.dataset.zoom === "all" ? look(whole) : zoom(button.dataset.zoom === "in" ? 1.5 : 1 / 1.5));

addEventListener("resize", drawInView);
drawInView();

const boards = [...graph.querySelectorAll("a")].map(link => ({ link, at: link.dataset.at.split(" ").map(Number) }));
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// The next board of the same ply, or the nearest of the next ply that has boards.
function next(from, [right, down]) {
  const far = ({ at: [x, , ply] }) => {
    const [aside, below] = [x - from.at[0], (ply - from.at[2]) * down];
    if (right) return ply === from.at[2] && aside * right > 0 ? aside * right : Infinity;
    return below > 0 ? below * whole[2] * 2 + Math.abs(aside) : Infinity;
  };
  const best = boards.reduce((nearest, board) => (far(board) < far(nearest) ? board : nearest));
  return far(best) < Infinity ? best : null;
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
    const inView = x >= view[0] && x <= view[0] + view[2] && y >= view[1] && y <= view[1] + view[3];
    look(inView ? view : [x - view[2] / 2, y - view[3] / 2, view[2], view[3]]);
    there.link.focus({ preventScroll: true });
  }
});

const ZOOMS = { "+": at => zoom(1.5, at), "-": at => zoom(1 / 1.5, at), 0: () => look(whole) };
addEventListener("keydown", event => {
  if (!(event.key in ZOOMS) || !isForPage(event)) return;
  event.preventDefault();
  ZOOMS[event.key](boards.find(board => board.link === document.activeElement)?.at);
});
