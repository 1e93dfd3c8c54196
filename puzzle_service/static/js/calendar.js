// Moves and clears days of the calendar: by dragging, by the buttons of a day, and by keys.
//
// Needs table#weeks with a[data-day] in each .slot (data-day an ISO day, data-name the day in words, data-puzzle what stands on it or
// nothing, data-fixed when nothing can be changed), #carry with #carry-text and #carry-cancel, form#move with the fields "day", "to", "seen"
// and "seen_there", and form#clear with "day" and "seen". The forms are posted as they are: what comes back is the page itself.

import { find, isCommand } from "./dom.js";
import { text } from "./text.js";

const table = find("weeks");
const days = [...table.querySelectorAll("[data-day]")];
let carried = null;

const slot = (day) => day.closest(".slot");
const isFree = (day) => !("fixed" in day.dataset);
const canBeMoved = (day) => isFree(day) && day.dataset.puzzle !== "";

function say(key, values = {}) {
  find("carry-text").textContent = text(key, values);
}

/** Makes a day the one that Tab leads to, and goes there if asked to. */
function choose(day, { focus = false } = {}) {
  for (const other of days) other.tabIndex = other === day ? 0 : -1;
  if (focus) day.focus();
}

function pickUp(day, { dragged = false } = {}) {
  carried = day;
  table.classList.add("carrying");
  slot(day).classList.add("carried");
  for (const other of days) slot(other).classList.toggle("can", isFree(other) && other !== day);
  // Whoever drags lets go to end it, and sees where: the bar is for hands that are free.
  find("carry").classList.toggle("on", !dragged);
  find("carry-cancel").hidden = dragged;
  say("picked_up", { day: day.dataset.name });
}

function letGo() {
  if (!carried) return;
  table.classList.remove("carrying");
  for (const day of days) slot(day).classList.remove("can", "carried", "over");
  find("carry").classList.remove("on");
  find("carry-cancel").hidden = true;
  say("put_back", { day: carried.dataset.name });
  carried = null;
}

function post(form, values) {
  for (const [name, value] of Object.entries(values)) form.elements[name].value = value;
  form.requestSubmit();
}

function dropOn(day) {
  if (day === carried) return letGo();
  if (!isFree(day)) return say("cannot_drop", { day: day.dataset.name });
  post(find("move"), {
    day: carried.dataset.day, seen: carried.dataset.puzzle, to: day.dataset.day, seen_there: day.dataset.puzzle,
  });
  return undefined;
}

function clear(day) {
  if (canBeMoved(day)) post(find("clear"), { day: day.dataset.day, seen: day.dataset.puzzle });
}

const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

function go(day, key) {
  // Where the weeks stand below each other as a list, up and down are one day.
  const single = table.querySelector("thead").offsetParent === null;
  const step = single ? Math.sign(STEPS[key]) : STEPS[key];
  const next = days[days.indexOf(day) + step];
  if (!next) return;
  choose(next, { focus: true });
  if (carried) say(isFree(next) ? "drop_here" : "cannot_drop", { day: next.dataset.name });
}

function onKey(event) {
  const day = event.target.closest("[data-day]");
  if (!day || !isCommand(event) || event.shiftKey) return;
  if (event.key in STEPS) go(day, event.key);
  else if (event.key.toLowerCase() === "m" && !event.repeat && !carried && canBeMoved(day)) pickUp(day);
  else if (event.key === "Enter" && carried && !event.repeat) dropOn(day);
  else if (event.key === "Escape" && carried) letGo();
  else if (event.key === "Delete" && !event.repeat && !carried) clear(day);
  else return;
  event.preventDefault();
}

table.addEventListener("keydown", onKey);
table.addEventListener("click", (event) => {
  const box = event.target.closest(".slot");
  const day = box?.querySelector("[data-day]");
  if (!day) return;
  if (carried) {
    event.preventDefault();
    dropOn(day);
  } else if (event.target.closest("[data-move]")) {
    pickUp(day);
    choose(day, { focus: true });
  } else if (event.target.closest("[data-clear]")) clear(day);
});
table.addEventListener("focusin", (event) => {
  const day = event.target.closest("[data-day]");
  if (day) choose(day);
});
find("carry-cancel").addEventListener("click", () => {
  const day = carried;
  letGo();
  if (day) choose(day, { focus: true });
});

// The browser's own dragging: a day is a link, which can be dragged anyway.
table.addEventListener("dragstart", (event) => {
  const day = event.target.closest?.(".slot")?.querySelector("[data-day]");
  if (!day || !canBeMoved(day)) return event.preventDefault();
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData("text/plain", day.dataset.day);
  event.dataTransfer.setDragImage(slot(day), 20, 20);
  pickUp(day, { dragged: true });
  return undefined;
});
table.addEventListener("dragover", (event) => {
  const box = event.target.closest(".slot.can");
  for (const day of days) slot(day).classList.toggle("over", slot(day) === box);
  if (box && carried) event.preventDefault();
});
table.addEventListener("drop", (event) => {
  const day = event.target.closest(".slot")?.querySelector("[data-day]");
  event.preventDefault();
  if (day && carried) dropOn(day);
});
table.addEventListener("dragend", () => letGo());

// Back from a change, the day it was about is chosen; otherwise the first.
const wanted = days.find((day) => `#${day.id}` === location.hash);
choose(wanted ?? days[0], { focus: Boolean(wanted) });
table.setAttribute("role", "grid");
// One change a page: a second press while the first is on its way would change what nobody has seen.
for (const form of document.querySelectorAll("form[method=post]")) {
  form.addEventListener("submit", (event) => {
    if (document.body.dataset.sent) event.preventDefault();
    document.body.dataset.sent = "yes";
  });
}
window.addEventListener("pageshow", () => delete document.body.dataset.sent);
