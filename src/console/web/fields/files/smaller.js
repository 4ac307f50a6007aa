/** "Smaller copy": pictures are scaled before they are uploaded, if the person asks for it. */

import { announce, h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { newId } from "../controls/rows.js";
import { sizeText } from "../shown/figures.js";

/** Kept on the device. */
const SETTING = "smallerCopy";

const MAX_SIDE = 2_048;

const QUALITY = 0.85;

/** Kinds of photographs; others may move or have no pixels. */
const SCALED = /^image\/(jpeg|png|webp|avif|hei[cf])$/;

/** The checkbox and its hint. */
export function smallerChoice() {
  const isOn = localStorage.getItem(SETTING) === "on";
  const hint = h("span.hint", { id: newId(), hidden: !isOn }, t("smallerHint"));
  const onchange = () => {
    hint.hidden = !box.checked;
    if (box.checked) localStorage.setItem(SETTING, "on");
    else localStorage.removeItem(SETTING);
  };
  const about = { "aria-describedby": hint.id, checked: isOn, onchange };
  const box = h("input", { type: "checkbox", ...about });
  return [h("label.choice.small", box, t("smallerCopy")), hint];
}

/**
 * The file to upload: a smaller copy if one is wanted, can be made and is smaller.
 * @param {File} file
 */
export async function wantedCopy(file) {
  if (localStorage.getItem(SETTING) !== "on" || !SCALED.test(file.type)) return file;
  const copy = await smallerCopy(file).catch(() => file);
  if (copy.size >= file.size) return file;
  const sizes = { size: sizeText(copy.size), original: sizeText(file.size) };
  announce(t("smallerBy", { file: copy.name, ...sizes }));
  return copy;
}

/** Photographs become JPEG, and pictures that may be transparent WebP. @param {File} file */
async function smallerCopy(file) {
  const { drawnCopy, encoded, encodedAsJpeg } = await import("../pictures/drawing.js");
  const canvas = await drawnCopy(file, MAX_SIDE);
  const encode = /png|webp/.test(file.type) ? encoded : encodedAsJpeg;
  const blob = await encode(canvas, QUALITY);
  const base = file.name.replace(/\.[^.]*$/, "");
  return new File([blob], `${base}.${blob.type === "image/webp" ? "webp" : "jpg"}`, blob);
}
