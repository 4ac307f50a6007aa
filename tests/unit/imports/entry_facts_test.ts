/** Names and times of entries, as programs write them. */

import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { crc32 } from "node:zlib";
import type { Archive } from "../../../src/imports/archive/archive.ts";
import { readTar } from "../../../src/imports/archive/tar.ts";
import { readZip } from "../../../src/imports/archive/zip.ts";
import { tar, type TarFile } from "../../support/tar_writer.ts";
import { zip, type ZipFile } from "../../support/zip.ts";
import { withSource } from "../../support/sources.ts";

const zipped = (file: Partial<ZipFile>) =>
  withSource(zip([{ name: "a", ...file }]), async (source) => only(await readZip(source)));

const tarred = (file: Partial<TarFile>) =>
  withSource(tar([{ name: "a", ...file }]), async (source) => only(await readTar(source)));

function only({ entries: [entry], faults: [fault] }: Archive) {
  return { name: entry?.name ?? fault?.rule, modified: entry?.modified };
}

function field(id: number, ...parts: readonly (number | Uint8Array)[]): Uint8Array {
  const data = Buffer.concat(parts.map((part) => {
    return typeof part === "number" ? littleEndian(part) : part;
  }));
  const head = Buffer.alloc(4);
  head.writeUInt16LE(id, 0);
  head.writeUInt16LE(data.length, 2);
  return Buffer.concat([head, data]);
}

function littleEndian(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(number | 0);
  return bytes;
}

const latin1 = (text: string) => Buffer.from(text, "latin1");

function unicodePath(name: Uint8Array, path: string, version = 1): Uint8Array {
  return field(0x7075, Buffer.from([version]), crc32(name), Buffer.from(path));
}

Deno.test("Name of a zip's entry is UTF-8, the Unicode path, or code page 437", async () => {
  const nameOf = async (name: Uint8Array, extra: Uint8Array = new Uint8Array()) =>
    (await zipped({ name, flags: 0, extra })).name;
  const old = latin1("M\x81sli");
  assertEquals(await nameOf(Buffer.from("Müsli")), "Müsli");
  assertEquals(await nameOf(old), "Müsli");
  assertEquals(await nameOf(latin1("\xa4\xe1\xff")), "ñß\u00a0");
  assertEquals(await nameOf(old, unicodePath(old, "日.md")), "日.md");
  // The field follows another one, belongs to another name, is cut, or is not UTF-8.
  const other = field(0x5455, Buffer.from([0]));
  const fitting = unicodePath(old, "日.md");
  assertEquals(await nameOf(old, Buffer.concat([other, fitting])), "日.md");
  assertEquals(await nameOf(old, unicodePath(latin1("M\x82sli"), "日.md")), "Müsli");
  assertEquals(await nameOf(old, fitting.subarray(0, 8)), "Müsli");
  assertEquals(await nameOf(old, field(0x7075, Buffer.from([1]))), "Müsli");
  const broken = field(0x7075, Buffer.from([1]), crc32(old), latin1("\xff"));
  assertEquals(await nameOf(old, broken), "Müsli");
  assertEquals(await nameOf(Buffer.from("ü"), unicodePath(Buffer.from("ü"), "x")), "ü");
  assertEquals(await nameOf(old, unicodePath(old, "../x")), "zip.name");
});

Deno.test("Name in a tar is UTF-8 or Windows-1252, and an unsafe one is refused alone", async () => {
  const nameOf = async (name: Uint8Array) => (await tarred({ name })).name;
  assertEquals(await nameOf(Buffer.from("Größe")), "Größe");
  assertEquals(await nameOf(latin1("Gr\xf6\xdfe \x80")), "Größe €");
  assertEquals(await nameOf(latin1("../x")), "zip.name");
  assertEquals(await nameOf(latin1("a\x81")), "zip.name");
  assertEquals((await tarred({ pax: { path: "日/".repeat(100) + "a" } })).name?.length, 201);
  assertEquals((await tarred({ pax: { path: "x".repeat(70_000) } })).name, "zip.name");
});

const MOMENT = Date.UTC(2021, 0, 14, 8, 25, 36);
const SECONDS = MOMENT / 1000;
const DATE = 41 << 9 | 1 << 5 | 14;
const TIME = 8 << 11 | 25 << 5 | 18;

Deno.test("Time of a zip's entry is that of its extra field, else the local digits", async () => {
  const stamp = (time: number, flags = 1) => field(0x5455, Buffer.from([flags]), time);
  const modified = async (file: Partial<ZipFile>) => (await zipped(file)).modified;
  const local = { local: "2021-01-14T08:25:36" };
  assertEquals(await modified({ date: DATE, time: TIME }), local);
  assertEquals(await modified({ extra: stamp(SECONDS) }), { time: MOMENT });
  // Only one of the headers has the field.
  const none = new Uint8Array();
  assertEquals(await modified({ extra: stamp(SECONDS), centralExtra: none }), { time: MOMENT });
  assertEquals(await modified({ extra: none, centralExtra: stamp(SECONDS) }), { time: MOMENT });
  const both = { date: DATE, time: TIME };
  assertEquals(await modified({ ...both, extra: stamp(SECONDS, 2) }), local);
  assertEquals(await modified({ ...both, extra: field(0x5455, Buffer.from([1, 2])) }), local);
  assertEquals(await modified({ ...both, extra: stamp(0) }), local);
  assertEquals(await modified({ ...both, extra: stamp(SECONDS).subarray(0, 8) }), local);
});

Deno.test("Time that is no real one, or lies before 1981, is none", async () => {
  const digits = async (date: number, time: number) => (await zipped({ date, time })).modified;
  assertEquals(await digits(0, 0), null);
  assertEquals(await digits(1 << 5 | 1, 0), null);
  assertEquals(await digits(1 << 9 | 1 << 5 | 1, 0), { local: "1981-01-01T00:00:00" });
  assertEquals(await digits(41 << 9 | 2 << 5 | 29, TIME), null);
  assertEquals(await digits(41 << 9 | 13 << 5 | 1, TIME), null);
  assertEquals(await digits(DATE, 24 << 11), null);
  assertEquals(await digits(DATE, 60 << 5), null);
  assertEquals(await digits(DATE, 30), null);
  assertEquals((await zipped({ extra: field(0x5455, Buffer.from([1]), -5) })).modified, null);
  const seconds = async (modified: string) => (await tarred({ modified })).modified;
  assertEquals(await seconds("0"), null);
  assertEquals(await seconds((Date.UTC(1980, 11, 31) / 1000).toString(8)), null);
  assertEquals(await seconds("\x80\0\0\0"), null);
});

Deno.test("Time of a tar's entry is that of its header, or of the extended header", async () => {
  const modified = SECONDS.toString(8);
  assertEquals((await tarred({ modified })).modified, { time: MOMENT });
  const pax = { mtime: `${SECONDS}.75` };
  assertEquals((await tarred({ modified: "0", pax })).modified, { time: MOMENT + 750 });
  assertEquals((await tarred({ modified, pax: { mtime: "-5" } })).modified, null);
});
