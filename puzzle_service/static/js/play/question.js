// A question to the player that has to be answered by a button of its own: what cannot be taken lightly takes two steps.

import { find } from "../dom.js";
import { hide, show } from "../say.js";

/** Shows a question with its two answers, the first of which may be `grave`; resolves to whether the first was chosen. Another question, or an aborted signal, is a no. */
export function confirm({ question, yes, no, grave = false }, signal) {
  find("question-no").click(); // an open question is given up
  find("question-text").textContent = question;
  find("question-yes").textContent = yes;
  find("question-no").textContent = no;
  find("question-yes").className = grave ? "btn danger" : "btn main";
  const asked = document.activeElement;
  show("question");
  find("question").scrollIntoView({ block: "nearest" });
  find("question-no").focus({ preventScroll: true });
  return new Promise((resolve) => {
    const done = new AbortController();
    const answer = (value) => {
      done.abort();
      hide("question");
      asked?.focus({ preventScroll: true });
      resolve(value);
    };
    find("question-yes").addEventListener("click", () => answer(true), { signal: done.signal });
    find("question-no").addEventListener("click", () => answer(false), { signal: done.signal });
    signal.addEventListener("abort", () => answer(false), { signal: done.signal });
  });
}
