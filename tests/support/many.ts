/** As many requests at once as even a busy machine answers before one has waited too long. */
const AT_ONCE = 20;

/** Makes so many things, some at once; `make` is given the place of each. */
export async function makeMany<T>(
  count: number,
  make: (index: number) => Promise<T>,
): Promise<T[]> {
  const made: T[] = [];
  while (made.length < count) {
    const begun = Array.from(
      { length: Math.min(AT_ONCE, count - made.length) },
      (_, index) => make(made.length + index),
    );
    made.push(...await Promise.all(begun));
  }
  return made;
}
