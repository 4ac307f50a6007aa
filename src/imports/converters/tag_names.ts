/**
 * The tags in a text, without `#` before them. Words that all begin with `#` are several tags; any
 * other text is one.
 */
export function tagNames(text: string): string[] {
  const words = text.trim().split(/\s+/);
  const parts = words.every((word) => word.startsWith("#")) ? words : [text];
  return parts.map((part) => part.trim().replace(/^#+\s*/, "")).filter((tag) => tag !== "");
}
