// What one asks for in a game, beside moves: a hint, a draw, to resign.

import { enable, find } from "../dom.js";
import { other, pretty } from "../position.js";
import { say } from "../say.js";
import { text } from "../text.js";
import { confirm } from "./question.js";
import { ask } from "./questions.js";
import { sideName } from "./words.js";

/** How a master would play: shown on the board and said. */
export async function advise(match) {
  if (!match.isOpen) return;
  match.latest();
  const { signal } = match.turn;
  enable(find("advice"), false);
  const answer = await ask("hint", match.game.request, signal, { slowly: () => say("info", text("hint_wait")) });
  if (answer === null || signal.aborted) return;
  match.latest();
  match.tell();
  if (answer.refusal) {
    say("warn", answer.refusal);
    return;
  }
  const { move, line, reason } = answer.body;
  match.board.takeBack();
  match.board.advise(move.paths[0]);
  const words = [text("hint_move", { move: pretty(move.move) }), reason.text];
  if (line.length > 1) words.push(text("hint_line", { line: line.map(pretty).join(" ") }));
  say("info", words.join(" "));
}

/** Offers a draw: to the person on the other side, or to the computer, which answers by how it stands. */
export async function offerDraw(match) {
  if (!match.isOpen) return;
  const { signal } = match.turn;
  if (match.game.opponent === "person") {
    const [side, rival] = [sideName(match.game.turn), sideName(other(match.game.turn))];
    const question = { question: text("draw_question", { side, rival }), yes: text("draw_accept"), no: text("draw_decline") };
    if (await confirm(question, signal)) match.end({ agreed: true });
    else if (!signal.aborted) say("info", text("draw_declined", { side: rival }));
    return;
  }
  enable(find("draw"), false);
  const answer = await ask("draw", { ...match.game.request, side: other(match.game.human) }, signal, {
    slowly: () => say("info", text("draw_wait")),
  });
  if (answer === null || signal.aborted) return;
  if (answer.body?.accepted) match.end({ agreed: true });
  else say(answer.refusal ? "warn" : "info", answer.refusal ?? answer.body.text);
  match.tell();
}

/** Resigns, once that is confirmed. */
export async function resign(match) {
  if (match.replay || match.state?.result !== null) return;
  const loser = match.game.speaker;
  const question = { question: text("resign_question", { side: sideName(loser) }), yes: text("resign_yes"), no: text("resign_no"), grave: true };
  // Not of this turn alone: the computer may move while one makes up one's mind.
  if (await confirm(question, match.game.opponent === "person" ? match.turn.signal : new AbortController().signal)) match.end({ resigned: loser });
}
