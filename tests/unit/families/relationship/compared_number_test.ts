import { assertEquals } from "@std/assert";
import { comparedUid } from "../../../../src/families/relationship/card_uids.ts";
import {
  comparedForms,
  comparedNumber,
  isSameForm,
} from "../../../../src/families/relationship/compared_number.ts";
import numbers from "../../../http/contact_cases/tables/numbers.json" with { type: "json" };
import uids from "../../../http/contact_cases/tables/uids.json" with { type: "json" };

Deno.test("A UID has one compared form", () => {
  for (const { uid, compared } of uids.compared) assertEquals(comparedUid(uid), compared, uid);
});

Deno.test("A number is read before its extension, with or without a country code", () => {
  for (const { text, international, digits } of numbers.compared) {
    assertEquals(comparedNumber(text), { isInternational: international, digits }, text);
  }
});

Deno.test("Two numbers are one with and without the country code", () => {
  const formOf = (value: string) => comparedForms([{ kind: "PHONE", value: { value } }])[0];
  const texts = numbers.compared.map(({ text }) => text);
  const pairs = texts.flatMap((one, index) => {
    return texts.slice(index + 1).filter((other) => {
      const [first, second] = [formOf(one), formOf(other)];
      if (first === undefined || second === undefined) return false;
      assertEquals(isSameForm(first, second), isSameForm(second, first), `${one}, ${other}`);
      return isSameForm(first, second);
    }).map((other) => [one, other]);
  });
  assertEquals(pairs, numbers.same);
});
