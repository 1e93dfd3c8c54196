// What the player is told: the verdict box, the hint below the board, the attempts, the streak and today's place in the week.

import { el, icon } from "./dom.js";
import { text } from "./text.js";

const ICONS = { info: "info", good: "check", bad: "cross", warn: "slow", trouble: "warn" };

const find = (id) => document.getElementById(id);

/** Shows or hides elements of the page by id; those the page does not have are left alone. */
export function show(...ids) {
  for (const id of ids) if (find(id)) find(id).hidden = false;
}

/** The counterpart of `show`. */
export function hide(...ids) {
  for (const id of ids) if (find(id)) find(id).hidden = true;
}

/** Writes into the verdict box: what happened stands out, why and what comes next follow. */
export function say(kind, message) {
  const box = find("say");
  // A sentence ends before a capital: "2. denemede" is an ordinal.
  const [, head, rest] = /^(.+?[.!?])(?:\s+(?=\p{Lu})(.*))?$/su.exec(message) ?? [null, message, ""];
  box.className = `say ${kind}`;
  box.replaceChildren(icon(ICONS[kind]), el("p", {}, el("b", {}, head), rest ? el("span", {}, ` ${rest}`) : null));
}

/** Writes the line below the board. A quiet word repeats what the board shows: it is only for those who listen. */
export function hint(message, quiet = false) {
  find("hint").replaceChildren(el("span", { class: quiet ? "sr" : null }, message));
}

/** Draws the attempts: spent ones, then the winning one or those that are left; the same in words. */
export function attempts({ state, attempt, attemptsLeft, spent }) {
  if (!find("attempts")) return;
  const pip = (name) => icon(`pip-${name}`, `pip ${name}`);
  const solved = state === "solved";
  find("pips").replaceChildren(
    ...Array.from({ length: spent }, () => pip("used")),
    ...(solved ? [pip("won")] : []),
    ...Array.from({ length: solved ? 3 - spent - 1 : attemptsLeft }, () => pip(solved ? "idle" : "left")),
  );
  find("left").textContent = solved ? text("solved_on", {}, attempt) : text("attempts_left", {}, attemptsLeft);
}

/** Brings the header, the line below the week and today's cell up to date after the end. */
export function ended({ state, attempt, streak }) {
  if (Number.isInteger(streak)) {
    if (find("streak")) find("streak").textContent = streak;
    if (find("streak-line")) find("streak-line").textContent = text("streak", { n: streak });
    (streak > 0 ? show : hide)("streak-link");
  }
  const today = document.querySelector("[data-today]");
  if (!today) return;
  today.classList.remove("open");
  today.classList.add(state);
  today.querySelector(".mark").replaceChildren(state === "solved" ? String(attempt) : icon("cross"));
  const words = today.querySelector(".sr");
  if (words) words.textContent = words.textContent.replace(/:[^:]*$/, `: ${state === "solved" ? text("today_solved", {}, attempt) : text("today_failed")}`);
}
