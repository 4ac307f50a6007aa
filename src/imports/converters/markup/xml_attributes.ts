/** Attributes of an XML tag. */

const TAB = 0x09;
const LINE_FEED = 0x0a;
const SPACE = 0x20;

export function isBlank(code: number): boolean {
  return code === SPACE || code === LINE_FEED || code === TAB;
}

/**
 * Parses attributes. A name may contain blanks, and a value may lack its quotes; of two with one
 * name the first counts. Tabs and line ends in a value become blanks.
 *
 * @param text The tag after its name, without its end.
 * @param decode Decodes the references of a value.
 */
export function attributesOf(
  text: string,
  decode: (value: string) => string,
): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  const isPlain = !/[&\t\n]/.test(text);
  for (let at = afterBlanks(text, 0); at < text.length; at = afterBlanks(text, at)) {
    const { name, value, end } = attributeAt(text, at);
    at = end;
    if (attributes.has(name)) continue;
    attributes.set(name, isPlain ? value : decode(value.replaceAll(/[\t\n]/g, " ")));
  }
  return attributes;
}

/** The attribute at a position. Without `=`, the rest of the tag is a name. */
function attributeAt(text: string, from: number) {
  const equals = text.indexOf("=", from);
  if (equals === -1) return { name: text.slice(from).trimEnd(), value: "", end: text.length };
  const name = text.slice(from, equals).trimEnd();
  const start = afterBlanks(text, equals + 1);
  const quote = text.charAt(start);
  if (quote === '"' || quote === "'") {
    const closing = text.indexOf(quote, start + 1);
    const end = closing === -1 ? text.length : closing;
    return { name, value: text.slice(start + 1, end), end: end + 1 };
  }
  let end = start;
  while (end < text.length && !isBlank(text.charCodeAt(end))) end++;
  return { name, value: text.slice(start, end), end };
}

function afterBlanks(text: string, from: number): number {
  let at = from;
  while (isBlank(text.charCodeAt(at))) at++;
  return at;
}
