// What the game asks of the server. A question is put again until it is answered, refused or of no interest any more.

import { post } from "../api.js";
import { find } from "../dom.js";
import { hide, say, show } from "../say.js";
import { text } from "../text.js";

const PATIENCE = { engine: 40000, hint: 60000, draw: 40000 }; // milliseconds; thinking takes longer than looking up
const FIRST_PAUSE = 4; // seconds until a question that got no answer is put again
const LONGEST_PAUSE = 60;
const SILENCE = 600; // milliseconds before a wait is worth a word

export const FIELD = /^(moves\[\d+\]|start|pdn|rules|ended): /; // what a refusal begins with: of no use to who typed nothing

/** Asks once: as `post` of the JSON interface. */
export const askOnce = (name, value, signal) =>
  post(find("main").dataset.games + name, value, { signal, patience: PATIENCE[name] });

/**
 * Asks until there is an answer. Resolves to { body }, to { refusal: message }, or to null once `signal` is aborted.
 * Says what is the matter meanwhile; the page's #retry asks at once, and so does coming back online.
 * slowly(): it takes its time. onPause(pausing): nothing is asked until the next try, or it is again.
 */
export async function ask(name, value, signal, { slowly = () => say("info", text("asking")), onPause = () => {} } = {}) {
  const timer = setTimeout(slowly, SILENCE);
  try {
    for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      const result = await askOnce(name, value, signal);
      clearTimeout(timer);
      if (signal.aborted) return null;
      if (result.kind === "answer") return { body: result.body };
      if (result.kind === "refused") return { refusal: result.message.replace(FIELD, "") };
      const seconds = result.kind === "busy" ? result.seconds : pause;
      say("warn", `${trouble(result)} ${text("next_try", { n: seconds })}`);
      show("retry");
      onPause(true);
      await until(seconds, signal);
      hide("retry");
      if (signal.aborted) return null;
      onPause(false);
      say("info", text("asking"));
    }
  } finally {
    clearTimeout(timer);
    hide("retry");
  }
}

function trouble({ kind, message }) {
  if (kind === "busy") return message || text("busy");
  if (kind === "failed") return text("server_trouble");
  return text(navigator.onLine ? "unreachable" : "offline");
}

/** Waits so many seconds, or until somebody presses #retry, the network is back, or the wait is given up. */
function until(seconds, signal) {
  return new Promise((resolve) => {
    const done = new AbortController();
    const end = () => {
      clearTimeout(timer);
      done.abort();
      resolve();
    };
    const timer = setTimeout(end, 1000 * seconds);
    find("retry").addEventListener("click", end, { signal: done.signal });
    window.addEventListener("online", end, { signal: done.signal });
    signal.addEventListener("abort", end, { signal: done.signal });
  });
}
