// Counts down to the next puzzle by the server's clock, and says so when it is there. It polls nothing and swaps nothing.

import { el, find } from "./dom.js";
import { text } from "./text.js";

const TICK = 15000; // milliseconds; also what a tab that slept may be late

/** Starts the countdown of a page whose <main> carries data-now, data-next and data-home. */
export function startClock(main) {
  const next = Date.parse(main.dataset.next);
  const ahead = Date.parse(main.dataset.now) - Date.now(); // what the browser's own clock is behind
  if (Number.isNaN(next) || Number.isNaN(ahead)) return;

  const tick = () => {
    const left = next - (Date.now() + ahead);
    if (left > 0) {
      countDown(left);
      return;
    }
    clearInterval(timer);
    document.removeEventListener("visibilitychange", tick);
    announce(main.dataset.home);
  };
  const timer = setInterval(tick, TICK);
  document.addEventListener("visibilitychange", tick);
  tick();
}

function countDown(left) {
  const place = find("countdown");
  if (!place) return;
  const minutes = Math.ceil(left / 60000);
  const [h, min] = [Math.floor(minutes / 60), minutes % 60];
  const words = left < 60000 ? text("countdown_soon") : h > 0 ? text("countdown", { h, min }) : text("countdown_minutes", { min });
  if (place.textContent !== words) place.textContent = words;
}

function announce(home) {
  const place = find("countdown");
  if (place) place.textContent = text("new_puzzle");
  find("notice").replaceChildren(
    el("p", { class: "notice" }, `${text("new_puzzle")} `, el("a", { href: home }, text("open_it"))));
}
