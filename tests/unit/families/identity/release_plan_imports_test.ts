/** Nothing can be delivered: no code that the family leads to could open a connection. */

import { assert, assertEquals } from "@std/assert";
import {
  CONNECTING,
  findViolations,
  loadedWith,
  readSources,
} from "../../../../scripts/check_imports.ts";

Deno.test("The release plan leads to no file and no package that opens a connection", async () => {
  const sources = await readSources(new URL("../../../..", import.meta.url).pathname);
  for (
    const entry of [
      "src/families/identity/release_plan_routes.ts",
      "src/families/identity/identity_routes.ts",
    ]
  ) {
    const loaded = loadedWith(sources, entry);
    // The search does follow imports: these lie several of them away.
    for (const far of ["src/database/walk.ts", "src/core/ids.ts"]) assert(loaded.has(far), far);
    assertEquals([...loaded].filter((path) => CONNECTING.includes(path)), [], entry);
    const packages = [...loaded].filter((path) =>
      !sources.has(path) && !/^(?:node:|@std\/)/.test(path)
    );
    assertEquals(packages, [], entry);
  }
  // Every other file was asked whether it could.
  assertEquals(findViolations(sources), []);
});
