/** No code reachable from the family opens a connection. */

import { assert, assertEquals } from "@std/assert";
import { CONNECTING, findViolations } from "../../../../scripts/check_imports.ts";
import { loadedWith, readSources } from "../../../../scripts/module_graph.ts";

Deno.test("The release plan imports nothing that opens a connection", async () => {
  const sources = await readSources(new URL("../../../..", import.meta.url).pathname);
  for (
    const entry of [
      "src/families/identity/release_plan_routes.ts",
      "src/families/identity/identity_routes.ts",
    ]
  ) {
    const loaded = loadedWith(sources, entry);
    // Indirect imports are followed.
    for (const far of ["src/database/walk.ts", "src/core/ids.ts"]) assert(loaded.has(far), far);
    assertEquals([...loaded].filter((path) => CONNECTING.includes(path)), [], entry);
    const packages = [...loaded].filter((path) =>
      !sources.has(path) && !/^(?:node:|@std\/)/.test(path)
    );
    assertEquals(packages, [], entry);
  }
  // All other files are clean.
  assertEquals(findViolations(sources), []);
});
