/** Content for an assistant: without sensitive fields, and cut to the size of an answer. Pure. */

import type { AssistantRights } from "../access/identity.ts";
import type { CatalogModule } from "../catalog/module.ts";
import type { JsonObject } from "../core/json.ts";
import { type LocalTimes, localTimesOf, parseClocks } from "../validate/local_time.ts";
import { showsText } from "./lent.ts";

/** Maximum bytes of an answer in JSON. */
export const ANSWER_BYTES = 32 * 1024;
/** Maximum code points of a text in a page. */
export const PAGE_TEXT_LENGTH = 1_000;

interface Content {
  readonly title: string;
  readonly summary: string;
  readonly payload: JsonObject;
  /** As in a column `clocks`. */
  readonly clocks: string | null;
}

export interface ShownContent {
  readonly title: string | null;
  readonly summary: string;
  readonly payload: JsonObject;
  readonly localTimes: LocalTimes;
  /** Names of sensitive fields, which are null. */
  readonly hidden: readonly string[];
  /** True if a text was cut, or a field is null because of its size. */
  readonly truncated: boolean;
}

/** Replaces fields that the assistant may not see by null. */
export function hideContent(
  rights: AssistantRights,
  module: CatalogModule,
  { title, summary, payload, clocks }: Content,
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
    localTimes: localTimesOf(shown, parseClocks(clocks)),
    hidden: showsTitle ? hidden : ["title", ...hidden],
    truncated: false,
  };
}

/**
 * Cuts texts to `length` code points. If the content still exceeds `bytes`, fields that are not
 * texts and do not fit become null, and all texts are cut to the same shorter length.
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

/** Replaces fields that are not texts by null, except those that fit if all texts are empty. */
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

/** Cuts texts to `length` code points, which are never split. */
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

/** Maximum bytes of a record in an answer. */
export const RECORD_BYTES = ANSWER_BYTES - '{"record":}'.length;

const UTF8 = new TextEncoder();

export function bytesOf(value: unknown): number {
  return UTF8.encode(JSON.stringify(value)).length;
}
