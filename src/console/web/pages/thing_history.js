/** The history of a thing of a family: its fields are flat, and a patch brings one back. */

import { toText } from "../logic/form_values.js";

/**
 * @param {readonly (import("../core/catalog.js").CatalogField & { text?: (state: any) => string })[]} fields
 * `text` is for a field that the API shows otherwise than it takes it.
 * @param {{
 *   page: string,
 *   api: string,
 *   nameOf: (state: any) => string,
 *   changeName: (change: string) => string,
 *   isFixed: (field: string) => boolean,
 *   earlier?: (revision: number) => string,
 * }} thing `isFixed` tells the fields that no patch changes.
 * @returns {import("./history_page.js").Historied}
 */
export function thingHistory(fields, { isFixed, ...thing }) {
  return {
    earlier: (revision) => `${thing.api}?revision=${revision}`,
    ...thing,
    fields: fields.map((field) => ({
      name: field.name,
      ...(field.label !== undefined && { label: field.label }),
      text: field.text ?? ((state) => toText(field, state[field.name] ?? undefined)),
    })),
    undo(name, former) {
      if (isFixed(name)) return null;
      const value = former[name] ?? null;
      const body = value === null ? { remove: [name] } : { set: { [name]: value } };
      return { method: "PATCH", path: thing.api, body };
    },
  };
}
