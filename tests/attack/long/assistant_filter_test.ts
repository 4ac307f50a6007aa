/**
 * No assistant reads records outside its scope, in a hundred thousand random calls. The parts can
 * run in several processes (`--filter "part 3"`); each needs a minute of processor time.
 */

import { assertFiltered } from "../assistant_filter.ts";

const PARTS = 8;

for (let part = 1; part <= PARTS; part++) {
  Deno.test(`A hundred thousand random calls give what an independent filter gives, part ${part}`, async () => {
    await assertFiltered(20_261_126 + part, 100_000 / PARTS);
  });
}
