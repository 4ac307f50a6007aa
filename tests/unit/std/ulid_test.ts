import {
  assert,
  assertEquals,
  assertGreater,
  assertLess,
  assertMatch,
  assertStrictEquals,
  assertThrows,
} from "@std/assert";
import { decodeTime, monotonicUlid, ulid } from "@std/ulid";
import { seededRandom } from "../../support/random.ts";

const MAXIMUM_TIME = 2 ** 48 - 1;
const INVALID_TIMES = [-1, 0.5, NaN, Infinity, -Infinity, MAXIMUM_TIME + 1];
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
  assertEquals(ulid(MAXIMUM_TIME).slice(0, 10), "7ZZZZZZZZZ");
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
  // The expected count is 5000 with a standard deviation of 70, so the bounds are 7 of them away.
  for (const count of counts.values()) assert(4500 < count && count < 5500, `${count}`);
});

Deno.test("ulid() sorts by time for pairs of random times", () => {
  const random = seededRandom(1);
  for (let count = 0; count < 1000; count++) {
    const time = random.integer(0, MAXIMUM_TIME - 1);
    const later = random.chance(0.5) ? time + 1 : random.integer(time + 1, MAXIMUM_TIME);
    assertLess(ulid(time), ulid(later), `${time} before ${later}`);
  }
});

for (const [name, generate] of Object.entries({ ulid, monotonicUlid })) {
  for (const time of INVALID_TIMES) {
    Deno.test(`${name}() throws a RangeError when the time is ${time}`, () => {
      assertThrows(() => generate(time), RangeError, `"${time}"`);
      assertMatch(generate(), CANONICAL_ULID);
    });
  }
}

Deno.test("decodeTime() returns the time that ulid() encoded for random times", () => {
  const random = seededRandom(2);
  for (let count = 0; count < 1000; count++) {
    const time = Math.floor(MAXIMUM_TIME * random.next() ** random.integer(1, 20));
    assertStrictEquals(decodeTime(ulid(time)), time);
  }
});

Deno.test("decodeTime() accepts the greatest time and refuses the next", () => {
  assertEquals(decodeTime("7ZZZZZZZZZ0000000000000000"), MAXIMUM_TIME);
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

Deno.test("monotonicUlid() always increases for times that come and go at random", () => {
  const random = seededRandom(3);
  const start = laterTime();
  let previous = monotonicUlid(start);
  for (let count = 0; count < 5000; count++) {
    const next = monotonicUlid(start + Math.floor(count / 10) + random.integer(-100, 100));
    assertGreater(next, previous);
    previous = next;
  }
});

Deno.test("monotonicUlid() increases only the random part when the time goes back", () => {
  const time = laterTime();
  const first = monotonicUlid(time);
  const second = monotonicUlid(time - 10);
  assertEquals(decodeTime(second), time);
  assertGreater(second, first);
});

Deno.test("monotonicUlid() starts from new randomness when the time advances", () => {
  const time = laterTime();
  const first = monotonicUlid(time);
  const second = monotonicUlid(time + 1);
  assertEquals(decodeTime(second), time + 1);
  assert(first.slice(10, 20) !== second.slice(10, 20));
});

Deno.test("monotonicUlid() carries over when the last characters are the greatest", () => {
  withRandomPart("0ZZZZZZZZZZZZZZZ", () => {
    const time = laterTime();
    assertEquals(monotonicUlid(time).slice(10), "0ZZZZZZZZZZZZZZZ");
    assertEquals(monotonicUlid(time).slice(10), "1000000000000000");
    assertEquals(monotonicUlid(time).slice(10), "1000000000000001");
  });
});

Deno.test("monotonicUlid() skips the letters that the alphabet lacks when it increases", () => {
  withRandomPart("000000000000000H", () => {
    const time = laterTime();
    monotonicUlid(time);
    assertEquals(monotonicUlid(time).slice(10), "000000000000000J");
  });
});

Deno.test("monotonicUlid() throws an Error until time advances when it cannot increase", () => {
  withRandomPart("ZZZZZZZZZZZZZZZZ", () => {
    const time = laterTime();
    assertEquals(monotonicUlid(time).slice(10), "ZZZZZZZZZZZZZZZZ");
    assertThrows(() => monotonicUlid(time), Error, "cannot be increased");
    assertThrows(() => monotonicUlid(time), Error, "cannot be increased");
    assertEquals(decodeTime(monotonicUlid(time + 1)), time + 1);
  });
});

let latestTime = 0;

/** A time after all that any test has used, since monotonicUlid() never goes back. */
function laterTime(): number {
  latestTime = Math.max(latestTime, Date.now()) + 10_000;
  return latestTime;
}

/** Runs a test in which all new identifiers get the same random part. */
function withRandomPart(part: string, test: () => void): void {
  const digits = [...part].map((character) =>
    "0123456789ABCDEFGHJKMNPQRSTVWXYZ".indexOf(character)
  );
  const fillWithPart = (bytes: Uint8Array): Uint8Array => {
    for (let start = 0; start < bytes.length; start += digits.length) bytes.set(digits, start);
    return bytes;
  };
  Object.defineProperty(crypto, "getRandomValues", { value: fillWithPart, configurable: true });
  try {
    // Randomness may have been drawn ahead, both before the test and by it.
    while (!ulid().endsWith(part));
    test();
  } finally {
    Reflect.deleteProperty(crypto, "getRandomValues");
    while (ulid().endsWith(part));
    monotonicUlid(laterTime());
  }
}
