// The page to play on: the set-up, a game, or a game that a link holds.
//
// What it needs of the page:
//   <main id="main" data-icons data-games data-longest>      the icon sprite, the address below which games are asked about, the most plies of one
//   <meta name="csrf-token">   <script type="application/json" id="rulesets"> ([{ name, title, grid }])   … id="texts"> (key -> text)
//   #setup > #setup-form, #games-box > #games, #damaged > #clear-damaged, #no-storage, #from-error …      see play/setup.js
//   #match > #kicker, #status-text, #status-disc, #mirror, #board, #bar, #controls, #say, #moves, #question …      see play/match.js
//   #help   the dialog

import { data, find, isCommand } from "./dom.js";
import { hide, show } from "./say.js";
import { listenForCopies } from "./play/copies.js";
import { Game } from "./play/game.js";
import { Match } from "./play/match.js";
import { Setup } from "./play/setup.js";
import { Shelf } from "./play/storage.js";

const KEYS = { u: "undo", r: "redo", h: "advice", ",": "prev", ".": "next" };

/** The game that the page's address holds, or null. */
function linked() {
  const { rules, start, moves, ended } = Object.fromEntries(new URLSearchParams(window.location.search));
  if (rules === undefined && moves === undefined && start === undefined) return null;
  return new Game({
    rules: rules ?? "", start: start || null, moves: (moves ?? "").split(".").filter(Boolean),
    ended: ended === "draw" ? { agreed: true } : ended ? { resigned: ended } : null,
  });
}

class PlayPage {
  constructor() {
    // Without what every object has: a link may name anything.
    const rulesets = Object.assign(Object.create(null), Object.fromEntries(data("rulesets").map((ruleset) => [ruleset.name, ruleset])));
    this.shelf = new Shelf({ onChange: (id) => this.match.follow(id) });
    this.match = new Match({ shelf: this.shelf, rulesets });
    this.setup = new Setup({ shelf: this.shelf, rulesets, onGame: (game) => this.playGame(game) });
    listenForCopies(() => this.match);
    find("new-game").addEventListener("click", () => this.choose());
    find("adopt").addEventListener("click", () => this.choose(this.match.begunHere));
    find("help-open").addEventListener("click", () => find("help").showModal());
    document.addEventListener("keydown", (event) => this.key(event));
    this.arrive();
  }

  /** A link's game, or the set-up with the rules that a link names, else the game that this tab showed before. */
  arrive() {
    const wanted = new URLSearchParams(window.location.search).get("new");
    if (Object.hasOwn(this.setup.rulesets, wanted)) {
      this.shelf.wishes = { rules: wanted };
      this.choose();
      return;
    }
    const game = linked();
    if (game) {
      this.keepAddress();
      this.turnTo("match");
      this.match.open(game, { replay: true });
      return;
    }
    const kept = this.shelf.shown && this.shelf.load(this.shelf.shown);
    if (kept) this.playGame(kept);
    else this.choose();
  }

  /** Opens the set-up; `given` is a game to go on from. */
  choose(given = null) {
    this.match.close();
    this.shelf.show(null);
    window.history.replaceState(null, "", window.location.pathname);
    this.turnTo("setup");
    this.setup.open(given);
  }

  playGame(game) {
    window.history.replaceState(null, "", window.location.pathname);
    this.turnTo("match");
    this.match.open(game);
  }

  /** Shows one of the two halves of the page; whoever has pressed a button of the other reads on at its heading. */
  turnTo(id) {
    const other = find(id === "setup" ? "match" : "setup");
    const moves = other.contains(document.activeElement);
    hide(other.id);
    show(id);
    window.scrollTo(0, 0);
    if (moves) find(id).querySelector("h1").focus({ preventScroll: true });
  }

  /** A change of language keeps the game in the address. */
  keepAddress() {
    for (const link of document.querySelectorAll(".langs a")) {
      const query = new URLSearchParams(window.location.search);
      query.set("lang", link.lang);
      link.search = query;
    }
  }

  key(event) {
    if (!isCommand(event) || event.repeat || find("match").hidden) return;
    if (event.key === "/") find("typed").elements.move.focus();
    else if (event.key === "?") find("help").showModal();
    else if (event.key.toLowerCase() in KEYS) find(KEYS[event.key.toLowerCase()]).click();
    else return;
    event.preventDefault();
  }
}

new PlayPage();
