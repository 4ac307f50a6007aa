import {
  assert,
  assertEquals,
  assertLess,
  assertMatch,
  assertStrictEquals,
  assertThrows,
} from "@std/assert";
import { decodeTime, ulid } from "@std/ulid";
import { seededRandom } from "../../support/random.ts";

const MAX_TIME = 2 ** 48 - 1;
const INVALID_TIMES = [-1, 0.5, NaN, Infinity, -Infinity, MAX_TIME + 1];
const CANONICAL_ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

Deno.test("ulid() writes 26 characters of the alphabet when called without a time", () => {
  for (let count = 0; count < 1000; count++) assertMatch(ulid(), CANONICAL_ULID);
});

Deno.test("ulid() encodes the present when called without a time", () => {
  const before = Date.now();
  const time = decodeTime(ulid());
  assert(before <= time && time <= Date.now());
});

Deno.test("ulid() encodes the times that the specification gives as examples", () => {
  assertEquals(ulid(1_469_918_176_385).slice(0, 10), "01ARYZ6S41");
  assertEquals(ulid(0).slice(0, 10), "0000000000");
  assertEquals(ulid(MAX_TIME).slice(0, 10), "7ZZZZZZZZZ");
});

Deno.test("ulid() encodes the given time when it alternates between two", () => {
  for (const time of [1, 2, 1, 1, 2]) assertEquals(decodeTime(ulid(time)), time);
});

Deno.test("ulid() never repeats itself when called often within one millisecond", () => {
  const identifiers = Array.from({ length: 10_000 }, () => ulid(0));
  assertEquals(new Set(identifiers).size, identifiers.length);
});

Deno.test("ulid() uses every character equally often in its random part", () => {
  const counts = new Map<string, number>();
  for (let count = 0; count < 10_000; count++) {
    for (const character of ulid().slice(10)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
  }
  assertEquals(counts.size, 32);
  // Expected 5000, standard deviation 70: the limits are 7 away.
  for (const count of counts.values()) assert(4500 < count && count < 5500, `${count}`);
});

Deno.test("ulid() sorts by time for pairs of random times", () => {
  const random = seededRandom(1);
  for (let count = 0; count < 1000; count++) {
    const time = random.integer(0, MAX_TIME - 1);
    const later = random.chance(0.5) ? time + 1 : random.integer(time + 1, MAX_TIME);
    assertLess(ulid(time), ulid(later), `${time} before ${later}`);
  }
});

for (const time of INVALID_TIMES) {
  Deno.test(`ulid() throws a RangeError when the time is ${time}`, () => {
    assertThrows(() => ulid(time), RangeError, `"${time}"`);
    assertMatch(ulid(), CANONICAL_ULID);
  });
}

Deno.test("decodeTime() returns the time that ulid() encoded for random times", () => {
  const random = seededRandom(2);
  for (let count = 0; count < 1000; count++) {
    const time = Math.floor(MAX_TIME * random.next() ** random.integer(1, 20));
    assertStrictEquals(decodeTime(ulid(time)), time);
  }
});

Deno.test("decodeTime() accepts the greatest time and rejects the next", () => {
  assertEquals(decodeTime("7ZZZZZZZZZ0000000000000000"), MAX_TIME);
  assertThrows(() => decodeTime("80000000000000000000000000"), RangeError, "greater than");
});

Deno.test("decodeTime() throws an Error when the length is wrong", () => {
  for (const text of ["", "FFFF", "0".repeat(25), "0".repeat(27)]) {
    assertThrows(() => decodeTime(text), Error, "26 characters");
  }
});

Deno.test("decodeTime() throws an Error when a character is not in the alphabet", () => {
  for (const character of [..."ILOUabz&-é "]) {
    const error = assertThrows(() => decodeTime(character.padEnd(26, "0")), Error, character);
    assertStrictEquals(error.constructor, Error);
  }
});
