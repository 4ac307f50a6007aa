/** Writes `tests/storage/schema.snapshot.sql` from a migrated database. */

import { openEmbedded } from "../src/database/embedded.ts";
import { migrate } from "../src/database/migrate.ts";
import { describeSchema } from "./schema_snapshot.ts";

const SNAPSHOT = new URL("../tests/storage/schema.snapshot.sql", import.meta.url);

const folder = await Deno.makeTempDir({ prefix: "prs-schema-" });
const database = await openEmbedded(folder);
try {
  await migrate(database);
  const text = await describeSchema((query) =>
    database.read(async (sql) => await sql(Object.assign([query], { raw: [query] })))
  );
  await Deno.writeTextFile(SNAPSHOT, text);
} finally {
  await database.close();
  await Deno.remove(folder, { recursive: true });
}
