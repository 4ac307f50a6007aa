/** As `long/assistant_filter_test.ts`, with two hundred calls. */

import { assertFiltered } from "./assistant_filter.ts";

Deno.test("Two hundred random calls give what an independent filter gives", async () => {
  await assertFiltered(20_261_125, 200);
});
