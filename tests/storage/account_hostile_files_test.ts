/** Damaged account files are refused by the name of a rule, and leave nothing. */

import { assertNothingImported } from "./hostile_files.ts";

Deno.test("Two hundred damaged files are refused, and nothing of them is kept", async () => {
  await assertNothingImported(20_261_122, 200);
});
