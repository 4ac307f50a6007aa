/** Writes an account as Monica's JSON export does, with bytes of one file at a time in memory. */

import { isJsonObject, type JsonObject, type JsonValue, objectOf } from "../../core/json.ts";
import type { ExportAccount } from "./account.ts";

/** Returns the `data:` address of a photo or document; null if it has no bytes. */
type DataUrlOf = (type: string, uuid: string) => Promise<string | null>;

/** The text of the file, in pieces. */
export async function* exportText(
  { data, properties, instance }: ExportAccount,
  dataUrlOf: DataUrlOf,
): AsyncGenerator<string> {
  yield `{"version":"1.0-preview.1",\n"account":{"data":[`;
  for (const [index, { count = 0, type = "", values = [] }] of data.entries()) {
    yield `${index === 0 ? "" : ","}\n{"count":${count},"type":${JSON.stringify(type)},"values":[`;
    for (const [place, value] of (Array.isArray(values) ? values : []).entries()) {
      const entry = await withBytes(String(type), value, dataUrlOf);
      yield `${place === 0 ? "" : ","}\n${JSON.stringify(entry)}`;
    }
    yield "]}";
  }
  const rest = JSON.stringify({ properties, instance }).slice(1);
  yield `],\n${rest}}\n`;
}

async function withBytes(type: string, entry: JsonValue, dataUrlOf: DataUrlOf): Promise<JsonValue> {
  if (!isJsonObject(entry) || type !== "photo" && type !== "document") return entry;
  const dataUrl = await dataUrlOf(type, String(entry.uuid));
  if (dataUrl === null) return entry;
  const properties: JsonObject = { ...objectOf(entry.properties), dataUrl };
  return { ...entry, properties };
}
