import { ENGINE } from "../support/world.ts";
import { killWorkers } from "../families/relationship/evaluation_crowd.ts";

Deno.test({
  name: "Two workers that are killed store each result once and lose none",
  ignore: ENGINE !== "postgres",
  fn: () => killWorkers({ proposals: 100, kills: 2 }),
});
