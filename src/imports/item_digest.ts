/** Digests of items: a repeated import compares them with those of the origins. */

import { timeNames } from "../catalog/policy.ts";
import { sha256Hex } from "../core/digest.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../core/json.ts";
import { canonicalJson } from "../validate/canonical.ts";
import { type Clocks, NO_CLOCKS } from "../validate/local_time.ts";
import type { PeopleFacts } from "./converters/converter.ts";
import type { Targets } from "./targets.ts";

/** The members of an item that its digest covers. */
interface DigestedItem {
  readonly target: string | null;
  readonly title: string;
  readonly summary: string;
  readonly payload: JsonObject;
  readonly recordedAt: number | null;
  readonly tags: readonly string[];
  readonly files: readonly { readonly name: string; readonly sha256?: string }[];
  readonly archived: boolean;
  readonly people: Pick<PeopleFacts, "links" | "members" | "uids"> | null;
}

/** @param writtenTimes As in `SourceItem`. */
export function digestOf(
  item: DigestedItem,
  writtenTimes: readonly string[] | undefined,
  targets: Pick<Targets, "fieldsOf">,
): string {
  return digestWith(item, clocksOf(item, targets), writtenTimes);
}

/** The digest of the item in releases without clocks. */
export function formerDigestOf(
  item: DigestedItem,
  writtenTimes: readonly string[] | undefined,
): string {
  return digestWith(item, NO_CLOCKS, writtenTimes);
}

/** Files count by their own digests, so that renaming the archive's folder changes nothing else. */
function digestWith(
  item: DigestedItem,
  clocks: Clocks,
  writtenTimes: readonly string[] = [],
): string {
  const { target, title, summary, payload, recordedAt, tags, files, archived, people } = item;
  const { uids = [] } = people ?? {};
  const attachments = files.map(({ name, sha256 = null }) => ({ name, sha256 }));
  return sha256Hex(canonicalJson({
    target,
    title,
    summary,
    payload: withoutClocks(payload, writtenTimes),
    recordedAt,
    tags,
    attachments,
    archived,
    ...(people !== null && { links: people.links, members: people.members }),
    ...(uids.length > 1 && { uids }),
    ...(Object.keys(clocks).length > 0 && { clocks }),
  } as unknown as JsonObject));
}

/** Writes times as releases without clocks did. */
function withoutClocks(payload: JsonObject, names: readonly string[]): JsonObject {
  const former = { ...payload };
  for (const name of names) {
    const time = payload[name];
    if (typeof time !== "string") continue;
    former[name] = time.replace(/\[.*$/, "").replace(/Z$/, "+00:00");
  }
  return former;
}

/** The offset at the end of a time, with the zone if there is one. */
const CLOCK = /(?:z|[+-]\d{2}:\d{2})(?:\[[^[]*)?$/i;
const INSTANT_ONLY = /^(?:z|-00:00)$/i;

/** The clocks of an item's times as written; those of a person's entries by their places. */
function clocksOf(
  { target, payload }: DigestedItem,
  { fieldsOf }: Pick<Targets, "fieldsOf">,
): Clocks {
  const fields = target === null ? [] : fieldsOf(target) ?? [];
  const times: readonly (readonly [string, JsonValue | undefined])[] = target === "person"
    ? [
      ...entryTimes(payload.experiences, "occurredAt"),
      ...entryTimes(payload.contacts, "contactedAt"),
    ]
    : timeNames({ fields }).map((name) => [name, payload[name]]);
  return Object.fromEntries(times.flatMap(([name, time]) => {
    const [clock = "Z"] = typeof time === "string" ? CLOCK.exec(time) ?? [] : [];
    return INSTANT_ONLY.test(clock) ? [] : [[name, clock]];
  }));
}

function entryTimes(entries: JsonValue | undefined, name: string) {
  const list = Array.isArray(entries) ? entries : [];
  return list.map((entry, place) =>
    [`${name}.${place}`, isJsonObject(entry) ? entry[name] : undefined] as const
  );
}
