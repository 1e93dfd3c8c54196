// What is said of a game: who plays, whose turn it is, how it ended, and what etiquette has a player announce.

import { other, pretty } from "../position.js";
import { all, text } from "../text.js";

export const sideName = (color) => (color === "W" ? text("white") : text("black"));

export const levelName = (level) => ({ easy: text("easy"), medium: text("medium"), hard: text("hard") })[level] ?? level;

/** Who plays what: "Computer, medium · you play White · Turkish dama". */
export function players(game, ruleset, { replay = false } = {}) {
  // A link may name no rules.
  if (replay) return [text("replay"), ruleset.title].filter(Boolean).join(" · ");
  if (game.opponent === "person") return `${text("two_players")} · ${ruleset.title}`;
  const computer = text("computer_level", { level: levelName(game.level) });
  return [computer, game.human === "W" ? text("you_white") : text("you_black"), ruleset.title].join(" · ");
}

/** How a game stands, in a few words. */
export function standing(game, state, { thinking = false, replay = false, isUnknown = false } = {}) {
  if (isUnknown) return text("refused_game");
  if (state?.result) return outcome(game, state.result, replay);
  if (thinking) return text("thinking");
  if (game.opponent === "computer" && !replay) return game.isPersonsTurn ? text("your_move") : text("computers_move");
  return toMove(game.turn);
}

/** Whose move it is. */
export const toMove = (color) => (color === "W" ? text("white_to_move") : text("black_to_move"));

function outcome(game, { winner }, replay) {
  if (!winner) return text("draw");
  if (game.opponent === "computer" && !replay) return winner === game.human ? text("you_win") : text("computer_wins");
  return winner === "W" ? text("white_wins") : text("black_wins");
}

/** The kind of notice and the sentence that say how a game ended and why. */
export function ending(game, state, replay) {
  const { winner, reason } = state.result;
  const side = winner ? sideName(other(winner)) : "";
  const why = {
    no_pieces: text("end_no_pieces", { side }),
    no_legal_move: text("end_no_legal_move", { side }),
    several_men_vs_single_man: text("end_several_men", { side }),
    king_vs_king: text("end_king_vs_king"),
    threefold: text("end_threefold"),
    no_progress: text("end_no_progress", { n: state.clock_plies }),
    resignation: text("end_resignation", { side }),
    agreement: text("end_agreement"),
  }[reason];
  const lost = game.opponent === "computer" && !replay && winner && winner !== game.human;
  return [lost ? "bad" : winner ? "good" : "info", `${outcome(game, state.result, replay)}. ${why}`];
}

/** A move of a side's: "Black: d7–d6.", with what it takes. */
export function moved(color, ply) {
  const values = { side: sideName(color), move: pretty(ply.move), n: ply.captured.length };
  return ply.captured.length > 0 ? text("moved_and_took", values) : text("moved", values);
}

/** What etiquette has said aloud after a move, sentence by sentence; the computer needs no warning. */
export function announcements(game, notes) {
  const facesComputer = game.opponent === "computer";
  return notes.filter(({ code, side }) => !(code === "under_attack" && facesComputer && side !== game.human)).map(({ code, side, squares }) => {
    const values = { side: sideName(side), squares: all(squares) };
    return {
      under_attack: facesComputer ? text("note_attack_yours", values) : text("note_attack", values),
      one_step_from_crowning: text("note_one_step", values),
      a_king: text("note_king", values),
    }[code];
  }).filter(Boolean);
}
