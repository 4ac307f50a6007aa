/** As `storage/account_hostile_files_test.ts` does it, with many more. */

import { assertNothingImported } from "../../storage/hostile_files.ts";

Deno.test("Ten thousand damaged files are refused, and nothing of them is kept", async () => {
  await assertNothingImported(20_261_123, 10_000);
});
