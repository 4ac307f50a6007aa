/**
 * The test files that `TEST_FILES` names, as one module: they share this process's compiled engine and
 * its world. A file that cannot be loaded is a failed test.
 */

const FILES: readonly string[] = JSON.parse(Deno.env.get("TEST_FILES") ?? "[]");

for (const file of FILES) {
  try {
    await import(new URL(`../../${file}`, import.meta.url).href);
  } catch (error) {
    Deno.test(`${file} loads`, () => {
      throw error;
    });
  }
}
