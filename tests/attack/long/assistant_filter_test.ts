/** No assistant is given what is not lent, in a hundred thousand random calls. */

import { assertFiltered } from "../assistant_filter.ts";

Deno.test("A hundred thousand random calls give what an independent filter gives", async () => {
  await assertFiltered(20_261_126, 100_000);
});
