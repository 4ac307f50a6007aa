/** How many requests a busy machine can still answer before a timeout. */
const AT_ONCE = 20;

/** Makes some objects concurrently; `make` receives the index. */
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
