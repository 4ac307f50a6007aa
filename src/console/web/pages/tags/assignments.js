import { actButton, repeatable, withSession } from "../../core/acts.js";
import { announce, ApiError, fill, h, send, t, thisVisit, visit } from "../../core/base.js";
import { label, labelOfOne, readCatalog, recordPath } from "../../core/names.js";
import { choiceField, field, form, newId } from "../../fields/controls.js";
import { ASSIGNMENTS_API } from "./tag_paths.js";

const MAX_SHOWN = 20;
/** Only the newest records can be chosen. */
const MAX_CHOICES = 100;

/**
 * @param {Session} session
 * @param {any} term
 * @param {{ page: string, cursor: string | null }} place
 */
export async function assignmentsPart(session, { termId, active }, { page, cursor }) {
  const asked = new URLSearchParams({
    termId,
    limit: String(MAX_SHOWN),
    ...(cursor && { cursor }),
  });
  const { data } = await send("GET", `${ASSIGNMENTS_API}?${asked}`);
  const lines = await Promise.all(
    data.items.map((/** @type {any} */ item) => line(session, item, page)),
  );
  return [
    h("h2", t("carriedBy")),
    lines.length === 0 ? h("p.quiet", t("noneYet")) : h("ul.lines", lines),
    data.nextCursor !== null &&
    h(
      "p",
      h("a", { href: `${page}?${new URLSearchParams({ cursor: data.nextCursor })}` }, t("older")),
    ),
    active && await assignForm(session, termId, page),
  ];
}

/** @param {Session} session @param {any} assignment @param {string} page */
async function line(session, { termId, moduleCode, recordId }, page) {
  const title = await titleOf(moduleCode, recordId);
  return h(
    "li",
    h("a.words", { href: recordPath(moduleCode, recordId) }, title),
    h("span.quiet.small", labelOfOne(moduleCode)),
    actButton(session, {
      path: `${ASSIGNMENTS_API}/remove`,
      page,
      body: { termId, moduleCode, recordId },
      name: t("unassign"),
      label: t("unassignFrom", { name: title }),
      done: t("unassigned"),
    }),
  );
}

/** @param {string} moduleCode @param {string} recordId */
async function titleOf(moduleCode, recordId) {
  try {
    const { data } = await send("GET", `/api/v2/records/${moduleCode}/${recordId}`);
    return data.redacted ? t("hidden") : data.title;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return t("hidden");
  }
}

/** @param {Session} session @param {string} termId @param {string} page */
async function assignForm(session, termId, page) {
  const modules = (await readCatalog()).filter(({ code }) => code !== "taxonomy");
  const module = choiceField(
    { name: "moduleCode", label: t("module"), required: true },
    modules.map(({ code }) => ({ value: code, label: label(code) })),
  );
  const select = h("select", { id: newId(), name: "recordId" });
  const record = field({ name: "recordId", label: t("record"), required: true }, {
    element: select,
    target: select,
    text: () => select.value,
    setText: (text) => {
      select.value = text;
    },
  });
  module.element.addEventListener("change", async () => {
    const code = module.text();
    fill(select);
    const { data } = await send("GET", `/api/v2/records/${code}?limit=${MAX_CHOICES}`);
    if (code !== module.text()) return;
    const options = data.items.map((/** @type {any} */ { recordId, title, redacted }) =>
      h("option", { value: recordId }, redacted ? t("hidden") : title)
    );
    fill(select, h("option", { value: "" }, t("choose")), options);
  });
  const sendAssignment = repeatable();
  const submit = async () => {
    const here = thisVisit();
    const body = { termId, moduleCode: module.text(), recordId: record.text() };
    const work = () => sendAssignment("POST", ASSIGNMENTS_API, { body });
    await withSession(session.account.email, work);
    announce(t("assigned"));
    await visit(page, here);
  };
  return form([module, record], t("assign"), submit);
}
