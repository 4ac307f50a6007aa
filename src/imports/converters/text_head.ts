/** Characters in which line ends, front matter and titles are searched. */
export const HEAD_LENGTH = 64 * 1024;

/**
 * The first 64 KiB of a text, with LF at the ends of lines. CR alone ends a line if there is no LF,
 * so that positions stay the same.
 */
export function headOf(text: string): string {
  const head = text.slice(0, HEAD_LENGTH);
  return head.includes("\n") ? head : head.replaceAll("\r", "\n");
}
