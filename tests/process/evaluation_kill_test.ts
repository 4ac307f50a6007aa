import { ENGINE } from "../support/world.ts";
import { killWorkers } from "../families/relationship/evaluation_crowd.ts";

Deno.test({
  name: "Two workers, one of which is killed, store each result once and lose none",
  ignore: ENGINE !== "postgres",
  fn: () => killWorkers({ proposals: 60, kills: 1 }),
});
