import { decodeTime, ulid } from "@std/ulid";

const ULID_PATTERN = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
/** Crockford's Base32. */
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** 26 upper-case characters, the first 0 to 7. */
export function isUlid(text: string): boolean {
  return ULID_PATTERN.test(text);
}

/** A new identifier with the time part `at`, to the millisecond. */
export function newId(at: Date): string {
  return ulid(at.getTime());
}

/**
 * Returns an identifier that sorts after `last`, even if the clock is slow. Its time part is `at`,
 * or the first millisecond after that of `last`.
 */
export function idAfter(last: string | null, at: Date): string {
  const id = newId(at);
  return last === null || id > last ? id : newId(new Date(decodeTime(last) + 1));
}

/**
 * A new identifier with the time part `at` that sorts after `last`: within one millisecond it is
 * the next one.
 */
export function nextId(last: string, at: Date): string {
  const id = newId(at);
  if (id > last) return id;
  return last.replace(
    /(.)(Z*)$/,
    (_, digit: string, full: string) => DIGITS[DIGITS.indexOf(digit) + 1] + "0".repeat(full.length),
  );
}

/**
 * Adds an identifier to each item: ascending in the order of the items, after `last`, and all with
 * the same time part.
 */
export function withIdsAfter<Item>(
  items: readonly Item[],
  last: string | null,
  at: Date,
): [id: string, item: Item][] {
  const ids = items.map(() => newId(at)).sort();
  const [first] = ids;
  if (first !== undefined && last !== null && first <= last) {
    return withIdsAfter(items, null, new Date(decodeTime(last) + 1));
  }
  return items.map((item, index) => [ids[index] as string, item]);
}

/**
 * Returns the first identifier of a time, to turn a time range into a key range. Times before 1970
 * have the very first identifier.
 */
export function firstIdAt(at: Date): string {
  return ulid(Math.max(0, at.getTime())).slice(0, 10) + "0".repeat(16);
}
