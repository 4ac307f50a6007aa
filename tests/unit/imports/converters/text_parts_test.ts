/** Texts that are longer than a field become parts. */

import { assert, assertEquals } from "@std/assert";
import { isJsonObject, type JsonObject } from "../../../../src/core/json.ts";
import type { SourceItem } from "../../../../src/imports/converters/converter.ts";
import { itemParts, textParts } from "../../../../src/imports/converters/text_parts.ts";

Deno.test("A part ends after the last blank line, else line end, of its second half", () => {
  assertEquals(textParts("a\n\nb\nc\n\nd\nefgh", 10), ["a\n\nb\nc\n\n", "d\nefgh"]);
  assertEquals(textParts("a\n\nbcd\ne\nfghijkl", 10), ["a\n\nbcd\ne\n", "fghijkl"]);
  assertEquals(textParts("a\r\nbcde\r\n\r\nfghi", 12), ["a\r\nbcde\r\n\r\n", "fghi"]);
  assertEquals(textParts("abcde\r\rfg\rhijk", 10), ["abcde\r\r", "fg\rhijk"]);
  assertEquals(textParts("a\nbcdefghijk", 10), ["a\nbcdefghi", "jk"]);
  assertEquals(textParts("🎉".repeat(12), 10), ["🎉".repeat(10), "🎉".repeat(2)]);
  assertEquals(textParts("short", 10), ["short"]);
});

/** A note with these files and a text. */
function noteOf(text: string, attachments: readonly string[] = [], title = "Note"): SourceItem {
  const payload = { memoryType: "EVENT", originalContent: text };
  const members = { key: "a.md", target: "memory", title, payload, tags: ["one"], attachments };
  return { entry: "a.md", members: members as unknown as JsonObject, former: {} };
}

function partsOf(item: SourceItem, after?: string) {
  return Array.from(itemParts(item, "originalContent", after), ({ members, ...part }) => {
    const { key, title, tags, attachments, payload } = members;
    assert(isJsonObject(payload));
    return { ...part, key, title, tags, attachments, text: String(payload.originalContent) };
  });
}

const LINE = `${"x".repeat(99)}\n`;

Deno.test("A long item becomes parts with keys and titles of their own", () => {
  const text = LINE.repeat(1500);
  const parts = partsOf(noteOf(text, ["gone.png"]), "\nDetails");
  assertEquals(parts.map(({ text }) => text), [LINE.repeat(1000), `${LINE.repeat(500)}\nDetails`]);
  assertEquals(parts.map(({ key }) => key), ["a.md", "a.md#part2"]);
  assertEquals(parts.map(({ title }) => title), ["Note", "Note (2 of 2)"]);
  assertEquals(parts.map(({ tags }) => tags), [["one"], ["one"]]);
  assertEquals(parts.map(({ rules }) => rules), [["text.parts"], ["text.parts"]]);
  assertEquals(parts.map(({ entry }) => entry), ["a.md", "a.md"]);
  // A file that no part names belongs to the last one.
  assertEquals(parts.map(({ attachments }) => attachments), [[], ["gone.png"]]);
  // No earlier release knew the second part.
  assertEquals(parts.map((part) => "former" in part), [true, false]);
});

Deno.test("A long title stays under the limit with the number of its part", () => {
  const [, second] = partsOf(noteOf(LINE.repeat(1001), [], "t".repeat(195)));
  assertEquals(second?.title, `${"t".repeat(191)} (2 of 2)`);
  assertEquals(second?.rules, ["text.parts", "title.cut"]);
});

Deno.test("What follows a text makes parts of it if both are too long together", () => {
  const [one, two, ...more] = partsOf(noteOf(LINE.repeat(1000)), "\nDetails");
  assertEquals([one?.text.length, two?.text, more], [99_900, `${LINE}\nDetails`, []]);
  assertEquals(partsOf(noteOf("Short"), "\nDetails").map(({ text }) => text), ["Short\nDetails"]);
});

Deno.test("A part has the files that it names, and the last one room for the others", () => {
  const text = "attachment:a\n".repeat(7000) + "attachment:b\n".repeat(2000);
  const parts = partsOf(noteOf(text, ["a", "b"]));
  assertEquals(parts.map(({ text }) => text).join(""), text);
  assertEquals(parts.map(({ attachments }) => attachments), [["a", "b"], ["b"]]);
  assertEquals(partsOf(noteOf(LINE.repeat(1000))).length, 1);
  assertEquals(partsOf(noteOf(LINE.repeat(1000), ["c.png"])).map(({ text }) => text.length), [
    99_900,
    100,
  ]);
});

Deno.test("No part ends inside the name of a file", () => {
  const text = `${"x".repeat(99_980)}attachment:a.png${"y".repeat(50)}`;
  assertEquals(partsOf(noteOf(text, ["a.png"])).map(({ text }) => text), [
    "x".repeat(99_980),
    `attachment:a.png${"y".repeat(50)}`,
  ]);
});
