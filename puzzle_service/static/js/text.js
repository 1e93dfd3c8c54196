// The page's words. The server translates them and sends them in <script type="application/json" id="texts">.

import { data } from "./dom.js";

const texts = data("texts") ?? {};
const language = document.documentElement.lang || "en";
const lists = {
  and: new Intl.ListFormat(language, { type: "conjunction" }),
  or: new Intl.ListFormat(language, { type: "disjunction" }),
};

/** The text of a key with its {placeholders} filled in; a text that is a list is indexed by `count`. */
export function text(key, values = {}, count = null) {
  const found = texts[key];
  const pattern = Array.isArray(found) ? found[Math.min(count, found.length - 1)] : found;
  if (pattern === undefined) return key;
  return pattern.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** Words that begin a sentence. */
export const capital = (words) => words.charAt(0).toLocaleUpperCase(language) + words.slice(1);

/** "a, b and c" in the page's language. */
export const all = (items) => lists.and.format(items);

/** "a, b or c" in the page's language. */
export const either = (items) => lists.or.format(items);
