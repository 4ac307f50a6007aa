/**
 * @param {readonly import("./field.js").Field[]} fields
 * @returns {Record<string, string>}
 */
export function textsOf(fields) {
  return Object.fromEntries(fields.map(({ name, text }) => [name, text()]));
}

/**
 * @param {readonly import("./field.js").Field[]} fields
 * @param {Readonly<Record<string, string>>} texts
 */
export function showTexts(fields, texts) {
  for (const { name, setText } of fields) setText(texts[name] ?? "");
}
