// Makes elements. No markup strings, no style attributes: the page's policy allows neither inline styles nor inline code.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, String(value));
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

/** An HTML element with attributes and children; `true` sets a bare attribute, `false` and null leave it out. */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for an SVG element. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** The page's element with an id, or null. */
export const find = (id) => document.getElementById(id);

/** Puts a button in or out of use. One that is out of use keeps the focus, which `disabled` would throw away. */
export function enable(button, isOn) {
  button.setAttribute("aria-disabled", String(!isOn));
}

// Nothing comes of pressing a button that is out of use, be it by hand or by a key of the page.
document.addEventListener("click", (event) => {
  if (!event.target.closest?.('[aria-disabled="true"]')) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

/** An icon of the sprite that <main data-icons> names. */
export function icon(name, className = "icon") {
  const sprite = find("main").dataset.icons;
  return svg("svg", { class: className, "aria-hidden": "true" }, svg("use", { href: `${sprite}#${name}` }));
}

/** Data the server wrote into <script type="application/json" id="…">, or null without such a block. */
export function data(id) {
  const block = find(id);
  return block ? JSON.parse(block.textContent) : null;
}

/** True where a key belongs to what is being typed. */
function isTyping(target) {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}

/** True for a key that is a command of the page: no modifier but Shift, and no open dialog. */
export function isCommand(event) {
  return !event.defaultPrevented && !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing
    && !isTyping(event.target) && document.querySelector("dialog[open]") === null;
}
