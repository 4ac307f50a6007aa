/** As many concurrent requests as even a busy machine answers before a timeout. */
const AT_ONCE = 20;

/** Makes many objects, some concurrently; `make` is called with the index of each. */
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
