/** The frame, lines, bytes and relations of cards as programs write them. */

import { assertEquals } from "@std/assert";
import { ReadingBudget } from "../../../../src/imports/reading_budget.ts";
import { VCARD } from "../../../../src/imports/converters/vcard.ts";
import { parseCard } from "../../../../src/imports/converters/vcard_lines.ts";
import {
  card,
  convertCards,
  detailsOf,
  inputOf,
  parted,
} from "../../../families/relationship/cards.ts";

const A = card("VERSION:3.0", "FN:A");
const B = card("VERSION:3.0", "FN:B");
const OPEN = "BEGIN:VCARD\r\nVERSION:3.0\r\n";
/** The beginning of a JPEG. */
const JPEG = "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAABAgMEBQYHCAkKCwwNDg8QERITFBUW";

/** Each character becomes a byte. */
function latin(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function utf16(text: string, isLittleEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(2 * text.length));
  for (let at = 0; at < text.length; at++) {
    view.setUint16(2 * at, text.charCodeAt(at), isLittleEndian);
  }
  return new Uint8Array(view.buffer);
}

async function namesOf(file: string | Uint8Array, chunkBytes = 7) {
  const { items, refused, unmapped } = await convertCards(file, chunkBytes);
  assertEquals(refused, {});
  return { names: items.map(({ title, rules }) => [title, ...rules].join(" ")), unmapped };
}

Deno.test("Every card with content comes in, in the order of BEGIN, with the rules of its frame", async () => {
  const frames: readonly [file: string, names: string[], unmapped?: Record<string, number>][] = [
    [`${OPEN}FN:A\r\n${B}`, ["A vcard.end", "B"]],
    [`${OPEN}FN:A\r\n${OPEN}FN:B\r\n`, ["A vcard.end", "B vcard.end"]],
    [A.trimEnd() + B, ["A", "B"]],
    [`${A.trimEnd()}\ufeff${B}`, ["A", "B"]],
    [`${A}\ufeff${B}`, ["A", "B"]],
    [`${A}END:VCARD\r\n${B}sent from a phone\r\n`, ["A", "B"], { line: 1 }],
    [card("FN:A") + card("VERSION:5.0", "FN:B"), ["A vcard.version", "B vcard.version"]],
    ["item1.BEGIN:VCARD\r\nVERSION:3.0\r\nFN:O\r\nitem1.END:VCARD\r\n" + A, ["O", "A"]],
    [card("VERSION:3.0", "FN:O", A.trimEnd(), B.trimEnd(), "TEL:1"), ["O vcard.nested", "A", "B"]],
    [
      card("VERSION:3.0", "N:;;;;", "UID:1", "PRODID:x", "REV:y") + A + card("TEL:"),
      ["A"],
      { "card.empty": 2 },
    ],
  ];
  for (const [file, names, unmapped = {}] of frames) {
    assertEquals(await namesOf(file), { names, unmapped }, file);
  }
});

Deno.test("A card continues after the cards of its agents, and names them", async () => {
  const inner = (name: string) => card("VERSION:2.1", `N:${name}`);
  const file = card(
    "VERSION:2.1",
    "N:Oak;Mira",
    `AGENT:\r\n${inner("Elm\\, Jr;Ben")}AGENT:${inner("Ash;Cleo")}AGENT;WORK:\r\n\r\n${card()}`,
    "TEL:1",
  );
  const { items, unmapped } = await convertCards(file, 7);
  assertEquals(items.map(({ title, rules }) => [title, rules]), [
    ["Mira Oak", []],
    ["Ben Elm, Jr", []],
    ["Cleo Ash", []],
  ]);
  const [outer] = items;
  assertEquals(outer && detailsOf(outer).map(({ value }) => value), [
    { family: "Oak", given: "Mira" },
    { value: "1" },
    { name: "Ben Elm, Jr", relation: "agent" },
    { name: "Cleo Ash", relation: "agent" },
  ]);
  assertEquals(unmapped, { "card.empty": 1 });
});

