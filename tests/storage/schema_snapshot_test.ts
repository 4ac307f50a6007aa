import { assertEquals } from "@std/assert";
import { describeSchema } from "../../scripts/schema_snapshot.ts";
import { fileWorld } from "../support/world.ts";

const world = fileWorld();

Deno.test("The migrated schema is the one of the snapshot", async () => {
  const live = await describeSchema(world().rows);
  const snapshot = await Deno.readTextFile(new URL("schema.snapshot.sql", import.meta.url));
  // `deno task snapshot` updates it.
  assertEquals(live.split("\n"), snapshot.split("\n"));
});
