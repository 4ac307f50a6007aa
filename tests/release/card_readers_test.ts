// engines: embedded

/**
 * Cards as other programs read them. A test without its program is ignored. `READER_PACKAGES` names
 * a folder `node_modules` with ical.js.
 */

import { assert, assertEquals } from "@std/assert";
import { VCARD_VERSIONS, type VcardVersion } from "../../src/families/relationship/vcard_text.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { PEOPLE } from "../families/relationship/api.ts";
import { card, convertCards, writeItem } from "../families/relationship/cards.ts";
import { generatedCard, generatedLines } from "../families/relationship/generated_cards.ts";
import { imported } from "../http/imports.ts";
import { seededRandom } from "../support/random.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { CARD_READERS, PROPERTY_READERS, type ShownCard } from "./readers/cards.ts";
import { versionOf } from "./readers/programs.ts";

const world = sharedWorld();

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU" +
  "5ErkJggg==";

/** Lines of cards by name. */
const CARDS: Readonly<Record<string, readonly string[]>> = {
  Ina: ["BDAY:--0705"],
  Lin: ["BDAY:--0229"],
  Lea: ["BDAY:19840229"],
  Ann: ["BDAY:1984"],
  Tom: ["BDAY;VALUE=text:circa 1800"],
  Wim: ["ANNIVERSARY:20091115"],
  Wes: ["ANNIVERSARY:--1115"],
  Lou: ["TEL;TYPE=home:+49 30 1", "item1.TEL;TYPE=cell:+49 170 1", "item1.X-ABLabel:Lake"],
  Pia: [`PHOTO:data:image/png;base64,${PIXEL}`],
  Fay: ["FN:Fay Second"],
};

/** Answers of each program and version, in the order of `CARDS`. */
const SHOWN = new Map(
  `
Thunderbird 4.0: July 5|February 29|February 29, 1984|1984||November 15, 2009|November 15|Home +49 30 1 Cell +49 170 1|picture|Fay
Thunderbird 3.0: July 5, 1604|February 29, 1604|February 29, 1984|||||Home +49 30 1 Cell +49 170 1|picture|Fay
ical.js 4.0: --07-05|--02-29|1984-02-29|1984|circa 1800|2009-11-15|--11-15|+49 30 1 Lake +49 170 1|picture|Fay
ical.js 3.0: 1604-07-05|1604-02-29|1984-02-29|||2009-11-15|1604-11-15|+49 30 1 Lake +49 170 1|picture|Fay
vobject 4.0: --0705|--0229|19840229|1984|circa 1800|20091115|--1115|+49 30 1 Lake +49 170 1|picture|Fay
vobject 3.0: 1604-07-05|1604-02-29|1984-02-29|||2009-11-15|1604-11-15|+49 30 1 Lake +49 170 1|picture|Fay
sabre 4.0: --0705|--0229|19840229|1984|circa 1800|20091115|--1115|+49 30 1 Lake +49 170 1|picture|Fay The FN property must appear in the VCARD component exactly 1 time
sabre 3.0: 1604-07-05|1604-02-29|1984-02-29|||2009-11-15|1604-11-15|+49 30 1 Lake +49 170 1|picture|Fay
EDS 4.0: 0-0-0|0-0-0|1984-2-29|0-0-0|57411-4294967137-0|||+49 30 1 +49 170 1||Fay
EDS 3.0: 1604-7-5|1604-2-29|1984-2-29|||2009-11-15|1604-11-15|+49 30 1 +49 170 1|picture|Fay
KContacts 4.0: ||1984-02-29|||2009-11-15||+49 30 1||Fay Second
KContacts 3.0: 1604-07-05|1604-02-29|1984-02-29|||2009-11-15|1604-11-15|+49 30 1|picture|Fay
khard 4.0: --07-05||02/29/84||circa 1800|11/15/09|--11-15|home: +49 30 1 Lake, cell: +49 170 1||Fay
khard 3.0: 07/05/04|02/29/04|02/29/84|||11/15/09|11/15/04|home: +49 30 1 Lake, cell: +49 170 1||Fay
khal 4.0: 2027-07-05 birthday||2027-03-01 43rd birthday (29th of Feb.)|2027-TODAY 43rd birthday||2027-11-15 18th anniversary|2027-11-15 anniversary|||Fay
khal 3.0: 2027-07-05 423rd birthday|2027-03-01 423rd birthday (29th of Feb.)|2027-03-01 43rd birthday (29th of Feb.)|||2027-11-15 18th _$!<Anniversary>!$_, 2027-11-15 18th anniversary|2027-11-15 423rd _$!<Anniversary>!$_, 2027-11-15 423rd anniversary|||Fay
`.trim().split("\n").map((row) => {
    const today = new Date().toISOString().slice(5, 10);
    const [name = "", answers = ""] = row.split(/: (.*)/);
    return [name, answers.replace("TODAY", today).split("|")];
  }),
);

