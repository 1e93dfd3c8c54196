// Shows a move stop by stop: a slide of 200 ms a step and a rest of 350 ms on every stop. With reduced motion no slide, the same rest.

const STEP = 200;
export const REST = 350;

const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

/** Waits; an aborted signal ends the wait at once. */
export function rest(milliseconds, signal) {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    }, { once: true });
  });
}

const place = (node, [x, y]) => node.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);

/** Slides a piece between two points of the picture; jumps when nobody sees it or motion is unwanted. */
export async function slide(node, from, to, signal) {
  if (!calm.matches && !document.hidden) {
    const began = performance.now();
    let running = true;
    const frame = (now) => {
      if (!running) return;
      const part = Math.min(Math.max((now - began) / STEP, 0), 1);
      const eased = part * part * (3 - 2 * part);
      place(node, [from[0] + (to[0] - from[0]) * eased, from[1] + (to[1] - from[1]) * eased]);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    // A timer ends it, not the last frame: a tab that goes to the background gets no frames.
    await rest(STEP, signal);
    running = false;
  }
  place(node, to);
}
