/** Brings in the sample life, as an import that can be taken back. */

import { withSession } from "../core/acts/password.js";
import { repeatable } from "../core/acts/texts.js";
import { announceChange } from "../core/base/changes.js";
import { fill, h, link } from "../core/base/elements.js";
import { t } from "../core/base/language.js";
import { get } from "../core/base/reads.js";
import { wait } from "../core/base/timing.js";
import { notLoaded, thisVisit } from "../core/base/visits.js";
import { form } from "../fields/controls/forms.js";
import { upload } from "../fields/files/upload.js";

const API = "/api/v2/imports";
const POLL_MS = 300;

/** @type {SyncPage} */
export function samplePage() {
  const bar = h("progress", { max: 1, value: 0, hidden: true, "aria-label": t("sampleProgress") });
  const place = h("div", { role: "status" });
  const send = repeatable();
  const submit = async () => {
    bar.hidden = false;
    try {
      const { importId, plan } = await withSession(planned);
      const path = `${API}/${importId}/run`;
      await withSession(() => send("POST", path, { body: { plan } }));
      await until(importId, ({ state, done, total }) => {
        bar.value = done / Math.max(1, total);
        return state !== "RUNNING";
      });
      announceChange(API);
      element.remove();
      fill(place, ...arrived(importId));
      place.querySelector("a")?.focus();
    } finally {
      bar.hidden = true;
    }
  };
  const element = form([], t("bringInSample"), submit, { before: [bar] });
  return { title: t("sampleTitle"), body: [h("p", t("sampleText")), element, place] };
}

/** Sends the sample life; its plan accepts every item. @returns {Promise<any>} */
async function planned() {
  const { lang } = document.documentElement;
  const [{ sampleLines }, { TEXTS }] = await Promise.all([
    import("../logic/sample_life/index.js"),
    import(`../sample/${lang}.js`),
  ]).catch(notLoaded);
  const file = new File(sampleLines(TEXTS, new Date()), "sample.jsonl");
  const about = { format: "auto", name: TEXTS.name, keepOriginal: "false" };
  const headers = { "Content-Type": "application/octet-stream" };
  const { importId } = await upload(
    `${API}?${new URLSearchParams(about)}`,
    file,
    headers,
    () => {},
  );
  return await until(importId, ({ plan }) => plan !== null);
}

/**
 * Reads an import until it is in a state.
 * @param {string} importId
 * @param {(data: any) => boolean} isIn
 */
async function until(importId, isIn) {
  const here = thisVisit();
  while (true) {
    const data = await get(`${API}/${importId}`);
    if (isIn(data) || here.aborted) return data;
    await wait(POLL_MS);
  }
}

/** @param {string} importId */
function arrived(importId) {
  return [
    h("p", t("sampleArrived")),
    h(
      "p.bar",
      link("/", t("home"), "main"),
      link(`/console/imports/${importId}`, t("takeSampleBack")),
    ),
  ];
}
