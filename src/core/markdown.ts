/** Separates user text from the syntax of a Markdown file. */

/** One line of JSON, escaped so that it is YAML: YAML has more line breaks, and forbids more. */
export function yamlValue(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** One line of plain text, with Markdown characters escaped. */
export function headingText(title: string): string {
  return title
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .replace(/[\\`*_~[\]<>#&!|]/g, "\\$&");
}
