// Copies the result, which holds no move, to the clipboard.

import { el } from "./dom.js";
import { hint } from "./say.js";
import { text } from "./text.js";

/** Copies `result`; where the browser refuses, shows it to be copied by hand. */
export async function share(result) {
  try {
    await navigator.clipboard.writeText(result);
    hint(text("copied"));
  } catch {
    hint(copyOldWay(result) ? text("copied") : text("copy_failed", { text: result }));
  }
}

/** For pages without the clipboard interface: plain http on another host than this one. */
function copyOldWay(result) {
  const focused = document.activeElement;
  const field = el("textarea", { class: "sr", readonly: true, "aria-hidden": "true" });
  field.value = result;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  focused?.focus();
  return done;
}