/** The card of each person, in the order of `CARDS`. */
async function cardsOf(caller: Caller, version: VcardVersion): Promise<string[]> {
  const { body } = await caller.call("GET", `${PEOPLE}?limit=100`);
  const ids = new Map(
    body.data.items.map(({ personName, personId }: Json) => [personName, personId]),
  );
  return await Promise.all(
    Object.keys(CARDS).map(async (name) => {
      const path = `${PEOPLE}/${ids.get(name)}/vcard?version=${version}`;
      return (await caller.call("GET", path)).text;
    }),
  );
}

function answerOf({ name, birthday, anniversary, numbers, hasPicture }: ShownCard): string {
  return [birthday, anniversary, numbers, hasPicture ? "picture" : ""].join("") ||
    (name.startsWith("Fay") ? name : "");
}

for (const { name, package: from, read } of CARD_READERS) {
  const version = await versionOf(from);
  Deno.test({
    name: `${name} ${version} shows birthdays, anniversaries, labels, pictures and names`,
    ignore: version === null,
    async fn() {
      const caller = await world().createCaller();
      const file = Object.entries(CARDS).map(([name, lines]) =>
        card("VERSION:4.0", `UID:${name}`, `FN:${name}`, ...lines)
      );
      await imported(caller, "vcard", file.join(""));
      for (const each of VCARD_VERSIONS) {
        const shown = await read(await cardsOf(caller, each));
        assertEquals(shown.map(answerOf), SHOWN.get(`${name} ${each}`), each);
      }
    },
  });
}

const COUNT = 10_000;

/** Without the lines that the service adds. */
function ownProperties(lines: readonly string[]): string[] {
  return lines.filter((line) => !/^(?:VERSION|PRODID|REV|UID):|^N:Ada;*$/.test(line));
}

/** Lines that a version lacks, of other names, are not parsed as their properties. */
function assertKept(after: readonly string[], before: readonly string[], card: string): void {
  const left = [...before];
  for (const line of after.filter((line) => !line.startsWith("X-PRS-"))) {
    assert(left.includes(line), `${line}\n${card}`);
    left.splice(left.indexOf(line), 1);
  }
  assertEquals(left.length, after.filter((line) => line.startsWith("X-PRS-")).length, card);
}

for (const { name, package: from, read } of PROPERTY_READERS) {
  Deno.test({
    name: `${name} reads the properties of generated cards after an import and an export`,
    ignore: await versionOf(from) === null,
    async fn() {
      const random = seededRandom(55);
      for (const version of VCARD_VERSIONS) {
        const cards = Array.from(
          { length: COUNT },
          (_, index) => generatedCard(generatedLines(random, version), version, `card-${index}`),
        );
        const { items } = await convertCards(cards.join(""));
        const written = items.map((item) => {
          const notes = (item.payload.experiences as JsonObject[]).map(({ narrative }) =>
            narrative
          );
          return writeItem(item, version, { notes: notes as string[] });
        });
        const [before, after] = [await read(cards), await read(written)];
        assertEquals(after.length, COUNT);
        for (const [index, lines] of before.entries()) {
          assertKept(ownProperties(after[index] ?? []), ownProperties(lines), cards[index] ?? "");
        }
      }
    },
  });
}
