/** Makes file names from user text that every common file system accepts. */

import { Buffer } from "node:buffer";

const NAME_BYTES = 255;

/**
 * Characters that a file system rejects or reads as a path, and those that change the writing
 * direction, so that a name would look like another one.
 */
const FORBIDDEN =
  /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff<>:"/\\|?*]/gu;
/** Windows reserves these names for devices, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\s*\.|\s*$)/i;
const ENDING = /\.[A-Za-z0-9]{1,16}$/;

/**
 * Returns a file name similar to a text, unchanged if possible.
 *
 * @param maxBytes In UTF-8. A name that is cut keeps a short extension such as `.jpg`.
 */
export function fileName(text: string, maxBytes: number = NAME_BYTES): string {
  const clean = trimmed(text.replaceAll(FORBIDDEN, "_"));
  const name = shortened(clean, maxBytes);
  const isHarmful = name === "" || RESERVED.test(name) || /^[.~-]/.test(name);
  return isHarmful ? `_${shortened(clean, maxBytes - 1)}` : name;
}

function shortened(name: string, maxBytes: number): string {
  if (Buffer.byteLength(name) <= maxBytes) return name;
  const [ending = ""] = ENDING.exec(name) ?? [];
  const stem = name.slice(0, name.length - ending.length);
  return trimmed(upTo(stem, maxBytes - ending.length)) + ending;
}

/** Removes dots and spaces at the end of a name, as Windows does. */
function trimmed(name: string): string {
  return name.trimStart().replace(/[.\s]+$/, "");
}

function upTo(text: string, bytes: number): string {
  let [taken, left] = ["", bytes];
  for (const character of text) {
    left -= Buffer.byteLength(character);
    if (left < 0) break;
    taken += character;
  }
  return taken;
}
