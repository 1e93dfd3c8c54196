// What the player is told: the verdict box, the hint below the board, the attempts, the streak and today's place in the week.

import { el, find, icon } from "./dom.js";
import { text } from "./text.js";

// Kinds and icons are those of the notices that the server puts on the page; the colour comes with the kind's class.
const ICONS = { info: "info", good: "check", bad: "cross", warn: "warn", slow: "slow" };

/** Shows or hides elements of the page by id; those the page does not have are left alone. */
export function show(...ids) {
  for (const id of ids) if (find(id)) find(id).hidden = false;
}

/** The counterpart of `show`. */
export function hide(...ids) {
  for (const id of ids) if (find(id)) find(id).hidden = true;
}

/** Hides elements; the focus of whoever was in one of them goes on to the first of `next` that is shown. */
export function leave(ids, next) {
  const isLeft = ids.some((id) => find(id)?.contains(document.activeElement));
  hide(...ids);
  if (isLeft) next.map(find).find((node) => node?.checkVisibility())?.focus();
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

/** Draws the attempts: spent ones, then the winning one, then those that are left; the same in words. */
export function attempts({ state, attempt, attemptsLeft }) {
  if (!find("attempts")) return;
  const pips = (count, name) => Array.from({ length: count }, () => icon(`pip-${name}`, `pip ${name}`));
  const solved = state === "solved";
  find("pips").replaceChildren(
    ...pips(state === "failed" ? attempt : attempt - 1, "used"),
    // The attempt that won is one of those that were left.
    ...(solved ? [...pips(1, "won"), ...pips(attemptsLeft - 1, "idle")] : pips(attemptsLeft, "left")),
  );
  find("left").textContent = solved ? text("solved_on", {}, attempt) : text("attempts_left", {}, attemptsLeft);
}

/** Brings the header, the line below the week, today's cell and how it ended for others up to date after the end. */
export function ended({ state, attempt, streak, figures }) {
  if (figures && find("figures")) find("figures").textContent = figures;
  if (Number.isInteger(streak)) {
    if (find("streak")) find("streak").textContent = streak;
    if (find("streak-line")) find("streak-line").textContent = streak > 0 ? text("streak", { n: streak }) : text("no_streak");
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
