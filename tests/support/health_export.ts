/** Writes exports of Apple Health for tests, and converts them. */

import type { JsonObject } from "../../src/core/json.ts";
import type { Converted } from "../../src/imports/converters/converter.ts";
import { APPLE_HEALTH } from "../../src/imports/converters/health/apple_health.ts";
import { inputOf } from "../families/relationship/cards.ts";

const CHUNK_BYTES = 1000;

/** Attributes of a record; times are milliseconds since 1970. */
export interface TestRecord {
  /** Without `HKQuantityTypeIdentifier`. */
  readonly type: string;
  readonly source?: string;
  readonly start: number;
  readonly end?: number;
  readonly value: string | number;
  readonly unit?: string;
  readonly zone?: string | null;
  readonly device?: string;
}

/** `2016-11-14 07:25:41 -0700`, for an offset in minutes. */
export function writtenTime(time: number, offset = 0): string {
  const local = new Date(time + offset * 60_000).toISOString().slice(0, 19).replace("T", " ");
  const two = (part: number) => String(part).padStart(2, "0");
  const size = Math.abs(offset);
  return `${local} ${offset < 0 ? "-" : "+"}${two(Math.floor(size / 60))}${two(size % 60)}`;
}

export function recordText(record: TestRecord, offset = 0): string {
  const { type, source = "Watch", start, end = start, value, unit, zone = null, device } = record;
  const isSleep = type === "SleepAnalysis";
  const attributes = {
    type: `HK${isSleep ? "Category" : "Quantity"}TypeIdentifier${type}`,
    sourceName: source,
    ...(device !== undefined && { device: `<<HKDevice: 0x1>, name:${device}, model:X>` }),
    ...(unit !== undefined && { unit }),
    startDate: writtenTime(start, offset),
    endDate: writtenTime(end, offset),
    value: isSleep ? `HKCategoryValueSleepAnalysis${value}` : String(value),
  };
  const entries = zone === null
    ? ""
    : `<MetadataEntry key="HKTimeZone" value="${zone}"/><MetadataEntry key="Note" value="UTC"/>`;
  return element("Record", attributes, entries);
}

export function element(
  name: string,
  attributes: Readonly<Record<string, string>>,
  content = "",
): string {
  const written = Object.entries(attributes).map(([key, value]) =>
    ` ${key}="${value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")}"`
  ).join("");
  return content === "" ? `<${name}${written}/>\n` : `<${name}${written}>\n${content}</${name}>\n`;
}

/** An export of elements, with the beginning of a document type. */
export function exportText(elements: readonly string[]): string {
  return `<?xml version="1.0"?>\n<!DOCTYPE HealthData [<!ELEMENT HealthData (Record*)>]>\n` +
    `<HealthData locale="en_DE">\n<ExportDate value="2024-06-01 08:10:05 +0200"/>\n` +
    `${elements.join("")}</HealthData>\n`;
}

export interface ConvertedHealth {
  /** Members by key. */
  readonly items: ReadonlyMap<string, JsonObject>;
  readonly counts: Readonly<Record<string, number>>;
  readonly groups: Readonly<Record<string, number>>;
  /** Numbers of values as `type of source`. */
  readonly series: Readonly<Record<string, number>>;
}

export async function convertHealth(
  text: string,
  mapping: JsonObject | null = null,
): Promise<ConvertedHealth> {
  const input = { ...inputOf(new TextEncoder().encode(text), CHUNK_BYTES), mapping };
  const converted: readonly Converted[] = await Array.fromAsync(APPLE_HEALTH.convert(input));
  const numbers = (kind: string) =>
    Object.fromEntries(converted.flatMap((each) => {
      if (each.kind !== kind || !("name" in each)) return [];
      const name = each.kind === "series" ? `${each.name} of ${each.group}` : each.name;
      return [[name, each.count ?? 1]];
    }));
  const items = converted.flatMap((each) =>
    each.kind === "item" ? [[String(each.item.members.key), each.item.members] as const] : []
  );
  if (new Set(items.map(([key]) => key)).size < items.length) throw new Error("A key is repeated");
  return {
    items: new Map(items),
    counts: numbers("unmapped"),
    groups: numbers("group"),
    series: numbers("series"),
  };
}
