/** Brings a whole revision back, as a new one. */

import { button } from "../../core/acts/buttons.js";
import { withSession } from "../../core/acts/password.js";
import { repeatable } from "../../core/acts/texts.js";
import { announceChange } from "../../core/base/changes.js";
import { announce, fill, h } from "../../core/base/elements.js";
import { icon } from "../../core/base/icons.js";
import { t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";

/**
 * The requests that undo several fields: one per path, with the members of all.
 * @param {readonly Undo[]} undos
 */
export function writesOf(undos) {
  const groups = [...Map.groupBy(undos, ({ path }) => path).values()];
  return groups.map((group) =>
    group.reduce((whole, { body, ...undo }) => ({ ...undo, body: joined(whole.body, body) }))
  );
}

/** @param {Undo["body"]} one @param {Undo["body"]} other */
function joined(one, other) {
  const both = Object.entries(other).map(([name, value]) => {
    const former = one[name];
    if (Array.isArray(former) && Array.isArray(value)) return [name, [...former, ...value]];
    const isObject = typeof former === "object" && typeof value === "object";
    return [name, isObject ? { ...former, ...value } : value];
  });
  return { ...one, ...Object.fromEntries(both) };
}

/** Null if nothing of the revision can be restored. @param {Historied} thing @param {any} item */
export function backButton({ page, api, earlier, fields, undo }, item) {
  const { revision } = item;
  if (item.redacted || fields.every(({ name }) => undo(name, item) === null)) return null;
  const sendAct = repeatable();
  const bringBack = async () => {
    const [now, then] = await Promise.all([get(api), get(earlier(revision))]);
    const changed = fields.filter(({ text }) => text(now) !== text(then));
    const writes = writesOf(changed.flatMap(({ name }) => undo(name, then) ?? []));
    if (writes.length === 0) {
      announce(t("nothingChanged"));
      return false;
    }
    let expectedRevision = now.revision;
    for (const { method, path, body } of writes) {
      const { data } = await sendAct(method, path, { body: { ...body, expectedRevision } });
      expectedRevision = data.revision;
      announceChange(path);
    }
    return true;
  };
  const label = t("bringBackOf", { revision });
  const act = { path: api, name: label, label, page, done: t("reverted") };
  const shown = button(act, () => withSession(bringBack));
  shown.className = "act";
  shown.title = label;
  fill(shown, icon("undo"));
  return h("span.acts", shown);
}
