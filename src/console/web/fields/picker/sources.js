/** Sources of the options of pickers. */

import { send } from "../../core/base/sender.js";
import { KINDS, label, labelOfOne, recordPath } from "../../core/names.js";
import { nameOf, nameOfModule, REFERENCES } from "../references.js";

const MAX_FOUND = 8;

/** @type {(path: string, body: object, signal: AbortSignal) => Promise<any[]>} */
async function found(path, body, signal) {
  const { data } = await send("POST", path, { body: { ...body, limit: MAX_FOUND }, signal });
  return data.items;
}

/** A short list. @param {Choices | (() => Choices)} choices @returns {PickerSource} */
export function choicesSource(choices) {
  const all = () =>
    (typeof choices === "function" ? choices() : choices)
      .map(({ value, label: text }) => ({ value, text }));
  return {
    all,
    nameOf: (value) =>
      Promise.resolve(all().find((named) => named.value === value) ?? { value, text: value }),
  };
}

/** @returns {PickerSource} */
function modulesSource() {
  return {
    all: () => Object.values(KINDS).flat().map(nameOfModule),
    nameOf: (value) => Promise.resolve(nameOfModule(value)),
  };
}

/**
 * @param {{ without?: string, reference?: Reference }} [about] `without` is not offered.
 * @returns {PickerSource}
 */
export function peopleSource({ without, reference = { to: "relationship" } } = {}) {
  return {
    async find(q, signal) {
      const people = await found("/api/v2/relationship/people/find", { q }, signal);
      return people.filter(({ personId }) => personId !== without)
        .map(({ personId, personName, relationshipType }) => ({
          value: reference.isName ? personName : personId,
          text: personName,
          href: recordPath("relationship", personId),
          note: label(relationshipType),
        }));
    },
    nameOf: (value) => nameOf(reference, value),
    isText: reference.isText === true,
  };
}

/**
 * @param {{ modules?: readonly string[], without?: string, reference?: Reference }} about
 * @returns {PickerSource}
 */
export function recordsSource({ modules, without, reference = {} }) {
  return {
    async find(q, signal) {
      const body = { q, order: "BEST", ...(modules && { modules }) };
      const records = await found("/api/v2/search", body, signal);
      return records.filter(({ recordId }) => recordId !== without)
        .map(({ moduleCode, recordId, title }) => ({
          value: recordId,
          text: title || labelOfOne(moduleCode),
          href: recordPath(moduleCode, recordId),
          note: modules?.length === 1 ? undefined : labelOfOne(moduleCode),
          moduleCode,
        }));
    },
    nameOf: (value) => nameOf(reference, value),
    isText: reference.isText === true,
  };
}

/** @param {string} without A tag. @returns {PickerSource} */
export function tagsSource(without) {
  return {
    async find(q, signal) {
      const tags = await found("/api/v2/taxonomy/search", { q, kind: "TAG" }, signal);
      return tags.filter(({ termId }) => termId !== without).map(({ termId, name }) => ({
        value: termId,
        text: name,
        href: recordPath("taxonomy", termId),
      }));
    },
    nameOf: (value) => Promise.resolve({ value, text: value }),
  };
}

/**
 * The source of a field that names something stored.
 * @param {string} field
 * @param {string} [without] The record that has the field.
 */
export function referenceSource(field, without) {
  const reference = REFERENCES[field] ?? {};
  const { to, isModule } = reference;
  if (isModule) return modulesSource();
  if (to === "relationship") return peopleSource({ reference, ...(without && { without }) });
  return recordsSource({
    reference,
    ...(to !== undefined && { modules: [to] }),
    ...(without !== undefined && { without }),
  });
}
