import { assertEquals } from "@std/assert";
import { PayloadView } from "../../../src/catalog/payload_view.ts";

const VIEW = new PayloadView({
  text: "words",
  number: 1.5,
  time: "1970-01-01T00:00:01Z",
  flag: false,
  list: ["a", "b"],
  mixed: ["a", 1],
  object: { a: 1 },
  nothing: null,
});

Deno.test("PayloadView reads a field by its type", () => {
  assertEquals(VIEW.text("text"), "words");
  assertEquals(VIEW.number("number"), 1.5);
  assertEquals(VIEW.time("time"), 1000);
  assertEquals(VIEW.flag("flag"), false);
  assertEquals(VIEW.list("list"), ["a", "b"]);
  assertEquals(VIEW.json("object"), { a: 1 });
  assertEquals(VIEW.json("mixed"), ["a", 1]);
});

Deno.test("PayloadView reads a field of another type as undefined", () => {
  assertEquals(VIEW.text("number"), undefined);
  assertEquals(VIEW.number("text"), undefined);
  assertEquals(VIEW.time("text"), undefined);
  assertEquals(VIEW.flag("nothing"), undefined);
  assertEquals(VIEW.list("mixed"), undefined);
  assertEquals(VIEW.list("object"), undefined);
  assertEquals(VIEW.json("nothing"), undefined);
  assertEquals(VIEW.json("text"), undefined);
});

Deno.test("PayloadView distinguishes null from absent", () => {
  assertEquals(VIEW.has("nothing"), true);
  assertEquals(VIEW.has("absent"), false);
});

Deno.test("PayloadView does not see inherited members", () => {
  for (const name of ["toString", "constructor", "__proto__", "hasOwnProperty"]) {
    assertEquals(VIEW.has(name), false);
    assertEquals(VIEW.json(name), undefined);
    assertEquals(VIEW.text(name), undefined);
  }
});
