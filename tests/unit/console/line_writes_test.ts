import { assertEquals } from "@std/assert";
import { writesOf } from "../../../src/console/web/fields/add_line/writes.js";
import { understand } from "../../../src/console/web/logic/add_line/understand.js";

const OPTIONS = { language: "en", now: Date.UTC(2026, 10, 28, 12), zone: "UTC" } as const;
const written = (list: string, text: string) =>
  writesOf(understand(list, text, OPTIONS).records).map(({ path, words }) => [path, words]);

Deno.test("A person's number is sent to the person that was made before it", () => {
  const people = "/api/v2/relationship/people";
  assertEquals(written("relationship", "Anna 0170 1234567"), [
    [people, ""],
    [[`${people}/`, { answer: 0, member: "personId" }, "/details"], "0170 1234567"],
  ]);
});

Deno.test("If the second value is refused, the line has it alone", () => {
  const health = "/api/v2/records/health";
  assertEquals(written("health", "120/80"), [[health, "120 mmHg"], [health, "80 mmHg"]]);
});