Deno.test("A line that is not a property continues a text or base64, and is kept otherwise", async () => {
  const lines = [
    "see also: x",
    "VERSION:3.0",
    "FN:Mira",
    "",
    "Oak",
    "KEY;ENCODING=b:AAAA",
    "BBBB",
    "item1.ADR:;;Street 1",
    "Building 2;Town;;;",
    "TEL:1",
    "TEL WORK:2",
    "NOTE;ENCODING=QUOTED-PRINTABLE:one",
    "tw=C3=",
    "=B6",
    "NOTE:Ring twice",
    "Tel. at work: 030 1",
    "1. https://example.org",
  ];
  const { items: [item] } = await convertCards(card(...lines), 7);
  assertEquals([item?.title, item?.rules], ["Mira Oak", ["vcard.line"]]);
  assertEquals(item && detailsOf(item).map(({ value }) => value), [
    { property: "X-UNREAD", value: "see also: x" },
    { property: "KEY", value: "KEY;ENCODING=b:AAAABBBB" },
    { street: "Street 1\nBuilding 2", locality: "Town" },
    { value: "1" },
    { property: "X-UNREAD", value: "TEL WORK:2" },
  ]);
  const notes = item?.payload.experiences as { narrative: string }[];
  assertEquals(notes.map(({ narrative }) => narrative), [
    "one\ntwö",
    "Ring twice\nTel. at work: 030 1\n1. https://example.org",
  ]);
});

Deno.test("The parameters of a line may be folded", async () => {
  const photo = `PHOTO;X-ABCROP-RECTANGLE=ABClipRect_1&3&13;ENCODING=b;TYPE=JPEG:${JPEG}`;
  const lines = [
    "VERSION:4.0",
    "FN:Mira",
    'ADR;LABEL="Long Street 1\\nBack\r\n yard":;;Long Street 1;Town;;;',
    "TEL;TYPE=wo\r\n\trk\r\n :1",
    ...[8, 30, 60].map((at) => `${photo.slice(0, at)}\r\n ${photo.slice(at)}`),
  ];
  for (const chunkBytes of [7, 8192]) {
    const { items: [item] } = await convertCards(card(...lines), chunkBytes);
    assertEquals([item?.title, item?.rules], ["Mira", []]);
    assertEquals(item && detailsOf(item).map(({ value }) => value), [
      { street: "Long Street 1", locality: "Town" },
      { value: "1", types: ["work"] },
      { property: "PHOTO", value: "attachment:1-photo.jpg" },
      { property: "PHOTO", value: "attachment:2-photo.jpg" },
      { property: "PHOTO", value: "attachment:3-photo.jpg" },
    ]);
  }
});

Deno.test("Values are read in their charset, by its everyday names, else as UTF-8 or Windows-1252", async () => {
  const charsets: readonly [parameters: string, value: string, name: string][] = [
    [";CHARSET=utf8", "\xc3\x96", "Ö"],
    [';CHARSET="Utf_8"', "\xc3\x96", "Ö"],
    [";CHARSET=ANSI", "\xd6", "Ö"],
    [";CHARSET=latin1", "\xd6", "Ö"],
    [";CHARSET=windows1251", "\xcc", "М"],
    [";CHARSET=cp1250", "\xc8", "Č"],
    [";CHARSET=KOI8_R", "\xed", "М"],
    [";CHARSET=CP437", "\x99", "Ö"],
    [";CHARSET=IBM-850", "\x9d", "Ø"],
    [";CHARSET=SHIFT_JIS", "\x8e\x52", "山"],
    [";CHARSET=x-mars", "\xc3\x96", "Ö"],
    [";CHARSET=US-ASCII", "\xc3\x96", "Ö"],
    [";CHARSET=US-ASCII", "\xd6", "Ö vcard.charset"],
    [";CHARSET=UTF-8", "\xd6", "Ö vcard.charset"],
    ["", "\xd6", "Ö vcard.charset"],
    [";CHARSET=windows-1251;QUOTED-PRINTABLE", "=CC", "М"],
  ];
  for (const [parameters, value, name] of charsets) {
    const file = latin(card("VERSION:2.1", `FN${parameters}:${value}`));
    assertEquals(await namesOf(file), { names: [name], unmapped: {} }, parameters);
  }
});

Deno.test("Files in UTF-16, with marks inside, and with CR alone are read", async () => {
  const stated = card("VERSION:2.1", "FN;CHARSET=ISO-8859-1:Ö");
  const names = ["Ö", "B"];
  for (const isLittleEndian of [true, false]) {
    const file = utf16(`\ufeff${stated}\ufeff${B}`, isLittleEndian);
    assertEquals((await namesOf(file)).names, names);
  }
  const classic = `${stated}${B}`.replaceAll("\r\n", "\r");
  assertEquals((await namesOf(latin(classic))).names, names);
});

