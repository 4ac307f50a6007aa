/** Recordings and videos in a person's text. */

import { h } from "../../core/base/elements.js";
import { may } from "../../core/base/session.js";
import { fileOf, playerOf } from "../shown/files.js";
import { fileLink } from "./places.js";

/** A link, and its player above it. @param {string} file @param {readonly Child[]} words */
export function placedRecording(file, words) {
  const place = h("span", fileLink(file, words));
  const show = async () => {
    const found = await fileOf(file);
    const player = found && playerOf(found);
    if (player) place.prepend(player);
  };
  // The link works without it.
  if (may("attachment.read")) void show().catch(() => {});
  return place;
}
