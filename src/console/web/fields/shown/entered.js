import { loadArea } from "../../core/base/language.js";

/** Fields of numbers and dates, loaded by the first form that has some. */
export async function enteredFields() {
  const [fields] = await Promise.all([
    import("../entered_fields.js"),
    // All at once, so that a form waits for one answer.
    import("../../logic/entered/numbers.js"),
    loadArea("entered"),
  ]);
  return fields;
}
