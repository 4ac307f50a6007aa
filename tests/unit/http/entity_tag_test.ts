import { assert, assertFalse } from "@std/assert";
import { namesEntityTag } from "../../../src/http/entity_tag.ts";

Deno.test("namesEntityTag() finds the tag in a list, weak or strong", () => {
  for (const header of ['"7"', 'W/"7"', ' "7" ', '"6", "7"', '"6",W/"7",x', "*", '"6", *']) {
    assert(namesEntityTag(header, '"7"'), header);
  }
});

Deno.test("namesEntityTag() finds no other tag, and none without a header", () => {
  assertFalse(namesEntityTag(null, '"7"'));
  for (const header of ["", "7", '"77"', 'w/"7"', '"7', 'W/W/"7"', '"6" "7"', '"*"', ","]) {
    assertFalse(namesEntityTag(header, '"7"'), header);
  }
});
