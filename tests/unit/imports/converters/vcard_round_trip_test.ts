/** Lines of cards that come in and leave again in the same version. */

import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../../../src/core/json.ts";
import { VCARD_VERSIONS } from "../../../../src/families/relationship/vcard_text.ts";
import { convertCards, writeItem } from "../../../families/relationship/cards.ts";
import {
  generatedCard,
  generatedLines,
  linesByGroup,
} from "../../../families/relationship/generated_cards.ts";
import { seededRandom } from "../../../support/random.ts";

const COUNT = 200;

Deno.test("Generated cards leave with each of their lines and groups", async () => {
  const random = seededRandom(55);
  for (const version of VCARD_VERSIONS) {
    const cards = Array.from({ length: COUNT }, () => generatedLines(random, version));
    const file = cards.map((lines, index) => generatedCard(lines, version, `card-${index}`));
    const { items } = await convertCards(file.join(""));
    assertEquals(items.length, COUNT);
    for (const [index, item] of items.entries()) {
      const notes = (item.payload.experiences as JsonObject[]).map(({ narrative }) => narrative);
      const written = writeItem(item, version, { notes: notes as string[] });
      const left = written.replaceAll("\r\n ", "").split("\r\n").slice(5, -3)
        // 3.0 demands it.
        .filter((line) => line !== "N:Ada;;;;");
      assertEquals(linesByGroup(left), linesByGroup(cards[index] ?? []), file[index]);
    }
  }
});
