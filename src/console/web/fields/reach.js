/** Addresses of numbers, mail and places, for links that another program opens. */

const MAX_PLACE_LENGTH = 200;

/**
 * The digits of a number and a leading plus; null if it cannot be called. An extension or a remark
 * after the digits is left out.
 * @param {string} number As typed.
 */
export function dialled(number) {
  const plain = number.normalize("NFKC").replaceAll(/\p{Cf}/gu, "");
  // A star or a cross makes it a command to the telephone network, and "1-800-FLOWERS" has letters
  // instead of digits.
  if (/[*#]|\d\p{Pd}?\p{Lu}{3}/u.test(plain)) return null;
  for (const [run] of plain.matchAll(/[+(\d][\d\s().\/\p{Pd}]*/gu)) {
    const isInternational = run.startsWith("+");
    // "+49 (0)30": the zero is for calls within the country.
    const digits = (isInternational ? run.replace("(0)", "") : run).replaceAll(/\D/g, "");
    if (/^\d{3,30}$/.test(digits)) return (isInternational ? "+" : "") + digits;
  }
  return null;
}

/** Null if it is not one address. @param {string} text As typed. */
export function mailHref(text) {
  const [, name = "", host = ""] =
    /^([^\s\p{Cc}@]{1,100})@([^\s\p{Cc}@]{1,200})$/u.exec(text.trim().replace(/^mailto:/i, "")) ??
      [];
  return host === "" ? null : `mailto:${escaped(name)}@${escaped(host)}`;
}

/** Null if the place has neither coordinates nor an address. @param {Values} payload */
export function mapHref({ latitude, longitude, address = "" }) {
  if (latitude === undefined) return placeHref(address);
  // A small number would have an exponent.
  const text = (/** @type {number} */ degrees) => degrees.toFixed(6).replace(/\.?0+$/, "");
  return `geo:${text(latitude)},${text(longitude)}`;
}

/** Null without words. @param {string} address In words. */
export function placeHref(address) {
  const words = [...address.replaceAll(/[\s\p{Cc}]+/gu, " ").trim()].slice(0, MAX_PLACE_LENGTH);
  return words.length === 0 ? null : `geo:0,0?q=${escaped(words.join(""))}`;
}

/** @param {string} text */
function escaped(text) {
  return encodeURIComponent(text.toWellFormed());
}
