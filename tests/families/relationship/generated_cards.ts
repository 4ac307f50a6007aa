/** Cards of other programs, generated. */

import { escapeText } from "../../../src/core/folded_line.ts";
import type { VcardVersion } from "../../../src/families/relationship/vcard_text.ts";
import type { Random } from "../../support/random.ts";
import { card } from "./cards.ts";

type Line = (random: Random, version: VcardVersion) => string;

const DAYS = { "4.0": ["BDAY:19840229", "BDAY:--0229", "BDAY:1984"], "3.0": ["BDAY:1984-02-29"] };

const LINES: readonly Line[] = [
  (random, version) => `TEL${parameters(random, version)}:+49 30 ${random.integer(1, 999_999)}`,
  (random, version) => `EMAIL${parameters(random, version)}:${random.ulid()}@example.org`,
  (random, version) => `ADR${parameters(random, version)}:${parts(random, 7, false)}`,
  (random, version) => `ORG${parameters(random, version)}:${parts(random, 3, false)}`,
  (random, version) => `TITLE${parameters(random, version)}:${text(random)}`,
  (random, version) => `URL${parameters(random, version)}:https://example.org/?a=${text(random)}`,
  (random, version) => `IMPP${parameters(random, version)}:xmpp:${random.ulid()}@example.org`,
  (random, version) => `N${parameters(random, version)}:${parts(random, 5, true)}`,
  (random) => `NICKNAME:${text(random)},${text(random)}`,
  (random) => `X-PHONETIC-NAME:${text(random)}`,
  (random, version) => random.pick(DAYS[version]),
  (random) => `BDAY;VALUE=text:${text(random)}`,
  (random, version) =>
    version === "4.0" ? `FN;LANGUAGE=fr:${text(random)}` : `MAILER:${text(random)}`,
  (random, version) =>
    version === "4.0"
      ? `RELATED;VALUE=text;TYPE=${random.pick(["spouse", "friend"])}:${text(random)}`
      : `X-ABRELATEDNAMES:${text(random)}`,
  (random) => `NOTE:${text(random)}`,
  (random) => `X-FOO;A="b:c;d,e":${text(random)}`,
  (random) => `X-SOCIALPROFILE;TYPE=twitter;X-USER=a:https://example.org/${random.ulid()}`,
  (random, version) =>
    version === "4.0" ? `GENDER:${random.pick(["F", "O"])}` : `CLASS:${random.pick(["PUBLIC"])}`,
];

function text(random: Random): string {
  return escapeText(random.text(1, random.chance(0.1) ? 200 : 20));
}

function parts(random: Random, count: number, isListed: boolean): string {
  const part = () => {
    if (random.chance(0.3)) return "";
    return isListed && random.chance(0.3) ? `${text(random)},${text(random)}` : text(random);
  };
  return [text(random), ...Array.from({ length: count - 1 }, part)].join(";");
}

function parameters(random: Random, version: VcardVersion): string {
  const own = version === "4.0"
    ? [";PREF=1", ";PREF=7", ";PID=1.1", ";ALTID=2", ';SORT-AS="a,b"']
    : [";TYPE=pref", ";type=HOME;type=WORK", ";CONTEXT=a"];
  const some = [...own, ";TYPE=cell,x-1", ";LANGUAGE=de", ';X-CHECK="a;b"'];
  return some.filter(() => random.chance(0.2)).join("");
}

/** Lines of a card in any order. Some share a group, and one of those has a label. */
export function generatedLines(random: Random, version: VcardVersion): string[] {
  const drawn = new Set(
    Array.from({ length: random.integer(1, 12) }, () => random.pick(LINES)(random, version)),
  );
  // A further birthday leaves under another name, and a note without its group.
  const isDay = (line: string) => line.startsWith("BDAY:");
  const day = [...drawn].find(isDay);
  const lines = [...drawn].filter((line) => !isDay(line) || line === day).map((line) => {
    const isGrouped = random.chance(0.4) && !line.startsWith("NOTE");
    return isGrouped ? `${random.pick(["item1", "ITEM7", "home"])}.${line}` : line;
  });
  const groups = new Set(lines.flatMap((line) => /^(item1|ITEM7|home)\./.exec(line)?.[1] ?? []));
  const labels = [...groups].filter(() => random.chance(0.7))
    .map((group) => `${group}.X-ABLabel:${random.text(1, 30).replaceAll(/[\\,;]/g, "")}`);
  return [...lines, ...labels];
}

/** A card with a name and a UID. */
export function generatedCard(
  lines: readonly string[],
  version: VcardVersion,
  uid: string,
): string {
  return card(`VERSION:${version}`, `UID:${uid}`, "FN:Ada", ...lines);
}

/**
 * Lines without `X-PRS-`, sorted. The lines of a group are one entry without its name; a group of
 * one line has none.
 */
export function linesByGroup(lines: readonly string[]): string[] {
  const own = lines.map((line) => line.replace(/^([A-Za-z0-9-]+\.|)X-PRS-/, "$1"));
  const groups = Map.groupBy(own, (line) => /^([A-Za-z0-9-]+)\./.exec(line)?.[1]?.toLowerCase());
  return [...groups].flatMap(([group, members]) => {
    if (group === undefined) return members;
    const own = members.map((line) => line.slice(group.length + 1)).sort();
    return [own.length === 1 ? own[0] ?? "" : JSON.stringify(own)];
  }).sort();
}
