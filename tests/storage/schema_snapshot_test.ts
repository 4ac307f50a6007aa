import { describeSchema } from "../../scripts/schema_snapshot.ts";
import { chapter } from "../support/chapters.ts";
import { assertSnapshot } from "../support/snapshot.ts";
import { fileWorld } from "../support/world.ts";

const world = fileWorld();

Deno.test("The migrated schema is the one of the snapshot", async () => {
  const path = "tests/storage/schema.snapshot.sql";
  assertSnapshot(path, await describeSchema(world().rows), chapter(path));
});
