/** Names of files that every usual file system takes, made of what people wrote. */

import { Buffer } from "node:buffer";

/** The most bytes of a name. */
export const NAME_BYTES = 255;

/**
 * What a file system refuses or reads as a path, and what turns the direction of writing, so that a name
 * would look like another one.
 */
const FORBIDDEN =
  /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff<>:"/\\|?*]/gu;
/** Names that Windows keeps for devices, with any ending. */
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\s*\.|\s*$)/i;
const ENDING = /\.[A-Za-z0-9]{1,16}$/;

/**
 * A name like a text, which is itself where it can be.
 *
 * @param most Bytes in UTF-8. A short ending, such as `.jpg`, is kept where the name is cut.
 */
export function fileName(text: string, most: number = NAME_BYTES): string {
  const clean = trimmed(text.replaceAll(FORBIDDEN, "_"));
  const name = shortened(clean, most);
  const isHarmful = name === "" || RESERVED.test(name) || /^[.~-]/.test(name);
  return isHarmful ? `_${shortened(clean, most - 1)}` : name;
}

function shortened(name: string, most: number): string {
  if (Buffer.byteLength(name) <= most) return name;
  const [ending = ""] = ENDING.exec(name) ?? [];
  const stem = name.slice(0, name.length - ending.length);
  return trimmed(upTo(stem, most - ending.length)) + ending;
}

/** Windows drops points and spaces at the end of a name. */
function trimmed(name: string): string {
  return name.trimStart().replace(/[.\s]+$/, "");
}

/** The first code points that fit into so many bytes. */
function upTo(text: string, bytes: number): string {
  let [taken, left] = ["", bytes];
  for (const character of text) {
    left -= Buffer.byteLength(character);
    if (left < 0) break;
    taken += character;
  }
  return taken;
}
