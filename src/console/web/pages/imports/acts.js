/** Actions of an import, and its report. */

import { actButton, proofButton } from "../../core/acts.js";
import { fill, h, t } from "../../core/base.js";
import { readAll } from "../drafts.js";
import { checkedFile } from "../../fields/saved_file.js";

/**
 * @param {Session} session
 * @param {any} data
 * @param {{ api: string, page: string, isPlanned: boolean }} place
 */
export function buttons(
  session,
  { state, plan, counts, importId, name },
  { api, page, isPlanned },
) {
  const sum = (/** @type {readonly string[]} */ outcomes) =>
    Object.values(counts).flatMap((of) => outcomes.map((outcome) => of[outcome] ?? 0))
      .reduce((total, count) => total + count, 0);
  const isDone = state === "DONE" || state === "STOPPED";
  const what = t("takeBack");
  return [
    isPlanned && plan !== null && actButton(session, {
      path: `${api}/run`,
      body: { plan },
      name: t("bringIn", {
        come: sum(["new", "changed"]),
        stay: sum(["unchanged", "refused", "possibleDuplicate"]),
      }),
      done: t("importGoing"),
      page,
    }),
    state === "RUNNING" && actButton(session, {
      path: `${api}/stop`,
      body: {},
      name: t("stopImport"),
      done: t("importStopped"),
      page,
    }),
    isDone && proofButton(session, {
      path: `${api}/withdraw`,
      body: {},
      name: what,
      done: t("importWithdrawing"),
      page,
      isGrave: true,
    }, {
      purpose: "IMPORT_WITHDRAW",
      what,
      targetId: importId,
      ...(name !== null && { thing: name }),
    }),
  ];
}

/** The report on each item, which this page puts together. @param {any} data @param {string} api */
export function report({ importId, ...about }, api) {
  const place = h("div", { role: "status" });
  const make = async () => {
    const items = await readAll(`${api}/items?limit=100`);
    const lines = [{ importId, ...about }, ...items].map((line) => `${JSON.stringify(line)}\n`);
    const blob = new Blob(lines, { type: "application/jsonl" });
    fill(place, await checkedFile(blob, { filename: `import-${importId}.jsonl` }));
  };
  const onclick = () => make().catch(() => fill(place, h("p", { role: "alert" }, t("failed"))));
  return h("div", h("button", { onclick }, t("makeReport")), place);
}
