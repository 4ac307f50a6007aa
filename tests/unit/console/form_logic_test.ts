import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { requestKey } from "../../../src/console/web/core/base/keys.js";
import { untouched } from "../../../src/console/web/fields/controls/rows.js";
import { requestTexts } from "../../../src/console/web/pages/drafts/queue.js";
import { seededRandom } from "../../support/random.ts";

/** Displays texts differently, like browser controls. */
function controlThat(shows: (text: string) => string) {
  let value = shows("");
  return {
    text: () => value,
    setText: (text: string) => {
      value = shows(text);
    },
    type: (text: string) => {
      value = text;
    },
  };
}

Deno.test("An untouched field keeps its value exactly", () => {
  const shows = [
    (text: string) => text.replaceAll("\r\n", "\n"),
    (text: string) => text.replaceAll(/[\r\n]/g, ""),
    (text: string) => ["OPEN", "DONE"].includes(text) ? text : "",
  ];
  for (const show of shows) {
    const control = controlThat(show);
    const field = untouched(control);
    assertEquals(field.text(), control.text());
    for (const text of ["one\r\ntwo\n", "OPEN", "GONE", ""]) {
      field.setText(text);
      assertEquals(field.text(), text);
      control.type("another");
      assertEquals(field.text(), "another");
      // Typing the shown text restores it.
      control.type(show(text));
      assertEquals(field.text(), text);
    }
  }
});

Deno.test("Equal requests have equal keys, and other requests of any form have others", () => {
  const random = seededRandom(7);
  const request = { method: "POST", path: "/api/v2/records/health", body: { title: "é" } };
  assertEquals(requestKey("seed", request), requestKey("seed", structuredClone(request)));
  const others = [
    { ...request, method: "PATCH" },
    { ...request, path: `${request.path}/1` },
    { ...request, body: { title: "e" } },
    { method: "POST", path: request.path },
  ];
  for (const other of others) {
    assertNotEquals(requestKey("seed", other), requestKey("seed", request));
  }
  assertNotEquals(requestKey("another", request), requestKey("seed", request));
  const keys = new Set<string>();
  const texts = new Set<string>();
  for (let count = 0; count < 5_000; count++) {
    const title = String.fromCodePoint(random.integer(32, 126), random.integer(32, 126));
    texts.add(title);
    keys.add(requestKey("seed", { ...request, body: { title } }));
  }
  assertEquals(keys.size, texts.size);
  for (const key of keys) assertMatch(key, /^seed-[0-9a-f]{16}$/);
});

Deno.test("Every text of a queued write is readable, and nothing else", () => {
  assertEquals(
    requestTexts({
      title: "The ladder",
      summary: "",
      payload: { content: "Bring it\nback", score: 3, labels: ["one", "two"], options: [{ a: 1 }] },
      expectedRevision: 4,
      remove: [],
    }),
    [
      { name: "title", text: "The ladder" },
      { name: "content", text: "Bring it\nback" },
      { name: "score", text: "3" },
      { name: "labels", text: "one\ntwo" },
      { name: "options", text: JSON.stringify([{ a: 1 }], null, 2) },
    ],
  );
  const capture = {
    title: "Note of today",
    payload: { contentType: "TEXT", originalContent: "A thought", routeStatus: "INBOX" },
  };
  assert(requestTexts(capture).some(({ text }) => text === "A thought"));
  assertEquals(requestTexts(capture).map(({ name }) => name), ["title", "originalContent"]);
  assertEquals(requestTexts(null), []);
});
