/** A word may occur anywhere in a run of these letters. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;
const WORDS = /[\p{L}\p{M}\p{Nd}]+/gu;

/**
 * The text in parts, each a searched word or not.
 * @param {string} text
 * @param {string} sought As typed.
 */
export function markedParts(text, sought) {
  const words = fold(sought).match(WORDS) ?? [];
  const parts = [];
  let end = 0;
  for (const { 0: run, index } of text.matchAll(WORDS)) {
    for (const { at, length } of placesIn(run, words)) {
      if (index + at < end) continue;
      parts.push({ text: text.slice(end, index + at), isMarked: false });
      end = index + at + length;
      parts.push({ text: text.slice(index + at, end), isMarked: true });
    }
  }
  parts.push({ text: text.slice(end), isMarked: false });
  return parts.filter((part) => part.text !== "");
}

/** @param {string} run Letters and digits. @param {readonly string[]} words */
function placesIn(run, words) {
  const folded = fold(run);
  const isWhole = words.some((word) =>
    [...word].length === 1 ? folded === word : folded.startsWith(word)
  );
  const whole = [{ at: 0, length: run.length }];
  if (!UNSPACED.test(run)) return isWhole ? whole : [];
  const found = words.filter((word) => folded.includes(word));
  // Positions are unknown if folding changes the length.
  if (folded.length !== run.length) return found.length > 0 ? whole : [];
  return found.flatMap((word) => occurrences(folded, word)).sort((one, other) => one.at - other.at);
}

/** @param {string} text @param {string} word */
function occurrences(text, word) {
  const found = [];
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
    found.push({ at, length: word.length });
  }
  return found;
}

/** Like the service, ignores case, width and accents. @param {string} text */
function fold(text) {
  const lower = text.normalize("NFKC").toUpperCase().toLowerCase().replaceAll("ς", "σ");
  return lower.normalize("NFD").replaceAll(/[\u0300-\u036f]+/g, "").normalize("NFC");
}
