import project from "../../deno.json" with { type: "json" };
import { MIGRATIONS } from "./migration_files.ts";

/** The version of this program, and the newest step of its schema. */
export const RELEASE = {
  version: project.version,
  schema: MIGRATIONS.at(-1)?.version ?? 0,
} as const;
