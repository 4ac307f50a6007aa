/** What keeps people's words apart from the form of a Markdown file. */

/**
 * A value as YAML, on one line. JSON is YAML once the characters are escaped that a YAML reader takes for
 * line breaks or does not accept unescaped.
 */
export function yamlValue(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A title that stays one line of plain words, whatever marks it holds. */
export function headingText(title: string): string {
  return title
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .replace(/[\\`*_~[\]<>#&!|]/g, "\\$&");
}
