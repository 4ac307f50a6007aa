/** Answers for people who may be here already. */

import { h, send, t } from "../../core/base.js";
import { readAll } from "../drafts.js";
import { choiceField, form } from "../../fields/controls.js";
import { sending } from "./sending.js";

/** Answered at once. */
const MAX_ITEMS = 50;

/**
 * @param {Session} session
 * @param {any} data
 * @param {string} page
 * @param {readonly { place: number, title: string }[]} sample
 */
export async function duplicatesForm(session, data, page, sample) {
  const api = `/api/v2/imports/${data.importId}/items?limit=100&outcome=POSSIBLE_DUPLICATE`;
  const items = (await readAll(api)).slice(0, MAX_ITEMS);
  if (items.length === 0) return [];
  const names = await namesOf(items.flatMap(({ matches }) => matches));
  const titles = new Map(sample.map(({ place, title }) => [place, title]));
  const fields = items.map(({ place, key, matches }) => {
    const label = titles.get(place) ?? t("itemAt", { place });
    const joins = matches.map((/** @type {string} */ id) => {
      return { value: `join:${id}`, label: t("joinWith", { name: names.get(id) ?? id }) };
    });
    // Without a person it shares with an earlier card of the file.
    const earlier = { value: "join", label: t("joinEarlier") };
    const field = choiceField({ name: key, label }, [
      ...(joins.length === 0 ? [earlier] : joins),
      { value: "new", label: t("asNewPerson") },
      { value: "leave", label: t("leaveOut") },
    ]);
    return { key, field };
  });
  const submit = sending(session, data, page, () => ({
    ...data.mapping,
    duplicates: {
      ...data.mapping?.duplicates,
      ...Object.fromEntries(
        fields.map(({ key, field }) => [key, field.text()]).filter(([, answer]) => answer !== ""),
      ),
    },
  }));
  return [
    h("h2", t("outcomePossible")),
    h("p", t("possibleText")),
    form(fields.map(({ field }) => field), t("planAgain"), submit),
  ];
}

/** By identifier. @param {readonly string[]} ids */
async function namesOf(ids) {
  const read = [...new Set(ids)].map(async (id) => {
    const { data } = await send("GET", `/api/v2/relationship/people/${id}`);
    return /** @type {[string, string]} */ ([id, data.personName]);
  });
  return new Map(await Promise.all(read));
}
