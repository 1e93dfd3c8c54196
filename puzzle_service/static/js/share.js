// Copies a text to the clipboard.

import { el } from "./dom.js";
import { hint } from "./say.js";
import { text } from "./text.js";

/** Copies `result` and tells so; where the browser refuses, shows it to be copied by hand. */
export async function share(result, tell = hint) {
  try {
    await navigator.clipboard.writeText(result);
    tell(text("copied"));
  } catch {
    tell(copyOldWay(result) ? text("copied") : text("copy_failed", { text: result }));
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
