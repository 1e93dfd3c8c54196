// Copies a game to the clipboard: as PDN, its position as FEN, or as a link that opens it.

import { find } from "../dom.js";
import { hint } from "../say.js";
import { share } from "../share.js";
import { text } from "../text.js";
import { askOnce } from "./questions.js";
import { levelName } from "./words.js";

/** `match()` is the game at hand. */
export function listenForCopies(match) {
  const copy = (value) => (value === null ? hint(text("not_now")) : share(value));
  find("copy-fen").addEventListener("click", () => copy(match().fen));
  find("copy-link").addEventListener("click", () => copy(match().link));
  find("copy-pdn").addEventListener("click", async () => {
    const { game } = match();
    const result = await askOnce("pdn", { ...game.request, headers: headersOf(game) });
    if (result.kind === "answer") await share(result.body.pdn);
    else hint(result.message || text("not_now"));
  });
}

/** Who has played, and when it was last gone on with. */
function headersOf(game) {
  const day = new Date(game.saved || Date.now());
  const date = [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, "0")).join(".");
  if (game.opponent !== "computer") return { Date: date };
  return { Date: date, [game.human === "W" ? "Black" : "White"]: text("computer_level", { level: levelName(game.level) }) };
}
