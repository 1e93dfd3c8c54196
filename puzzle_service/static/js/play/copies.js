// Copies a game to the clipboard: as PDN, its position as FEN, or as a link that opens it.

import { find } from "../dom.js";
import { share } from "../share.js";
import { text } from "../text.js";
import { askOnce } from "./questions.js";
import { levelName } from "./words.js";

/** Says beside the buttons, which may be far from the board, what has become of a copy. */
const tell = (message) => {
  find("copied").textContent = message;
};

/** `match()` is the game at hand. */
export function listenForCopies(match) {
  const listen = (id, get) => find(id).addEventListener("click", async () => {
    tell("");
    const { value, message } = await get();
    if (value) await share(value, tell);
    else tell(message || text("not_now"));
  });
  listen("copy-fen", () => ({ value: match().fen }));
  listen("copy-link", () => ({ value: match().link }));
  listen("copy-pdn", async () => {
    const { game } = match();
    const result = await askOnce("pdn", { ...game.request, headers: headersOf(game) });
    return { value: result.body?.pdn, message: result.message };
  });
}

/** Who has played, and when it was last gone on with. */
function headersOf(game) {
  const day = new Date(game.saved || Date.now());
  const date = [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, "0")).join(".");
  if (game.opponent !== "computer") return { Date: date };
  return { Date: date, [game.human === "W" ? "Black" : "White"]: text("computer_level", { level: levelName(game.level) }) };
}
