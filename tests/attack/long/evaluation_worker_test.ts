// engines: both
/** `tests/process/evaluation_kill_test.ts` with more proposals and kills. */

import { killWorkers } from "../../families/relationship/evaluation_crowd.ts";
import { ENGINE } from "../../support/world.ts";

Deno.test({
  name: "Two workers that are killed repeatedly store each of a thousand results once",
  ignore: ENGINE !== "postgres",
  fn: () => killWorkers({ proposals: 1_000, kills: 12 }),
});
