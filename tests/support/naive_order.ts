/** The orders of lists by their contract. It shares no code with the service. */

import { naiveWords } from "./naive_search.ts";

/** The letters of the order form that folding leaves. */
export const ORDER_LETTERS: Readonly<Record<string, string>> = {
  ø: "o",
  ł: "l",
  đ: "d",
  ħ: "h",
  ð: "d",
  þ: "th",
  æ: "ae",
  œ: "oe",
};

export function naiveForm(title: string): string {
  const words = naiveWords(title).map(({ points }) =>
    points.map((point) => ORDER_LETTERS[point] ?? point).join("")
  );
  return Array.from(words.join(" ")).slice(0, 64).join("");
}

interface Naive {
  /** Null without a place in the order: last, the newest first. */
  readonly value: string | number | null;
  readonly id: string;
}

/** Sorts by value, then by identifier. */
export function inOrder<T>(
  items: readonly T[],
  placeOf: (item: T) => Naive,
  isDescending: boolean,
): T[] {
  return items.map((item) => ({ item, place: placeOf(item) })).toSorted((one, other) => {
    const [{ value, id }, { value: otherValue, id: otherId }] = [one.place, other.place];
    if (value === null || otherValue === null) {
      return Number(value === null) - Number(otherValue === null) || compare(otherId, id);
    }
    const order = compare(value, otherValue) || compare(id, otherId);
    return isDescending ? -order : order;
  }).map(({ item }) => item);
}

/** Texts by code point. */
function compare(one: string | number, other: string | number): number {
  if (typeof one === "number" || typeof other === "number") return Number(one) - Number(other);
  const [points, others] = [Array.from(one), Array.from(other)];
  for (const [index, point] of points.entries()) {
    const difference = pointOf(point) - pointOf(others[index] ?? "\0");
    if (difference !== 0) return difference;
  }
  return points.length - others.length;
}

function pointOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
