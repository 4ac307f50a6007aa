/** Lines after a text for the files of an item that the text does not mention. */

import type { JsonObject } from "../core/json.ts";
import type { ImportTarget } from "../kit/import_target.ts";
import { isBlank } from "../validate/text.ts";
import { baseNameOf } from "./archive/archive.ts";
import { namedFiles } from "./attachment_names.ts";
import { isUsable, type ItemFile } from "./item_files.ts";
import { mediaTypeOf } from "./media_types.ts";

/** A file as the text of its item names it. */
export interface LinkedFile {
  /** As in `attachment:<name>`. */
  readonly name: string;
  /** By default the base name. */
  readonly filename?: string;
  readonly mediaType?: string;
}

/** The text with a line for each file, after a blank line; a blank text becomes the lines. */
export function linkFiles(text: string, files: readonly LinkedFile[]): string {
  if (files.length === 0) return text;
  const lines = files.map(lineOfFile).join("\n");
  if (isBlank(text)) return lines;
  return `${text}${text.endsWith("\n") ? "" : "\n"}\n${lines}`;
}

export function lineOfFile(
  { name, filename = baseNameOf(name), mediaType = mediaTypeOf(filename) }: LinkedFile,
): string {
  const isPicture = mediaType.startsWith("image/") || mediaTypeOf(name).startsWith("image/");
  const label = filename.replaceAll(/[[\]\\]/g, "\\$&");
  return isPicture ? `![](attachment:${name})` : `[${label}](attachment:${name})`;
}

/**
 * The payload with lines for the files that neither its texts nor the target's field for files
 * name. A target without a text keeps the files unlinked, rule `attachment.unlinked`.
 */
export function withFileLines(
  payload: JsonObject,
  files: readonly ItemFile[],
  { fileField, textField }: Pick<ImportTarget, "fileField" | "textField">,
): { readonly payload: JsonObject; readonly rules: readonly string[] } {
  if (files.length === 0 || fileField?.isList) return { payload, rules: [] };
  const usable = files.filter(isUsable);
  const named = namedFiles(payload, usable.map(({ name }) => name));
  const inField = fileField === null ? undefined : usable[0];
  const missed = usable.filter((file) => file !== inField && !named.has(file.name));
  if (missed.length === 0) return { payload, rules: [] };
  const text = textField === null ? undefined : payload[textField] ?? "";
  if (textField === null || typeof text !== "string") {
    return { payload, rules: ["attachment.unlinked"] };
  }
  return { payload: { ...payload, [textField]: linkFiles(text, missed) }, rules: [] };
}
