// Keeps the page of the generator's run up to date while it goes on.
//
// Needs #run with data-going, the page's own address, as long as the run goes on; #refresh, which is of no use then.

import { find } from "./dom.js";
import { hide } from "./say.js";

const EVERY = 2000; // milliseconds

/** The same page as it is now, or null when the server does not answer. */
async function present(address) {
  try {
    const response = await fetch(address, { headers: { Accept: "text/html" } });
    return response.ok && !response.redirected ? new DOMParser().parseFromString(await response.text(), "text/html") : null;
  } catch {
    return null;
  }
}

async function refresh() {
  const run = find("run");
  const page = document.hidden ? null : await present(run.dataset.going);
  const next = page?.getElementById("run");
  if (next && !next.dataset.going) {
    // It has ended: other things can be done now.
    location.reload();
    return;
  }
  if (next) {
    const open = run.querySelector("details")?.open ?? false;
    // What is read aloud is touched only when it says something new.
    for (const [i, child] of [...next.children].entries()) {
      if (run.children[i]?.outerHTML === child.outerHTML) continue;
      if (i < run.children.length) run.children[i].replaceWith(child.cloneNode(true));
      else run.append(child.cloneNode(true));
    }
    const details = run.querySelector("details");
    if (details) details.open = open;
  }
  setTimeout(refresh, EVERY);
}

if (find("run")?.dataset.going) {
  hide("refresh");
  setTimeout(refresh, EVERY);
}
