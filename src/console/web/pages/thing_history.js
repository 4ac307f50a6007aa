/** The history of a thing of a family: its fields are flat, and a patch brings one back. */

import { toText } from "../logic/form_values.js";

/**
 * @param {readonly import("../core/catalog.js").CatalogField[]} fields
 * @param {{
 *   page: string,
 *   api: string,
 *   nameOf: (state: any) => string,
 *   changeName: (change: string) => string,
 *   isFixed: (field: string) => boolean,
 * }} thing `isFixed` tells the fields that no patch changes.
 * @returns {import("./history_page.js").Historied}
 */
export function thingHistory(fields, { isFixed, ...thing }) {
  return {
    ...thing,
    earlier: (revision) => `${thing.api}?revision=${revision}`,
    fields: fields.map((field) => ({
      name: field.name,
      text: (state) => toText(field, state[field.name] ?? undefined),
    })),
    undo(name, former) {
      if (isFixed(name)) return null;
      const value = former[name];
      const body = value === null ? { remove: [name] } : { set: { [name]: value } };
      return { method: "PATCH", path: thing.api, body };
    },
  };
}
