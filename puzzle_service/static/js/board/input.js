// Turns mouse, touch and keyboard into "press this square" and "carry this piece there". What they mean is the board's business.

import { isCommand } from "../dom.js";

const SLACK = { mouse: 4, pen: 6, touch: 10 }; // pixels a press may wander before it is a drag
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const squareOf = (event) => event.target.closest?.("[data-square]")?.dataset.square ?? null;

/**
 * Listens on a view until `signal` is aborted. Calls press(square), grab(square) -> may it be carried?, drop(square or null), back(), turn().
 */
export function listen(view, { press, grab, drop, back, turn }, signal) {
  let held = null; // the press that may become a drag
  let dragged = false; // swallows the click that follows a drag

  view.grid.addEventListener("pointerdown", (event) => {
    dragged = false;
    const square = squareOf(event);
    // Only pieces that can be carried hold the pointer: a swipe that begins anywhere else scrolls the page.
    if (!event.isPrimary || event.button !== 0 || !view.cells.get(square)?.classList.contains("movable")) return;
    held = { id: event.pointerId, square, x: event.clientX, y: event.clientY, slack: SLACK[event.pointerType] ?? 6, node: null };
    event.target.setPointerCapture(event.pointerId);
  });

  view.grid.addEventListener("pointermove", (event) => {
    if (held?.id !== event.pointerId) return;
    if (held.node === null) {
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < held.slack) return;
      if (!grab(held.square)) {
        held = null;
        return;
      }
      dragged = true;
      held.node = view.pieceNodes.get(held.square);
      held.node.classList.add("carried");
      held.node.parentNode.append(held.node);
    }
    held.node.setAttribute("transform", `translate(${view.locate(event.clientX, event.clientY).map((value) => value.toFixed(1)).join(" ")})`);
  });

  const release = (event) => {
    if (held?.id !== event.pointerId) return;
    const carried = held.node !== null;
    held = null;
    if (event.type === "pointercancel") dragged = false;
    if (carried) drop(event.type === "pointerup" ? view.squareAt(event.clientX, event.clientY) : null);
  };
  view.grid.addEventListener("pointerup", release);
  view.grid.addEventListener("pointercancel", release);

  view.grid.addEventListener("click", (event) => {
    const square = squareOf(event);
    if (square && !dragged) {
      view.point(square);
      press(square);
    }
    dragged = false;
  });

  view.grid.addEventListener("focusin", (event) => {
    const square = squareOf(event);
    if (square) view.point(square);
  });

  view.grid.addEventListener("keydown", (event) => {
    if (!isCommand(event)) return;
    if (event.key in ARROWS) view.focus(view.neighbour(view.cursor, ...ARROWS[event.key]));
    else if (event.key === "Home") view.focus(view.neighbour(view.cursor, -7, 0));
    else if (event.key === "End") view.focus(view.neighbour(view.cursor, 7, 0));
    else if (event.key === "Enter" || event.key === " ") {
      if (!event.repeat) press(view.cursor);
    } else return;
    event.preventDefault();
  });

  document.addEventListener("keydown", (event) => {
    if (!isCommand(event) || event.repeat) return;
    if (event.key === "Escape") back();
    else if (event.key === "f" || event.key === "F") turn();
  }, { signal });
}
