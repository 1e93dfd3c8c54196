// Keys of the review pages: a approves, r goes to the reason of a rejection, s skips, j and k move through the list.
// Needs, where the page has them: form#approve, form#reject with an input "reason", a#skip, and links with data-item.

import { find, isCommand } from "./dom.js";

function moveBy(step) {
  const items = [...document.querySelectorAll("[data-item]")];
  if (items.length === 0) return;
  const at = items.indexOf(document.activeElement);
  const next = at < 0 ? (step > 0 ? 0 : items.length - 1) : Math.min(Math.max(at + step, 0), items.length - 1);
  items[next].focus();
}

const COMMANDS = {
  a: () => find("approve")?.requestSubmit(),
  r: () => find("reject")?.elements.reason.focus(),
  s: () => find("skip")?.click(),
  j: () => moveBy(1),
  k: () => moveBy(-1),
};

document.addEventListener("keydown", (event) => {
  const command = COMMANDS[event.key.toLowerCase()];
  if (!command || event.repeat || event.shiftKey || !isCommand(event)) return;
  command();
  event.preventDefault();
});

// One decision a page: a second press while the first is on its way would decide about nothing.
for (const id of ["approve", "reject"]) {
  find(id)?.addEventListener("submit", (event) => {
    if (document.body.dataset.decided) event.preventDefault();
    document.body.dataset.decided = "yes";
  });
}
window.addEventListener("pageshow", () => delete document.body.dataset.decided);
