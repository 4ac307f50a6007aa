/** The most expensive files of each import format that this project could think of, at any size. */

import { Buffer } from "node:buffer";
import { deflateRawSync } from "node:zlib";
import { zip, type ZipFile } from "../support/zip.ts";

/** A family of files: the same attack at any size. */
export interface ImportAttack {
  readonly format: string;
  readonly title: string;
  /** Returns a file of about `bytes` bytes, in pieces. */
  readonly file: (bytes: number) => Iterable<Uint8Array>;
  /** Sent once the file is planned without a mapping. */
  readonly mapping?: Readonly<Record<string, unknown>>;
}

const PIECE_BYTES = 64 * 1024;
const MIB = 1024 * 1024;

/** Joins small texts to pieces. */
function* pieces(texts: Iterable<string>): Generator<Uint8Array> {
  let text = "";
  for (const each of texts) {
    text += each;
    if (text.length < PIECE_BYTES) continue;
    yield Buffer.from(text);
    text = "";
  }
  yield Buffer.from(text);
}

/** `before`, then texts until there are `bytes`, then `after`. */
function* filled(
  bytes: number,
  text: (index: number) => string,
  before = "",
  after = "",
): Generator<string> {
  yield before;
  let left = bytes - before.length - after.length;
  for (let index = 0; left > 0; index++) {
    const each = text(index);
    left -= each.length;
    yield each;
  }
  yield after;
}

/** The same as pieces. */
function file(before: string, text: (index: number) => string, after = "") {
  return (bytes: number) => pieces(filled(bytes, text, before, after));
}

/** One long text between others. */
function repeated(before: string, unit: string, after = "") {
  const units = unit.repeat(Math.ceil(1024 / unit.length));
  return file(before, () => units, after);
}

function whole(bytes: number, before: string, unit: string, after = ""): string {
  return before +
    unit.repeat(Math.max(1, Math.floor((bytes - before.length - after.length) / unit.length))) +
    after;
}

/** An archive of files of texts. */
function archive(files: (bytes: number) => readonly ZipFile[]) {
  return (bytes: number) => [zip(files(bytes))];
}

const HEAD = '{"format":"prs-items","version":1,"source":"attack"}\n';
const MEMORY =
  '"target":"memory","title":"T","payload":{"memoryType":"EVENT","originalContent":"x"}';
const CARD = "BEGIN:VCARD\nVERSION:3.0\nFN:A\n";
const MONICA = '{"version":"1.0-preview.1","account":{"uuid":"a","data":[';

/** Distinct numbers as text of a fixed length. */
function word(index: number, length = 8): string {
  return index.toString(36).padStart(length, "0");
}

/** A directory whose entries have long names, extra fields and comments. */
function wideDirectory(bytes: number): Uint8Array[] {
  const extra = Buffer.alloc(60_000);
  extra.writeUInt16LE(0x9999, 0);
  extra.writeUInt16LE(extra.length - 4, 2);
  const comment = Buffer.alloc(60_000, "c");
  const count = Math.max(1, Math.floor(bytes / (extra.length + comment.length + 1_200)));
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let at = 0;
  for (let index = 0; index < count; index++) {
    const name = Buffer.from(`${word(index)}${"n".repeat(150)}.md`);
    const local = Buffer.alloc(30);
    local.write("PK\x03\x04");
    local.writeUInt16LE(0x800, 6);
    local.writeUInt16LE(name.length, 26);
    locals.push(local, name);
    const central = Buffer.alloc(46);
    central.write("PK\x01\x02");
    central.writeUInt16LE(0x800, 8);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt16LE(extra.length, 30);
    central.writeUInt16LE(comment.length, 32);
    central.writeUInt32LE(at, 42);
    centrals.push(central, name, extra, comment);
    at += local.length + name.length;
  }
  return [...locals, ...centrals, zipEnd(count, at, centrals)];
}

