/** Tags, texts, tolerated faults and limits of XML. */

import { assertEquals } from "@std/assert";
import { seededRandom } from "../../../support/random.ts";
import { damaged, randomXml, type XmlEvent, xmlEvents } from "../../../support/xml_events.ts";

const MEBIBYTE = 1024 * 1024;

async function assertEvents(file: string, expected: string | readonly XmlEvent[]): Promise<void> {
  assertEquals(await xmlEvents(file, 3), expected, file);
}

Deno.test("XML yields tags with attributes, and texts", async () => {
  const file = `<a>\r\n<b c='1' d = ">"/>x&amp;&#x41;&#128512;<![CDATA[<y>]]></a>`;
  await assertEvents(file, [["a", {}], "\n", ["b", { c: "1", d: ">" }], ["b"], "x&A😀<y>", ["a"]]);
});

Deno.test("XML before the root is skipped unread", async () => {
  const broken =
    `<?xml version="1.0"?><!DOCTYPE a [<!-- <b> --><!ATTLIST a\n  b CDATA #REQUIRED\n` +
    `<!ELEMENT c EMPTY>>]]><a>x</a>`;
  await assertEvents(broken, [["a", {}], "x", ["a"]]);
  const almost = "<!DOCTYPE a [".padEnd(MEBIBYTE);
  assertEquals(await xmlEvents(`${almost}<a/>`, 5_000), [["a", {}], ["a"]]);
  assertEquals(await xmlEvents(`${almost}\n<a/>`, 5_000), "xml.length 2");
  assertEquals(await xmlEvents(`${almost}\n`, 5_000), "xml.length 2");
});

Deno.test("XML tolerates control characters, names with blanks, and equal attributes", async () => {
  await assertEvents("<a b='x\v'>\0y&#11;\x1f</a>", [["a", { b: "x" }], "y", ["a"]]);
  const file = `<Record Health Mate App Version="2.6" a="1" a="2" HK Link\n= 'x' c=3 d/>`;
  const attributes = { "Health Mate App Version": "2.6", a: "1", "HK Link": "x", c: "3", d: "" };
  await assertEvents(file, [["Record", attributes], ["Record"]]);
  await assertEvents("<a> 1 < 2 </a>", [["a", {}], " 1 < 2 ", ["a"]]);
  const cut = Uint8Array.of(0x3c, 0x61, 0x3e, 0xc3, 0x3c, 0x2f, 0x61, 0x3e);
  assertEquals(await xmlEvents(cut, 1), [["a", {}], "\ufffd", ["a"]]);
  assertEquals(await xmlEvents(utf16("<a>é</a>"), 4), [["a", {}], "é", ["a"]]);
});

function utf16(text: string): Uint8Array {
  const units = Uint16Array.from(`\ufeff${text}`, (character) => character.charCodeAt(0));
  return new Uint8Array(units.buffer);
}

Deno.test("A raw element is one text up to its end tag", async () => {
  const file = "<a><b>&lt;</b><c/><c><![CDATA[<d>&nbsp;]]>]]></cc></c ></a>";
  const raw: XmlEvent[] = [["c", {}], "<![CDATA[<d>&nbsp;]]>]]></cc>", ["c"], ["a"]];
  const expected: XmlEvent[] = [["a", {}], ["b", {}], "<", ["b"], ["c", {}], ["c"], ...raw];
  assertEquals(await xmlEvents(file, 3, { rawElements: ["c"] }), expected);
  assertEquals(await xmlEvents("<c></c>", 3, { rawElements: ["c"] }), [["c", {}], ["c"]]);
});

Deno.test("XML is refused with the rule and the line", async () => {
  await assertEvents("<a>\n\n&nbsp;</a>", "xml.entity 3");
  await assertEvents("<a>\nA & B</a>", "xml.entity 2");
  await assertEvents("<a>\n<b c='&d;'/></a>", "xml.entity 2");
  await assertEvents(`<a>&#${"0".repeat(100)}65;</a>`, "xml.entity 1");
  await assertEvents("<a>&#x110000;</a>", "xml.entity 1");
  await assertEvents("<b>\n".repeat(33), "xml.depth 33");
  await assertEvents("<b>".repeat(32) + "</b>".repeat(32), [
    ...Array(32).fill(["b", {}]),
    ...Array(32).fill(["b"]),
  ]);
  for (const text of ["", "\n", "<!-- <a/>", "a", "<a>\n", "<a>\n</b>", "<a/>\n<a/>", "<a/>\nx"]) {
    await assertEvents(text, `xml.end ${text.includes("\n") ? 2 : 1}`);
  }
  for (const text of ["<a", "<a></a", "<a><!--</a>", "<a><![CDATA[</a>", "<a/><!--", "<a <b/>"]) {
    await assertEvents(text, "xml.end 1");
  }
});

Deno.test("A tag of XML has at most a mebibyte", async () => {
  const tag = (length: number) => `<a>\n<a b='${"x".repeat(length - 9)}'/></a>`;
  const events = await xmlEvents(tag(MEBIBYTE), 60_000);
  assertEquals(typeof events, "object");
  assertEquals(await xmlEvents(tag(MEBIBYTE + 1), 60_000), "xml.length 2");
  assertEquals(await xmlEvents(`<a b='${"x".repeat(2 * MEBIBYTE)}`, 60_000), "xml.length 1");
});

Deno.test("XML is the same in chunks of any size", async () => {
  const random = seededRandom(48);
  for (let count = 0; count < 200; count++) {
    const file = randomXml(random);
    for (const bytes of [new TextEncoder().encode(file), damaged(random, file)]) {
      const whole = await xmlEvents(bytes, bytes.length);
      for (const size of [1, random.integer(2, 40)]) {
        const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
        assertEquals(await xmlEvents(bytes, size), whole, text);
      }
    }
  }
});
