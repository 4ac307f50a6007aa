/** One import: what was found, what is to become of it, how far it has come, and its report. */

import { fill, h, send, t, thisVisit, timeText, visit } from "../../core/base.js";
import { buttons, report } from "./acts.js";
import { listed, outcomes, titles, withdrawal } from "./found.js";
import { mappingForm } from "./mapping.js";
import { formatText, ruleText, stateText } from "./words.js";

const AT_WORK = ["RECEIVED", "READING", "RUNNING", "WITHDRAWING"];
const POLL_MS = 700;

/** @type {Page} */
export default async function importPage({ params, session }) {
  const api = `/api/v2/imports/${params.id}`;
  const page = `/console/imports/${params.id}`;
  const { data } = await send("GET", api);
  const { data: sample } = await send("GET", `${api}/sample`);
  const isPlanned = data.state === "PLANNED" || data.state === "STOPPED";
  /** @type {readonly (Child | readonly any[])[]} */
  const body = [
    h("p", `${formatText(data.format)} · `, h("time", timeText(data.createdAt))),
    h("p", { role: "status" }, stateText(data.state)),
    AT_WORK.includes(data.state) && progress(data, api, page),
    data.refusal !== null && refusal(data.refusal),
    data.plan !== null && outcomes(data),
    withdrawal(data),
    listed(t("leftOut"), data.unmapped.map(named)),
    listed(t("remarks"), data.rules.map(ruleText)),
    sample.items.length > 0 && titles(sample.items),
    data.state === "PLANNED" ? await mappingForm(session, data, page, sample.items) : [],
    h("div.bar", ...buttons(session, data, { api, page, isPlanned })),
    data.total > 0 && report(data, api),
  ];
  return {
    title: data.name ?? t("importTitle"),
    body: body.flat(2).filter((part) => part !== false),
  };
}

/** @param {{ name: string, count: number }} left */
function named({ name, count }) {
  return `${name}: ${count}`;
}

/** @param {{ rule: string, place: number }} refused */
function refusal({ rule, place }) {
  return h("p.refusal", t("refusedAt", { rule, place }));
}

/** @param {any} data @param {string} api @param {string} page */
function progress(data, api, page) {
  const isRun = data.state === "RUNNING";
  const bar = h("progress", { max: Math.max(1, data.total), "aria-label": t("importProgress") });
  const text = h("p.quiet");
  const show = (/** @type {any} */ { done, total }) => {
    if (!isRun) return;
    bar.value = done;
    fill(text, t("doneOf", { done, total }));
  };
  show(data);
  const here = thisVisit();
  const poll = async () => {
    if (here.aborted) return;
    const now = await send("GET", api).then((answer) => answer.data).catch(() => data);
    if (here.aborted) return;
    if (now.state !== data.state) return await visit(page, here);
    show(now);
    setTimeout(poll, POLL_MS);
  };
  setTimeout(poll, POLL_MS);
  return h("div", bar, text);
}
