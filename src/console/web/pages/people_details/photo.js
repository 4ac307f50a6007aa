/** The picture of a person. */

import { iconButton } from "../../core/acts/buttons.js";
import { withSession } from "../../core/acts/password.js";
import { repeatable } from "../../core/acts/texts.js";
import { announceFailure } from "../../core/base/api.js";
import { announceChange } from "../../core/base/changes.js";
import { announce, fill, h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { may } from "../../core/base/session.js";
import { thisVisit, visit } from "../../core/base/visits.js";
import { disc } from "../../fields/shown/anchors.js";
import { isPicture } from "../../fields/shown/files.js";
import { showFace } from "../../fields/shown/pictures.js";
import { attachmentOf } from "./sections.js";

/**
 * The newest picture, or the initials, and how to add a picture.
 * @param {any} person @param {readonly any[]} details @param {Paths | false} paths
 */
export function portrait(person, details, paths) {
  const ids = details.filter(({ value }) => value?.property?.toUpperCase() === "PHOTO")
    .flatMap((detail) => attachmentOf(detail) ?? []);
  const shown = disc({ ...person, attachmentIds: [] });
  showFace(shown, ids, person.personName);
  // The disc may be replaced.
  return h("div.face", shown, paths && may("attachment.write") && photoAdder(paths));
}

/**
 * "Add files" at the picture. Pictures that are dropped on the page or pasted are accepted, too.
 * @param {Paths} paths
 */
function photoAdder({ api, page }) {
  const place = h("div");
  const path = `${api}/details`;
  const here = thisVisit();
  const sendDetail = repeatable();
  /** @type {string[]} */
  let uploaded = [];
  const record = async () => {
    const ids = uploaded;
    uploaded = [];
    if (ids.length === 0) return;
    try {
      for (const id of ids) {
        const value = { property: "PHOTO", value: `attachment:${id}` };
        const body = { kind: "OTHER", value, privacy: "PRIVATE" };
        await withSession(() => sendDetail("POST", path, { body }));
      }
    } catch (error) {
      return void announceFailure(error);
    }
    announceChange(path);
    announce(t("kept"));
    await visit(page, here);
  };
  const load = async () => {
    const { fileAdder, receiveFiles } = await import("../../fields/files/adder.js");
    const adder = fileAdder({
      ofPictures: true,
      added(file) {
        if (isPicture(file)) uploaded.push(file.attachmentId);
        else announce(t("notAPicture", { file: file.filename }));
        return true;
      },
      // Files that end together are recorded together, because the page is drawn again.
      changed: () => queueMicrotask(() => adder.isRunning() || void record()),
    });
    receiveFiles(document.body, (files) => adder.take(files), here);
    const input = adder.element.querySelector("input");
    fill(place, iconButton("camera", t("addFiles"), () => input?.click()), input, adder.list);
  };
  // Without a connection there is nothing to upload to.
  load().catch(() => {});
  return place;
}
