import { actButton, askButton } from "../../core/acts.js";
import { send, t } from "../../core/base.js";
import { choiceField, lineField } from "../../fields/controls.js";
import { categoryChoices, pathsOf, TAGS_API } from "./tag_paths.js";

/** Only the newest tags can be chosen. */
const MAX_CHOICES = 100;
const TOP = "top";

/** @param {Session} session @param {any} term */
export function termActs(session, term) {
  if (term.mergedInto !== null) return [];
  const isCategory = term.kind === "CATEGORY";
  const place = term.active
    ? [rename(session, term), ...isCategory ? [move(session, term)] : []]
    : [];
  return [...place, ...isCategory ? [] : [merge(session, term)], activity(session, term)];
}

/** @param {Session} session @param {any} term */
function rename(session, term) {
  const { page, api } = pathsOf(term);
  const name = t("rename");
  return askButton(
    session,
    { path: `${api}/rename`, page, name, title: name, done: t("renamed") },
    () => {
      const field = lineField({ name: "name", label: t("newName"), required: true, words: true });
      field.setText(term.name);
      const keep = choiceField({ name: "keepAlias", label: t("keepAlias"), required: true }, [
        { value: "true", label: t("yes") },
        { value: "false", label: t("no") },
      ]);
      keep.setText("true");
      return [field, keep];
    },
    ({ name, keepAlias }) => ({
      name,
      keepAlias: keepAlias === "true",
      expectedRevision: term.revision,
    }),
  );
}

/** @param {Session} session @param {any} term */
function move(session, term) {
  const { page, api } = pathsOf(term);
  const name = t("move");
  return askButton(
    session,
    { path: `${api}/move`, page, name, title: name, done: t("moved") },
    async () => {
      const choices = [{ value: TOP, label: t("top") }, ...await categoryChoices(term.termId)];
      const field = choiceField(
        { name: "parentId", label: t("parentCategory"), required: true },
        choices,
      );
      field.setText(term.parentId ?? TOP);
      return [field];
    },
    ({ parentId }) => ({
      parentId: parentId === TOP ? null : parentId,
      expectedRevision: term.revision,
    }),
  );
}

/** @param {Session} session @param {any} term */
function merge(session, term) {
  const { page, api } = pathsOf(term);
  const name = t("merge");
  return askButton(
    session,
    {
      path: `${api}/merge`,
      page,
      name,
      title: name,
      done: t("merged"),
      text: t("mergeText"),
      isGrave: true,
    },
    async () => {
      const { data } = await send("GET", `${TAGS_API}?limit=${MAX_CHOICES}`);
      const others = data.items.filter((/** @type {any} */ { termId }) => termId !== term.termId);
      const choices = others.map((/** @type {any} */ tag) => ({
        value: tag.termId,
        label: tag.name,
      }));
      return [choiceField({ name: "intoId", label: t("mergeInto"), required: true }, choices)];
    },
    ({ intoId }) => ({ intoId, expectedRevision: term.revision }),
  );
}

/** @param {Session} session @param {any} term */
function activity(session, term) {
  const { page, api } = pathsOf(term);
  return actButton(session, {
    path: `${api}/${term.active ? "deactivate" : "reactivate"}`,
    name: t(term.active ? "deactivate" : "reactivate"),
    done: t(term.active ? "deactivated" : "reactivated"),
    body: { expectedRevision: term.revision },
    page,
  });
}
