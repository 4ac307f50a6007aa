/** Middle names by the orders of Monica 4.1.2 (`Contact::getNameAttribute`). */

import { assertEquals } from "@std/assert";
import { middleName } from "../../../src/prs/fetch/middle_name.ts";

Deno.test("A middle name is found in each order of names that Monica has", () => {
  const [first, last, nickname] = ["Ann", "Lee", "Ani"];
  const orders: readonly (readonly [string, string])[] = [
    ["Ann May Lee", "May"],
    ["Lee May Ann", "May"],
    ["Ann May Lee (Ani)", "May"],
    ["Ann May (Ani) Lee", "May"],
    ["Lee Ann May (Ani)", "May"],
    ["Ani (Ann May Lee)", "May"],
    ["Ani (Lee Ann May)", "May"],
    ["Lee (Ani) Ann May", "May"],
    ["Ani (Ann May) Lee", "May"],
    ["Ann May Lee ⚰", "May"],
    ["Ani", ""],
    ["Ann Lee", ""],
    ["Lee Ann (Ani)", ""],
    ["Ani (Ann Lee)", ""],
    ["Someone else", ""],
  ];
  for (const [complete, middle] of orders) {
    assertEquals(middleName({ complete, first, last, nickname }), middle, complete);
  }
  const alone = { first: "Ann", last: "", nickname: "" };
  const found = ["Ann", "Ann May Sue", "May Ann"].map((complete) =>
    middleName({ ...alone, complete })
  );
  assertEquals(found, ["", "May Sue", "May"]);
});
