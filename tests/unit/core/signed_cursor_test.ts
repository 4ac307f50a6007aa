import { assert, assertEquals, assertFalse, assertMatch, assertThrows } from "@std/assert";
import { Buffer } from "node:buffer";
import { hmacSha256 } from "../../../src/core/digest.ts";
import { sealBytes } from "../../../src/core/sealed_bytes.ts";
import { readCursor, signCursor } from "../../../src/core/signed_cursor.ts";
import { seededRandom } from "../../support/random.ts";

const SECRET = new TextEncoder().encode("a server secret of some length..");
const NOW = new Date("2026-11-20T17:24:00.000Z");
const IN_FIFTEEN_MINUTES = new Date("2026-11-20T17:39:00.000Z");
const AFTER = "01JD5Q3Z9V7K2M4N6P8R0S1T2W";
const SCOPE = "memory exports";
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const cursor = { after: AFTER, scope: SCOPE, expiresAt: IN_FIFTEEN_MINUTES, data: "part 2" };
const content = { after: AFTER, expiresAt: IN_FIFTEEN_MINUTES, data: "part 2" };

Deno.test("readCursor() reads back what signCursor() wrote", () => {
  const random = seededRandom(41);
  for (let run = 0; run < 500; run++) {
    const secret = new Uint8Array(32).map(() => random.integer(0, 255));
    const scope = random.text(0, 60);
    const written = {
      after: random.ulid(),
      expiresAt: random.chance(0.3) ? null : new Date(NOW.getTime() + random.integer(1, 1e9)),
      ...(random.chance(0.5) ? { data: random.text(0, 40) } : {}),
    };
    const text = signCursor(secret, { ...written, scope });
    assertMatch(text, /^[A-Za-z0-9_-]{1,1024}$/);
    assertEquals(readCursor(secret, text, scope, NOW), written);
  }
});

Deno.test("readCursor() rejects a cursor from its expiry on", () => {
  const text = signCursor(SECRET, cursor);
  const last = new Date(IN_FIFTEEN_MINUTES.getTime() - 1);
  assertEquals(readCursor(SECRET, text, SCOPE, last), content);
  assertEquals(readCursor(SECRET, text, SCOPE, IN_FIFTEEN_MINUTES), null);
  assertEquals(readCursor(SECRET, text, SCOPE, new Date(NaN)), null);
  const lasting = signCursor(SECRET, { ...cursor, expiresAt: null });
  const farAway = new Date("9999-12-31T23:59:59.999Z");
  assertEquals(readCursor(SECRET, lasting, SCOPE, farAway), { ...content, expiresAt: null });
});

Deno.test("readCursor() rejects a cursor of another scope or secret", () => {
  const text = signCursor(SECRET, cursor);
  assertEquals(readCursor(SECRET, text, SCOPE, NOW), content);
  for (const scope of ["", " ", `${SCOPE} `, SCOPE.toUpperCase(), AFTER, `${SCOPE}\0`]) {
    assertEquals(readCursor(SECRET, text, scope, NOW), null, scope);
  }
  for (const secret of [new Uint8Array(), SECRET.slice(1), SECRET.slice().fill(1, 31)]) {
    assertEquals(readCursor(secret, text, SCOPE, NOW), null);
  }
});

Deno.test("readCursor() distinguishes scopes with equal UTF-8 or equal concatenation", () => {
  const lone = signCursor(SECRET, { ...cursor, scope: "\ud800" });
  assertEquals(readCursor(SECRET, lone, "\ud800", NOW), content);
  for (const scope of ["\ud801", "\ufffd", "\\ud800"]) {
    assertEquals(readCursor(SECRET, lone, scope, NOW), null);
  }
  const quoted = signCursor(SECRET, { ...cursor, scope: 'a","b' });
  for (const scope of ["a", 'a","', "b"]) {
    assertEquals(readCursor(SECRET, quoted, scope, NOW), null);
  }
});

Deno.test("signCursor() hides a cursor's content and scope", () => {
  const short = signCursor(SECRET, { ...cursor, scope: "s" });
  const long = signCursor(SECRET, { ...cursor, scope: "session 1 ".repeat(1000) });
  assertEquals(long.length, short.length);
  const bytes = Buffer.from(long, "base64url");
  for (const shown of ["session", AFTER, AFTER.slice(10), "part 2", "null", "["]) {
    assertFalse(bytes.includes(shown), shown);
    assertFalse(long.includes(shown), shown);
  }
});

Deno.test("signCursor() makes cursors of equal length for similar lengths", () => {
  const lengthOf = (data: string) => signCursor(SECRET, { ...cursor, data }).length;
  assertEquals(lengthOf("7"), lengthOf("12345678901"));
  const lengths = Array.from({ length: 200 }, (_, length) => lengthOf("x".repeat(length)));
  assertEquals(new Set(lengths).size, 7);
});

