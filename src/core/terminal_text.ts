/**
 * Controls, and marks that change the direction of a text. A terminal obeys or hides them, so that
 * a text could look like another one. Without tab and line feed.
 */
const CONTROLS = /(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * Writes controls as `\u` and four hexadecimal digits, so that a terminal shows them. JSON keeps
 * its meaning, because it can have them in texts only.
 */
export function escapeControls(text: string): string {
  return text.replaceAll(
    CONTROLS,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
