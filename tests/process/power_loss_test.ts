// engines: embedded
import { canRecordFiles } from "../support/power_loss.ts";
import { losePower } from "../support/power_loss_story.ts";

/** One for each phase; `tests/attack/long/power_loss_test.ts` has others. */
const MOMENTS = 7;

Deno.test({
  name: "A power loss loses nothing that was acknowledged (needs FUSE and a C compiler)",
  ignore: !await canRecordFiles(),
  fn: () => losePower(MOMENTS),
});