/** Many empty files with names of about 300 bytes. */
function manyEntries(bytes: number): Uint8Array[] {
  const nameLength = 300;
  const count = Math.min(65_000, Math.floor(bytes / (2 * nameLength + 76)));
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let at = 0;
  for (let index = 0; index < count; index++) {
    const name = Buffer.from(`${"ü".repeat((nameLength - 12) / 2)}${word(index)}.md`);
    const local = Buffer.alloc(30);
    local.write("PK\x03\x04");
    local.writeUInt16LE(0x800, 6);
    local.writeUInt16LE(name.length, 26);
    locals.push(Buffer.concat([local, name]));
    const central = Buffer.alloc(46);
    central.write("PK\x01\x02");
    central.writeUInt16LE(0x800, 8);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE(at, 42);
    centrals.push(Buffer.concat([central, name]));
    at += local.length + name.length;
  }
  return [...locals, ...centrals, zipEnd(count, at, centrals)];
}

function zipEnd(count: number, start: number, centrals: readonly Buffer[]): Buffer {
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06");
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(centrals.reduce((sum, { length }) => sum + length, 0), 12);
  end.writeUInt32LE(start, 16);
  return end;
}

/** Packed bytes of one unit repeated: about a thousandth of its size. */
function bomb(name: string, unit: string, unpacked: number): ZipFile {
  const content = Buffer.alloc(Math.min(unpacked, 512 * MIB), unit);
  return { name, content, packed: deflateRawSync(content) };
}

/** Bytes that do not pack, so that the archive may unpack to 200 times as much. */
function ballast(bytes: number): ZipFile {
  return { name: "ballast.bin", content: Buffer.alloc(bytes, 1), isStored: true };
}

