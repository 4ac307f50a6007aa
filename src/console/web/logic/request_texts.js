/** Members that forms add to the user's text. */
const NOT_SHOWN = new Set([
  "expectedRevision",
  "contentType",
  "targetModule",
  "sourceApp",
  "routeStatus",
  "capturedAt",
]);

/**
 * By field name, in the body's order.
 *
 * @param {unknown} body
 * @returns {{ name: string, text: string }[]}
 */
export function requestTexts(body) {
  return Object.entries(body ?? {}).flatMap(([name, value]) => {
    if (NOT_SHOWN.has(name)) return [];
    if (typeof value !== "object" || value === null) return [{ name, text: String(value ?? "") }];
    if (!Array.isArray(value)) return requestTexts(value);
    const isPlain = value.every((item) => typeof item !== "object");
    return [{ name, text: isPlain ? value.join("\n") : JSON.stringify(value, null, 2) }];
  }).filter(({ text }) => text !== "");
}
