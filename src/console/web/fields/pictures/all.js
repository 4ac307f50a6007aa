/** "Make small pictures": for all files, such as those of imports. */

import { announceFailure, ApiError } from "../../core/base/api.js";
import { announce, fill, h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { readAll } from "../../core/base/reads.js";
import { thisVisit } from "../../core/base/visits.js";
import { wait } from "../../core/base/timing.js";
import { contentPath, FILES_API, isPicture } from "../shown/files.js";
import { makeSmall } from "./making.js";

/** The service accepts one a second on average, and as many more at once. */
const AT_ONCE = 50;

/** The button, which is replaced by the progress while they are made. */
export function allSmallPictures() {
  const place = h("div.bar");
  const offer = h("button.plain.small", { onclick: () => void run() }, t("makeSmallPictures"));
  const run = async () => {
    const ending = new AbortController();
    thisVisit().addEventListener("abort", () => ending.abort());
    const end = h("button", { onclick: () => ending.abort() }, t("stop"));
    const progress = h("progress", { "aria-label": t("makingSmallPictures") });
    const count = h("span.quiet");
    fill(place, progress, count, end);
    end.focus();
    try {
      announce(
        await makeAll(ending.signal, (i, n) => {
          Object.assign(progress, { max: n, value: i });
          count.textContent = t("pictureOf", { i, n });
        }),
      );
    } catch (error) {
      announceFailure(error);
    }
    fill(place, offer);
    offer.focus();
  };
  fill(place, offer);
  return place;
}

/**
 * Returns a sentence about the result.
 * @param {AbortSignal} signal @param {(done: number, all: number) => void} show
 */
async function makeAll(signal, show) {
  const files = await readAll(`${FILES_API}?limit=100`);
  const wanted = files.filter((file) => isPicture(file) && !file.thumbnail);
  if (wanted.length === 0) return t("allSmallPictures");
  let made = 0;
  let failed = 0;
  for (const [index, file] of wanted.entries()) {
    if (made >= AT_ONCE) await wait(1_000);
    if (signal.aborted) break;
    show(index + 1, wanted.length);
    if (await makeOne(file, signal)) made++;
    else if (!signal.aborted) failed++;
  }
  return t("smallPicturesMade", { made, failed });
}

/**
 * False if this browser cannot draw it.
 * @param {FileName} file @param {AbortSignal} signal
 */
async function makeOne(file, signal) {
  try {
    const response = await fetch(contentPath(file.attachmentId), { signal });
    if (response.ok) await makeSmall(file, await response.blob(), signal);
    return response.ok;
  } catch (error) {
    if (error instanceof TypeError) throw new ApiError("NETWORK_ERROR");
    // Another tab may have made it.
    if (error instanceof ApiError && error.status !== 409) throw error;
    return false;
  }
}
