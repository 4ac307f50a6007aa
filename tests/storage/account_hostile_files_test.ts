// engines: postgres
/** Damaged account files are rejected by rule and leave nothing. */

import { assert } from "@std/assert";
import { assertNothingImported } from "./hostile_files.ts";

Deno.test("Fifty damaged files are rejected and leave nothing", async () => {
  const { rules } = await assertNothingImported(20_261_122, 50);
  assert(rules.size > 10, `They were refused for ${[...rules.keys()].join()} alone`);
});
