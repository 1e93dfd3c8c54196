// The set-up: what to play, with whom, from where; and the games that can be gone on with.

import { el, enable, find, icon } from "../dom.js";
import { hide, show } from "../say.js";
import { text } from "../text.js";
import { Game } from "./game.js";
import { FIELD, askOnce } from "./questions.js";
import { players, standing } from "./words.js";

const SHOWN = 5; // unfinished games in the list
const LANGUAGE = document.documentElement.lang;
const WHEN = new Intl.DateTimeFormat(LANGUAGE === "en" ? "en-GB" : LANGUAGE, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

export class Setup {
  /** `onGame(game)`: a game begins or goes on. */
  constructor({ shelf, rulesets, onGame }) {
    Object.assign(this, { shelf, rulesets, onGame, given: null });
    this.form = find("setup-form");
    this.form.addEventListener("change", () => this.fit());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.start();
    });
    find("clear-damaged").addEventListener("click", () => this.clear());
  }

  /** Shows the set-up with what was chosen last; `given` is a game to begin from. */
  open(given = null) {
    this.given = given;
    for (const [name, value] of Object.entries({ ...this.shelf.wishes, ...(given ? { rules: given.rules } : {}) })) {
      const field = this.form.elements[name];
      if (field instanceof RadioNodeList && [...field].some((option) => option.value === value)) field.value = value;
    }
    this.form.elements.from.value = "";
    find("from-given").textContent = given ? text("from_given", { n: given.moves.length }) : "";
    (given ? show : hide)("from-given");
    Object.assign(find("from-box"), { hidden: given !== null, open: false });
    find("rules-box").disabled = given !== null;
    this.complain("");
    this.fit();
    this.listGames();
    (this.shelf.works ? hide : show)("no-storage");
  }

  /** Shows what belongs to the opponent chosen. */
  fit() {
    const computer = this.form.elements.opponent.value === "computer";
    (computer ? show : hide)("computer-box");
    (computer ? hide : show)("person-box");
  }

  complain(message) {
    find("from-error").textContent = message;
    (message ? show : hide)("from-error");
    this.form.elements.from.setAttribute("aria-invalid", String(message !== ""));
    if (message) find("from-error").scrollIntoView({ block: "nearest" });
  }

  /** Leads to the text that was refused. */
  correct() {
    find("from-box").open = true;
    this.form.elements.from.focus({ preventScroll: true });
  }

  async start() {
    const { rules, opponent, level, human, seating, from } = Object.fromEntries(new FormData(this.form));
    this.shelf.wishes = { opponent, level, human, seating, ...(rules ? { rules } : {}) };
    this.complain("");
    enable(find("start"), false);
    const begun = this.given ?? (await this.read(rules, from.trim()));
    enable(find("start"), true);
    if (begun === null || find("setup").hidden) return; // or somebody has gone on with another game meanwhile
    this.onGame(new Game({ ...begun, opponent, level, seating, human: human === "lot" ? "WB"[Math.floor(Math.random() * 2)] : human }));
  }

  /** The game in a text, FEN or PDN, that the server understands; null, with a complaint, for another. */
  async read(rules, written) {
    if (written === "") return { rules };
    const isPosition = /^[WB]\s*:/i.test(written);
    const result = isPosition ? await askOnce("state", { rules, start: written }) : await askOnce("pdn", { rules, pdn: written });
    if (result.kind !== "answer") {
      if (result.kind === "refused") this.correct();
      this.complain(result.message?.replace(FIELD, "") || text("not_now"));
      return null;
    }
    const { body } = result;
    if (isPosition) return { rules, start: body.full_fen };
    return { rules: body.rules, start: body.start ?? null, moves: body.moves, ended: body.ended ?? null };
  }

  /** The games that were not finished, the newest first, and a word about what cannot be read. */
  listGames() {
    const { games, damaged } = this.shelf.all();
    const open = games.filter((game) => !game.over).slice(0, SHOWN);
    find("games").replaceChildren(...open.map((game) => this.entry(game)));
    (open.length > 0 ? show : hide)("games-box");
    (damaged.length > 0 ? show : hide)("damaged");
  }

  entry(game) {
    const name = players(game, this.rulesets[game.rules] ?? { title: game.rules });
    const goOn = el("button", { type: "button", class: "go-on" },
      el("b", {}, name), el("span", {}, [text("n_moves", { n: game.moves.length }), standing(game, null), WHEN.format(game.saved)].join(" · ")));
    goOn.addEventListener("click", () => this.onGame(game));
    const drop = el("button", { type: "button", class: "btn icon-only", "aria-label": text("drop_game", { name }) }, icon("close"));
    drop.addEventListener("click", () => {
      this.shelf.remove(game.id);
      this.relist();
    });
    return el("li", {}, goOn, drop);
  }

  /** Puts away what cannot be read. */
  clear() {
    for (const id of this.shelf.all().damaged) this.shelf.remove(id);
    this.relist();
  }

  /** Lists the games after a press of a button that is gone with what it stood for. */
  relist() {
    this.listGames();
    find("setup").querySelector("h1").focus({ preventScroll: true });
  }
}
