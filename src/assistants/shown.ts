/** How content is shown to an assistant: sensitive fields hidden, and cut to the size of an answer. Pure. */

import type { AssistantRights } from "../access/identity.ts";
import type { CatalogModule } from "../catalog/module.ts";
import type { JsonObject } from "../core/json.ts";
import { showsText } from "./lent.ts";

/** Maximum bytes of an answer's content in JSON. */
export const ANSWER_BYTES = 32 * 1024;
/** Maximum code points of a text in a page. */
export const PAGE_TEXT_LENGTH = 1_000;

/** Content as it is stored. */
interface Content {
  readonly title: string;
  readonly summary: string;
  readonly payload: JsonObject;
}

/** Content as an assistant sees it. */
export interface ShownContent {
  readonly title: string | null;
  readonly summary: string;
  readonly payload: JsonObject;
  /** The names of what reads null because it is sensitive. */
  readonly hidden: readonly string[];
  /** Whether a text was cut, or a field left out for its size. */
  readonly truncated: boolean;
}

/** Hides what the assistant does not see. */
export function hideContent(
  rights: AssistantRights,
  module: CatalogModule,
  { title, summary, payload }: Content,
): ShownContent {
  const hidden = module.fields.map(({ name }) => name)
    .filter((name) => Object.hasOwn(payload, name) && !showsText(rights, module, name));
  const shown = { ...payload };
  for (const name of hidden) shown[name] = null;
  const showsTitle = showsText(rights, module, "title");
  return {
    title: showsTitle ? title : null,
    summary,
    payload: shown,
    hidden: showsTitle ? hidden : ["title", ...hidden],
    truncated: false,
  };
}

/**
 * Cuts the texts of content to a number of code points, and further if that exceeds a number of bytes: then
 * fields that are not text and do not fit read null, and all texts are cut to the same length.
 */
export function fitContent<Shown extends ShownContent>(
  shown: Shown,
  module: CatalogModule,
  { length = Infinity, bytes = ANSWER_BYTES }: { length?: number; bytes?: number },
): Shown {
  const cut = cutTexts(shown, module, length);
  if (bytesOf(cut) <= bytes) return cut;
  const fitting = withFittingFields(shown, module, bytes);
  const texts = [shown.summary, ...Object.values(shown.payload), shown.title]
    .filter((value) => typeof value === "string");
  let [low, high] = [0, Math.min(length, Math.max(...texts.map((text) => text.length)))];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (bytesOf(cutTexts(fitting, module, middle)) <= bytes) low = middle;
    else high = middle - 1;
  }
  return cutTexts(fitting, module, low);
}

/** Leaves out fields that are not text, unless they fit together with the others if these have no text. */
function withFittingFields<Shown extends ShownContent>(
  shown: Shown,
  module: CatalogModule,
  bytes: number,
): Shown {
  const long = module.fields.filter(({ name, edit }) =>
    ["json", "tags", "file"].includes(edit) && (shown.payload[name] ?? null) !== null
  );
  const payload = { ...shown.payload };
  for (const { name } of long) payload[name] = null;
  let fitting = { ...shown, payload, truncated: true };
  for (const { name } of long) {
    const more = {
      ...fitting,
      payload: { ...fitting.payload, [name]: shown.payload[name] ?? null },
    };
    if (bytesOf(cutTexts(more, module, 0)) <= bytes) fitting = more;
  }
  const isWhole = long.every(({ name }) => fitting.payload[name] !== null);
  return { ...fitting, truncated: shown.truncated || !isWhole };
}

/** Cuts the texts of content to so many code points, which are never split. */
function cutTexts<Shown extends ShownContent>(
  shown: Shown,
  { fields }: CatalogModule,
  length: number,
): Shown {
  let truncated = shown.truncated;
  const cut = (text: string) => {
    if (text.length <= length) return text;
    const kept = [...text].slice(0, length).join("");
    truncated ||= kept.length < text.length;
    return kept;
  };
  const payload = { ...shown.payload };
  for (const { name, edit } of fields) {
    const value = payload[name];
    if ((edit === "text" || edit === "textarea") && typeof value === "string") {
      payload[name] = cut(value);
    }
  }
  const title = shown.title === null ? null : cut(shown.title);
  const summary = cut(shown.summary);
  return { ...shown, title, summary, payload, truncated };
}

/** Bytes for the content of one record, without its name in the answer. */
export const RECORD_BYTES = ANSWER_BYTES - '{"record":}'.length;

const UTF8 = new TextEncoder();

export function bytesOf(value: unknown): number {
  return UTF8.encode(JSON.stringify(value)).length;
}
