/** Words of a text, compared as the service compares them: without case, accents and width. */

/** A word may occur anywhere in a run of these letters. */
export const UNSPACED =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]+/u;
export const WORDS = /[\p{L}\p{M}\p{Nd}]+/gu;

/** Letters without a decomposition. @type {Texts} */
const LETTERS = { ø: "o", ł: "l", đ: "d", ħ: "h", ð: "d", þ: "th", æ: "ae", œ: "oe" };

/** Letters that may be spelt out. @type {Texts} */
const SPELT = { ä: "ae", ö: "oe", ü: "ue", å: "aa", ø: "oe" };

/** @param {string} text */
export function fold(text) {
  const lower = text.normalize("NFKC").toUpperCase().toLowerCase().replaceAll("ς", "σ");
  return lower.normalize("NFD").replaceAll(/[\u0300-\u036f]+/g, "").normalize("NFC");
}

/** @param {string} text */
export function wordsOf(text) {
  return text.match(WORDS) ?? [];
}

/** @param {string} text @param {Texts} letters */
function replaced(text, letters) {
  return text.replaceAll(/[^\0-\x7f]/gu, (letter) => letters[letter] ?? letter);
}

/** A word folded, in plain letters, and spelt out. @param {string} word */
export function formsOf(word) {
  const folded = fold(word);
  const spelt = fold(replaced(word.normalize("NFKC").toLowerCase(), SPELT));
  return [folded, replaced(folded, LETTERS), spelt];
}

/** By which titles and names are in order, compared by code point. @param {string} title */
export function orderForm(title) {
  const runs = fold(title).replaceAll(new RegExp(UNSPACED, "gu"), " $& ");
  const form = wordsOf(runs).map((word) => replaced(word, LETTERS)).join(" ");
  return [...form].slice(0, 64).join("");
}

const ALPHABETS = /^(?:[a-z]+|[α-ω]+|[а-я]+)$/;

/**
 * True if one edit of the asked word makes a form of the other.
 * @param {string} asked Folded. @param {readonly string[]} forms
 */
export function isClose(asked, forms) {
  if (asked.length < 4 || !ALPHABETS.test(asked) || [...forms[0] ?? ""].length < 5) return false;
  return forms.some((form) => isOneEdit(asked, replaced(form, LETTERS)));
}

/**
 * A letter left out, added or replaced, or two neighbours exchanged.
 * @param {string} one @param {string} other
 */
function isOneEdit(one, other) {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one[start] === other[start]) start++;
  let end = 0;
  while (end < most - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  const [first = "", second = ""] = [one, other].map((word) =>
    word.slice(start, word.length - end)
  );
  if (first.length < 2 && second.length < 2) return first !== second;
  return first.length === 2 && second === `${first[1]}${first[0]}`;
}

/** As the service's; a test compares the two. */
const STOP_WORDS = new Set(
  `a an and are as at be but by for from had has have he her his in is it its my of on or our she so
  that the their they this to was we were with you your
  aber als am auch auf aus bei das dem den der des die ein eine einem einen einer es fur hat ich ihr
  im ist mein mit nach nicht oder sie sind und uns von vor wie wir zu zum zur`.split(/\s+/),
);

/**
 * The words that decide whether a record matches: all but stop words, if there are others.
 * @param {readonly string[]} words
 */
export function countedWords(words) {
  const counted = words.filter((word) => !STOP_WORDS.has(fold(word)));
  return counted.length > 0 ? counted : words;
}