Deno.test("signCursor() is deterministic, and differs between places", () => {
  const random = seededRandom(43);
  const made = new Set<string>();
  for (let run = 0; run < 300; run++) {
    const place = { after: random.ulid(), expiresAt: null, data: random.text(0, 9) };
    const text = signCursor(SECRET, { ...place, scope: SCOPE });
    assertEquals(signCursor(SECRET, { ...place, scope: SCOPE }), text);
    // Common parts of cursors reveal no places.
    for (const other of [text, signCursor(SECRET, { ...place, scope: "another" })]) {
      made.add(other.slice(0, 16)).add(other.slice(-16));
    }
  }
  assertEquals(made.size, 1200);
});

Deno.test("readCursor() rejects a text with any one character changed, removed or added", () => {
  const text = signCursor(SECRET, cursor);
  const read = (changed: string) => readCursor(SECRET, changed, SCOPE, NOW);
  for (let at = 0; at < text.length; at++) {
    for (const character of ALPHABET) {
      if (character === text[at]) continue;
      assertEquals(read(text.slice(0, at) + character + text.slice(at + 1)), null, `${at}`);
    }
    assertEquals(read(text.slice(0, at) + text.slice(at + 1)), null);
    assertEquals(read(text.slice(0, at)), null);
    assertEquals(read(`${text.slice(0, at)}A${text.slice(at)}`), null);
  }
});

Deno.test("readCursor() rejects every other spelling of the same bytes", () => {
  for (const data of ["", "1", "12", "123"]) {
    const text = signCursor(SECRET, { ...cursor, data });
    const bytes = Buffer.from(text, "base64url");
    const spellings = [
      `${text}=`,
      `${text}==`,
      ` ${text}`,
      `${text}\n`,
      `${text}A`,
      `${text}.`,
      bytes.toString("base64"),
      bytes.toString("hex"),
      text.replace(/.{8}/, "$&\n"),
      ...[...ALPHABET].map((character) => text.slice(0, -1) + character),
    ];
    for (const spelling of spellings) {
      const read = readCursor(SECRET, spelling, SCOPE, NOW);
      assertEquals(read === null, spelling !== text, spelling);
    }
  }
});

Deno.test("readCursor() rejects what the secret signed for another purpose", () => {
  const content = JSON.stringify([AFTER, IN_FIFTEEN_MINUTES.getTime()]).padEnd(64);
  const forge = (purpose: string) => {
    const seal = { key: hmacSha256(SECRET, purpose), context: JSON.stringify(SCOPE) };
    return sealBytes(seal, new Uint8Array(12), Buffer.from(content)).toString("base64url");
  };
  assertEquals(readCursor(SECRET, forge("sealed cursor"), SCOPE, NOW)?.after, AFTER);
  for (const purpose of ["second factor secrets", "signed cursor", "idempotency fingerprint", ""]) {
    assertEquals(readCursor(SECRET, forge(purpose), SCOPE, NOW), null);
  }
});

Deno.test("readCursor() returns null, and never throws, for any input", () => {
  const random = seededRandom(42);
  const genuine = signCursor(SECRET, cursor);
  const odd = [..."\0\n =+/.%{}[]\"'\\", "\ud800", "\ufffd", "🙂", "é"];
  const fixed = [
    "",
    "A",
    "null",
    "[]",
    "-",
    "_".repeat(1024),
    "_".repeat(1025),
    "A".repeat(3_000_000),
    genuine.repeat(2),
    [...genuine].reverse().join(""),
    AFTER,
    SCOPE,
    Buffer.alloc(32).toString("base64url"),
    Buffer.concat([Buffer.alloc(32), Buffer.from("not JSON")]).toString("base64url"),
    ...Array.from({ length: 40 }, (_, length) => Buffer.alloc(length).toString("base64url")),
    Buffer.concat([Buffer.alloc(32), Buffer.from([0xff, 0xfe])]).toString("base64url"),
  ];
  const generated = Array.from({ length: 3000 }, () => {
    const length = random.integer(0, 200);
    const characters = random.chance(0.5) ? [...ALPHABET] : [...ALPHABET, ...odd];
    return Array.from({ length }, () => random.pick(characters)).join("");
  });
  for (const text of [...fixed, ...generated]) {
    assertEquals(readCursor(SECRET, text, SCOPE, NOW), null, text.slice(0, 200));
  }
});

Deno.test("signCursor() rejects what it could not read back", () => {
  for (const after of ["", "01JD5Q3Z9V7K2M4N6P8R0S1T2", AFTER.toLowerCase(), `${AFTER}\n`]) {
    assertThrows(() => signCursor(SECRET, { ...cursor, after }), RangeError);
  }
  const invalid = new Date(NaN);
  assertThrows(() => signCursor(SECRET, { ...cursor, expiresAt: invalid }), RangeError);
  assertThrows(() => signCursor(SECRET, { ...cursor, data: "x".repeat(1000) }), RangeError);
  const longest = signCursor(SECRET, { ...cursor, data: "x".repeat(600) });
  assert(longest.length <= 1024);
  assertEquals(readCursor(SECRET, longest, SCOPE, NOW)?.data?.length, 600);
});
