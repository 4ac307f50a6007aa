import { ApiError } from "../../core/base.js";
import { lineField } from "../../fields/controls.js";

/** @param {PartPaths} place */
export function common({ list, one, idName }) {
  return { list, one, idOf: (/** @type {any} */ shown) => shown[idName] };
}

/** @param {string} name @param {string} label @param {string} hint */
export function group(name, label, hint) {
  return {
    name,
    label,
    hint,
    edit: /** @type {const} */ ("json"),
    required: true,
    sensitive: false,
  };
}

/** @param {string} name @param {string} label @param {string} [hint] */
export function numberField(name, label, hint) {
  return lineField({ name, label, hint, inputmode: "decimal", required: true });
}

/**
 * @template Body
 * @param {Body | null} body
 * @param {string} field
 * @throws {ApiError} if it is incomplete.
 */
export function whole(body, field) {
  if (body === null) throw new ApiError("PAYLOAD_INVALID", { details: { fields: [field] } });
  return body;
}
