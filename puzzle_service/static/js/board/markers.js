// Pieces and markers as SVG. Each marker has its own shape; colour only helps. Sizes are hundredths of a square.

import { svg } from "../dom.js";

/** A man, or a king: two stacked discs with a crown. A `turned` one faces whoever sits at the top. */
export function piece({ color, king }, { ghost = false, turned = false } = {}) {
  const group = svg("g", turned ? { transform: "rotate(180)" } : {});
  if (king) {
    group.append(
      svg("ellipse", { class: "shade", cy: 12, rx: 37, ry: 37 }),
      svg("circle", { class: "disc under", cy: 7, r: 37 }),
      svg("circle", { class: "disc", cy: -5, r: 37 }),
      svg("circle", { class: "rim", cy: -5, r: 29 }),
      svg("path", { class: "crown", transform: "translate(0 -5)", d: "M-17 11 L-20 -9 L-9 0 L0 -15 L9 0 L20 -9 L17 11 Z" }),
    );
  } else {
    group.append(
      svg("ellipse", { class: "shade", cy: 6, rx: 37, ry: 37 }),
      svg("circle", { class: "disc", r: 37 }),
      svg("circle", { class: "rim", r: 28 }),
      svg("circle", { class: "rim", r: 17 }),
    );
  }
  return svg("g", { class: `piece ${color === "W" ? "white" : "black"}${ghost ? " ghost" : ""}` }, group);
}

/** Must capture: a dashed ring. */
export const must = (x, y) => svg("circle", { class: "must", cx: x + 50, cy: y + 50, r: 44 });

/** Selected: a frame. */
export const selected = (x, y) => svg("rect", { class: "sel", x: x + 5, y: y + 5, width: 90, height: 90, rx: 10 });

/** Where a move ends: a dot. */
export const destination = (x, y) => svg("circle", { class: "dest", cx: x + 50, cy: y + 50, r: 15 });

/** A stop of a series: a numbered disc; hollow ahead, full once passed, and a small one beside the piece that stands on it. */
export function stop(x, y, number, kind) {
  const here = kind === "here";
  const [cx, cy, r] = here ? [x + 80, y + 20, 17] : [x + 50, y + 50, 25];
  return svg("g", { class: `stop ${kind}` },
    svg("circle", { cx, cy, r }),
    svg("text", { x: cx, y: cy + (here ? 8 : 11), "text-anchor": "middle" }, String(number)));
}

/** Hint: a dotted frame, inside the frame of what is selected. */
export const hinted = (x, y) => svg("rect", { class: "hinted", x: x + 13, y: y + 13, width: 74, height: 74, rx: 8 });

/** The way of a hint: a dotted line through the centres of its stops. */
export const way = (centres) => svg("polyline", { class: "hinted", points: centres.map((centre) => centre.join(" ")).join(",") });

/** Last move: corners, hollow where it began and full where it ended. A corner that holds a coordinate stays free: the first of a `numbered` square. */
export function corners(x, y, kind, numbered) {
  const angle = (cx, cy, dx, dy) => `M${cx} ${cy}h${26 * dx}v${7 * dy}h${-19 * dx}v${19 * dy}h${-7 * dx}z`;
  const parts = [angle(x + 95, y + 5, -1, 1), angle(x + 5, y + 95, 1, -1)];
  if (x > 0 && !numbered) parts.push(angle(x + 5, y + 5, 1, 1));
  if (y < 700 || numbered) parts.push(angle(x + 95, y + 95, -1, -1));
  return svg("path", { class: `last ${kind}`, d: parts.join("") });
}
