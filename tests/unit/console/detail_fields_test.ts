/** Corrected details of people. */

import { assertEquals } from "@std/assert";
import { detailBody, textsOfDetail } from "../../../src/console/web/pages/people_details/fields.js";

Deno.test("A corrected value keeps what the form does not show", () => {
  const phone = { value: "0170", types: ["cell"] };
  assertEquals(detailBody("PHONE", { value: " 0171 " }, phone), {
    value: { value: "0171", types: ["cell"] },
  });
  const address = { street: "A 1", locality: "Berlin", types: ["home"] };
  const texts = { street: "A 2", postalCode: "", locality: "", country: "" };
  assertEquals(detailBody("ADDRESS", texts, address), {
    value: { street: "A 2", types: ["home"] },
  });
});

Deno.test("A date goes through its form unchanged", () => {
  for (
    const value of [
      { what: "BIRTHDAY", date: "1984-02-29", yearly: true },
      { what: "OTHER", date: "--03-12", yearly: false },
      { what: "MET", date: "1997" },
    ]
  ) {
    const detail = { kind: "DATE", value, label: "Name day" };
    const body = detailBody("DATE", textsOfDetail(detail), value);
    assertEquals(body, { label: "Name day", value });
  }
});
