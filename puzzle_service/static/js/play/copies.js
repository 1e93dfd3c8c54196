// Copies a game to the clipboard: as PDN, its position as FEN, or as a link that opens it.

import { find } from "../dom.js";
import { hint } from "../say.js";
import { share } from "../share.js";
import { text } from "../text.js";
import { askOnce } from "./questions.js";

/** `match()` is the game at hand. */
export function listenForCopies(match) {
  const copy = (value) => (value === null ? hint(text("not_now")) : share(value));
  find("copy-fen").addEventListener("click", () => copy(match().fen));
  find("copy-link").addEventListener("click", () => copy(match().link));
  find("copy-pdn").addEventListener("click", async () => {
    const result = await askOnce("pdn", match().game.request);
    if (result.kind === "answer") await share(result.body.pdn);
    else hint(result.message || text("not_now"));
  });
}