Deno.test("A blank after a soft line break is dropped before an encoded byte, and keys stay", async () => {
  const name = (text: string) =>
    card("VERSION:2.1", `FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:${text}`);
  const { items: [folded, plain, words] } = await convertCards(
    name("=4D=\r\n =69") + name("=4D =69") + name("A=\r\n b"),
  );
  assertEquals([folded?.title, plain?.title, words?.title], ["Mi", "M i", "A b"]);
  // The key that earlier releases gave the first one.
  assertEquals(folded?.key, plain?.key);
});

Deno.test("The texts of lines of 2.1, and of encoded ones, have the form of 3.0", async () => {
  const lines: readonly [line: string, text: string, version?: string][] = [
    [
      "X-A;HOME;X-B=c;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=C3=96=0D=0A=3B,",
      "X-A;TYPE=HOME;X-B=c:Ö\\n;,",
    ],
    ['item1.X-C;WORK;X-D="a:b":c', 'item1.X-C;TYPE=WORK;X-D="a:b":c'],
    ["LABEL;HOME:a, b; c\\, d", "LABEL;TYPE=HOME:a\\, b\\; c\\, d"],
    ["KEY;BASE64:AAAA\n BBBB", "KEY;ENCODING=b:AAAABBBB"],
    ["NOTE;CHARSET=UTF-8:a, b", "NOTE:a, b", "3.0"],
    ["N:a,b;c", "N:a,b;c", "3.0"],
  ];
  const budget = new ReadingBudget({ fileBytes: 0 });
  for (const [line, text, version = "2.1"] of lines) {
    const bytes = new TextEncoder().encode(`VERSION:${version}\n${line}\n`);
    const card = { lines: bytes, pictures: new Map(), isUtf16: false };
    const { lines: [, read] } = await parseCard(card, budget);
    assertEquals(read?.text, text);
  }
});

Deno.test("Large pictures come in from escaped addresses, without ENCODING and unindented", async () => {
  const many = (line: string) => Array.from({ length: 400 }, () => line);
  const cards: readonly [lines: string[], rules: string[], file: string][] = [
    [[`PHOTO:data:image/jpeg\\;base64\\,${many(JPEG).join("")}`], [], "image/jpeg 19200"],
    [[`LOGO;TYPE=JPEG:${JPEG}`, ...many(` ${JPEG}`)], [], "image/jpeg 19248"],
    [["PHOTO;BASE64;JPEG:", ...many(JPEG), "", JPEG], ["vcard.line"], "image/jpeg 19248"],
  ];
  for (const [lines, rules, stored] of cards) {
    const file = card("VERSION:3.0", "FN:A", ...lines, "TEL:1");
    const { items: [item], unmapped } = await convertCards(file, 1_000);
    assertEquals(item?.files.map(({ mediaType, size }) => `${mediaType} ${size}`), [stored]);
    assertEquals([item?.rules, item && detailsOf(item).length, unmapped], [rules, 2, {}]);
  }
});

Deno.test("Cards that never end come in a hundred at a time", async () => {
  const budget = new ReadingBudget({ fileBytes: 0, heldBytes: 1024 * 1024 });
  const file = `${OPEN}FN:A\r\n`.repeat(2_000);
  const input = inputOf(new TextEncoder().encode(file), 8 * 1024, budget);
  const { items } = parted(await Array.fromAsync(VCARD.convert(input)));
  assertEquals([items.length, budget.held], [2_000, 0]);
  const nested = await namesOf("BEGIN:VCARD\r\n".repeat(2_000), 8 * 1024);
  assertEquals(nested, { names: [], unmapped: { "card.empty": 2_000 } });
});

Deno.test("A relation by a name alone is a name, and one by an unknown address stays a line", async () => {
  const uuid = "7c1f0000-aaaa-4333-8444-000000000002";
  const file = card(
    "VERSION:3.0",
    "FN:Mira",
    "RELATED;TYPE=spouse:Ben Elm",
    `RELATED;TYPE=friend:${uuid}`,
    "RELATED;TYPE=friend:mailto:ben@example.org",
  );
  const { items: [item] } = await convertCards(file);
  assertEquals(item?.links.map(({ name, line }) => [name, line]), [
    ["Ben Elm", undefined],
    [uuid, `RELATED;TYPE=friend:${uuid}`],
    ["mailto:ben@example.org", "RELATED;TYPE=friend:mailto:ben@example.org"],
  ]);
});