/** A tar archive of so many small files. */
function* tarOf(bytes: number, name: (index: number) => string): Generator<Uint8Array> {
  const count = Math.floor(bytes / 512);
  for (let index = 0; index < count; index++) {
    const header = Buffer.alloc(512);
    header.write(name(index), 0, 100);
    header.write("0000644\0", 100);
    header.write("00000000000\0", 124);
    header.write("        0", 148);
    header.write("ustar\x0000", 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    yield header;
  }
  yield Buffer.alloc(1024);
}

/** Lines of JSON of about 4 MiB each. */
function longItems(text: (length: number) => string) {
  return function* (bytes: number): Generator<Uint8Array> {
    yield Buffer.from(HEAD);
    const each = Math.min(4 * MIB - 1_000, bytes);
    for (let sent = 0, index = 0; sent < bytes; sent += each, index++) {
      yield Buffer.from(`{"key":"k${index}",${text(each - 200)}}\n`);
    }
  };
}

export const IMPORT_ATTACKS: readonly ImportAttack[] = [
  { format: "prs-items", title: "one line without an end", file: repeated(HEAD, "x") },
  {
    format: "prs-items",
    title: "items of 4 MiB each",
    file: longItems((length) =>
      `"target":"memory","title":"T","payload":{"memoryType":"EVENT","originalContent":"${
        "x".repeat(length)
      }"}`
    ),
  },
  {
    format: "prs-items",
    title: "items of many members",
    file: longItems((length) =>
      `"target":"memory","title":"T","payload":{${
        Array.from({ length: length / 14 }, (_, index) => `"${word(index, 6)}":"x"`).join(",")
      }}`
    ),
  },
  {
    format: "prs-items",
    title: "deeply nested items",
    file: longItems((length) =>
      `"target":"memory","title":"T","payload":${"[".repeat(length / 2)}${"]".repeat(length / 2)}`
    ),
  },
  {
    format: "prs-items",
    title: "many items with long keys",
    file: file(HEAD, (index) => `{"key":"${word(index)}${"ü".repeat(190)}",${MEMORY}}\n`),
  },
  {
    format: "prs-items",
    title: "many missing files",
    file: file(
      HEAD,
      (index) =>
        `{"key":"${word(index)}",${MEMORY},"attachments":[${
          Array.from({ length: 100 }, (_, file) => `"${word(index * 100 + file)}"`)
        }]}\n`,
    ),
  },
  {
    format: "prs-items",
    title: "many tags",
    file: file(
      HEAD,
      (index) =>
        `{"key":"${word(index)}",${MEMORY},"tags":[${
          Array.from({ length: 50 }, (_, tag) => `"${word(index * 50 + tag)}"`)
        }]}\n`,
    ),
  },
  {
    format: "prs-items",
    title: "many people with many numbers",
    file: file(
      HEAD,
      (index) =>
        `{"key":"${
          word(index)
        }","target":"person","title":"A","payload":{"relationshipType":"OTHER","importance":3,"details":[${
          Array.from({ length: 100 }, (_, at) =>
            `{"kind":"EMAIL","value":{"value":"${
              word(index * 100 + at)
            }@example.org"},"privacy":"PRIVATE"}`)
        }]}}\n`,
    ),
  },
  {
    format: "prs-items",
    title: "blank lines that unpack to 2 GiB",
    file: archive((bytes) => [
      ballast(Math.max(bytes / 8, 4096)),
      { ...bomb("items.jsonl", "\n", 200 * bytes / 8) },
      ...Array.from({ length: 3 }, (_, index) => bomb(`x${index}.bin`, "\n", 200 * bytes / 8)),
    ]),
  },
  { format: "csv", title: "a header without an end", file: repeated("", "name,") },
  {
    format: "csv",
    title: "a quote without an end",
    file: repeated('a,b\n1,"', "x\n"),
    mapping: csvMapping(),
  },
  {
    format: "csv",
    title: "many short rows",
    file: repeated("a,b\n", "1,2\n"),
    mapping: csvMapping(),
  },
  { format: "csv", title: "blank rows", file: repeated("a,b\n", "\n"), mapping: csvMapping() },
  {
    format: "csv",
    title: "rows of millions of cells",
    file: repeated("a,b\n", `${",".repeat(4_000_000)}\n`),
    mapping: csvMapping(),
  },
  {
    format: "csv",
    title: "cells of 4 MB",
    file: file("a,b\n", (index) => `${word(index)}${"x".repeat(4_000_000)},b\n`),
    mapping: csvMapping(),
  },
  {
    format: "csv",
    title: "cells of doubled quotes",
    file: file("a,b\n", () => `"${'""'.repeat(1_900_000)}",b\n`),
    mapping: csvMapping(),
  },
  { format: "markdown", title: "one long note", file: repeated("", "words and words\n") },
  ...[
    ["openings of embeds", "![["],
    ["openings of pictures", "![x]("],
    ["openings of pictures in brackets", "![](("],
    ["openings of angles", "![](<"],
    ["many embeds", "![[a.png]] "],
  ].map(([title = "", unit = ""]) => ({
    format: "markdown",
    title: `notes of 15 MB of ${title}`,
    file: archive((bytes) =>
      Array.from({ length: Math.max(1, Math.floor(bytes / (15 * MIB))) }, (_, index) => ({
        name: `n${index}.md`,
        content: whole(Math.min(bytes, 15 * MIB), "", unit),
        isStored: true,
      }))
    ),
  })),
  ...[
    ["front matter without an end", "---\n", "a: b\n", ""],
    ["front matter of many names", "---\n", "", ""],
    ["front matter of quotes", '---\na: "', '\\"', "\n---\n"],
    ["front matter of openings", "---\na: [", "[", "\n---\n"],
    ["front matter of list items", "---\ntags:\n", "- x\n", "---\n"],
    ["front matter of commas", "---\ntags: ", "a,", "\n---\n"],
    ["dashes", "---\n", "--- x\n", ""],
  ].map(([title = "", before = "", unit = "", after = ""]) => ({
    format: "markdown",
    title: `notes of 15 MB: ${title}`,
    file: archive((bytes) =>
      Array.from({ length: Math.max(1, Math.floor(bytes / (15 * MIB))) }, (_, index) => {
        const length = Math.min(bytes, 15 * MIB);
        const content = unit === ""
          ? [...filled(length, (at) => `${word(at)}: x\n`, before, "---\n")].join("")
          : whole(length, before, unit, after);
        return { name: `n${index}.md`, content, isStored: true };
      })
    ),
  })),
  { format: "markdown", title: "entries with long extras and comments", file: wideDirectory },
  { format: "markdown", title: "many entries with long names", file: manyEntries },
  {
    format: "markdown",
    title: "many empty files of a tar",
    file: (bytes) => tarOf(bytes, (index) => `${word(index)}${"n".repeat(80)}.md`),
  },
  {
    format: "markdown",
    title: "many notes of a tar that embed each other's files",
    file: (bytes) => tarOf(bytes, (index) => `a/b/c/${word(index)}.png`),
  },
  {
    format: "day-one",
    title: "one entry without an end",
    file: archive((bytes) => [
      {
        name: "J.json",
        content: whole(bytes, '{"entries":[{"uuid":"a","text":"', "x", '"}]}'),
        isStored: true,
      },
    ]),
  },
  {
    format: "day-one",
    title: "many empty entries",
    file: archive((bytes) => [
      {
        name: "J.json",
        content: whole(bytes, '{"entries":[{"uuid":"a"}', ',{"u":1}', "]}"),
        isStored: true,
      },
    ]),
  },
  {
    format: "day-one",
    title: "many entries",
    file: archive((bytes) => [{
      name: "J.json",
      content: Buffer.from(
        [...filled(
          bytes,
          (index) => `,{"uuid":"${word(index)}","text":"a"}`,
          '{"entries":[{"uuid":"x"}',
          "]}",
        )].join(""),
      ),
      isStored: true,
    }]),
  },
  {
    format: "day-one",
    title: "entries of many photos",
    file: archive((bytes) => [{
      name: "J.json",
      content: Buffer.from([...filled(
        bytes,
        (index) =>
          `,{"uuid":"${word(index)}","text":"${"![](dayone-moment://X)".repeat(50)}","photos":[${
            Array.from({ length: 40_000 }, (_, at) => `{"identifier":"${word(at)}"}`)
          }]}`,
        '{"entries":[{"uuid":"x"}',
        "]}",
      )].join("")),
      isStored: true,
    }]),
  },
  {
    format: "day-one",
    title: "deeply nested entries",
    file: archive((bytes) => {
      const length = Math.min(bytes, 15 * MIB) / 2 - 100;
      const entry = `,{"uuid":"n","x":${"[".repeat(length)}${"]".repeat(length)}}`;
      return [{
        name: "J.json",
        content: whole(bytes, '{"entries":[{"uuid":"x"}', entry, "]}"),
        isStored: true,
      }];
    }),
  },
  {
    format: "day-one",
    title: "a journal of other members",
    file: archive((bytes) => [
      { name: "J.json", content: whole(bytes, '{"a":[1', ",1", '],"entries":[]}'), isStored: true },
    ]),
  },
  {
    format: "vcard",
    title: "one card of short lines",
    file: repeated(CARD, "A:\n", "END:VCARD\n"),
  },
  {
    format: "vcard",
    title: "one card of folded lines",
    file: repeated(`${CARD}NOTE:x\n`, " \n", "END:VCARD\n"),
  },
  {
    format: "vcard",
    title: "one line without an end",
    file: repeated(`${CARD}NOTE:`, "x", "\nEND:VCARD\n"),
  },
  {
    format: "vcard",
    title: "soft line breaks",
    file: repeated(
      `BEGIN:VCARD\nVERSION:2.1\nFN:A\nNOTE;ENCODING=QUOTED-PRINTABLE:`,
      "=\n",
      "\nEND:VCARD\n",
    ),
  },
  { format: "vcard", title: "many empty cards", file: repeated("", "BEGIN:VCARD\nEND:VCARD\n") },
  { format: "vcard", title: "cards in cards", file: repeated("", "BEGIN:VCARD\n") },
  {
    format: "vcard",
    title: "many cards with many numbers",
    file: file(
      "",
      (index) =>
        `${CARD}${
          Array.from({ length: 100 }, (_, at) => `TEL:${1_000_000 + index * 100 + at}\n`).join("")
        }END:VCARD\n`,
    ),
  },
  {
    format: "vcard",
    title: "one large picture in one line",
    file: repeated(`${CARD}PHOTO;ENCODING=b;TYPE=JPEG:`, "/9j/", "\nEND:VCARD\n"),
  },
  {
    format: "vcard",
    title: "one large picture in folded lines",
    file: repeated(
      `${CARD}PHOTO;ENCODING=b;TYPE=JPEG:\n`,
      ` ${"/9j/".repeat(18)}\n`,
      "\nEND:VCARD\n",
    ),
  },
  {
    format: "vcard",
    title: "lines of parameters",
    file: file("", (index) => `${CARD}TEL${";X=1".repeat(1_000_000)}:${index}\nEND:VCARD\n`),
  },
  {
    format: "vcard",
    title: "lines of separators",
    file: file(
      "",
      () => `${CARD}N:${";".repeat(4_000_000)}\nCATEGORIES:${"a,".repeat(50_000)}\nEND:VCARD\n`,
    ),
  },
  {
    format: "vcard",
    title: "lines of escapes",
    file: file("", () => `${CARD}NOTE:${"\\n".repeat(1_900_000)}\nEND:VCARD\n`),
  },
  {
    format: "vcard",
    title: "two million lines that are packed",
    file: archive((bytes) =>
      [bomb("a.vcf", `A:\n`, 6_000_000), ballast(bytes / 8)].map((each) =>
        each.name === "a.vcf"
          ? (() => {
            const content = Buffer.from(
              whole(Math.min(64 * MIB, bytes), CARD, "A:\n", "END:VCARD\n"),
            );
            return { name: "a.vcf", content };
          })()
          : each
      )
    ),
  },
  {
    format: "monica-4",
    title: "one object without an end",
    file: repeated(`${MONICA}{"type":"contact","values":[{"uuid":"`, "x", '"}]}]}}'),
  },
  {
    format: "monica-4",
    title: "many lists of one type",
    file: repeated(
      `${MONICA}{"type":"contact","values":[]}`,
      ',{"type":"contact","values":[{"uuid":"a"}]}',
      "]}}",
    ),
  },
  {
    format: "monica-4",
    title: "many contacts",
    file: file(
      `${MONICA}{"type":"contact","values":[{"uuid":"x"}`,
      (index) => `,{"uuid":"${word(index)}","properties":{"first_name":"A"}}`,
      "]}]}}",
    ),
  },
  {
    format: "monica-4",
    title: "many activities",
    file: file(
      `${MONICA}{"type":"activity","values":[{"uuid":"x"}`,
      (index) => `,{"uuid":"${word(index)}"}`,
      "]}]}}",
    ),
  },
  {
    format: "monica-4",
    title: "many relationships of one contact",
    file: file(
      `${MONICA}{"type":"contact","values":[{"uuid":"a","properties":{"first_name":"A"}}]},{"type":"relationship","values":[{"uuid":"x"}`,
      (index) =>
        `,{"uuid":"${
          word(index)
        }","properties":{"type":"friend","contact_is":"a","of_contact":"a"}}`,
      "]}]}}",
    ),
  },
  {
    format: "monica-4",
    title: "one activity of many contacts",
    file: file(
      `${MONICA}{"type":"activity","values":[{"uuid":"z"}]},{"type":"contact","values":[{"uuid":"x"}`,
      (index) =>
        `,{"uuid":"${
          word(index)
        }","properties":{"first_name":"A"},"data":[{"type":"activity","values":["z"]}]}`,
      "]}]}}",
    ),
  },
  {
    format: "monica-4",
    title: "one large photo",
    file: repeated(
      `${MONICA}{"type":"photo","values":[{"uuid":"p","properties":{"dataUrl":"data:image/jpeg;base64,`,
      "/9j/",
      `"}}]},{"type":"contact","values":[{"uuid":"a","properties":{"first_name":"A"},"data":[{"type":"photo","values":["p"]}]}]}]}}`,
    ),
  },
  {
    format: "monica-4",
    title: "deeply nested",
    file: (bytes) =>
      pieces([
        `${MONICA}{"type":"contact","values":[{"uuid":"x","properties":{"a":`,
        ..."[]".split("").flatMap((bracket) =>
          Array.from({ length: Math.ceil(bytes / 2 / 1024) }, () => bracket.repeat(1024))
        ),
        "}}]}]}}",
      ]),
  },
];

function csvMapping() {
  return {
    target: "commitment",
    columns: { a: "@title" },
    constants: { commitmentType: "OPEN_LOOP", content: "x", completionStatus: "OPEN" },
  };
}
