// engines: embedded
import { canRecordFiles } from "../../support/power_loss.ts";
import { losePower } from "../../support/power_loss_story.ts";

Deno.test({
  name:
    "A power loss at 50 moments loses nothing that was acknowledged (needs FUSE and a C compiler)",
  ignore: !await canRecordFiles(),
  fn: () => losePower(50),
});
