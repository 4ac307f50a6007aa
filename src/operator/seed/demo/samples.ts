/**
 * The sample life, in JSON files next to this one. In a body, `{ago 40 20}` means 40 days ago at
 * 20:00 UTC, `{ahead 16}` in 16 days, and `{id media/Plan of the allotment}` the identifier of an
 * earlier sample.
 */

import type {
  SampleDecision,
  SampleFile,
  SampleIdentity,
  SampleMemory,
  SamplePerson,
  SampleRecord,
  SampleResource,
  SampleTaxonomy,
} from "../sample.ts";
import decisions from "./decisions.json" with { type: "json" };
import files from "./files.json" with { type: "json" };
import identity from "./identity.json" with { type: "json" };
import memories from "./memories.json" with { type: "json" };
import people from "./people.json" with { type: "json" };
import records from "./records.json" with { type: "json" };
import resources from "./resources.json" with { type: "json" };
import taxonomy from "./taxonomy.json" with { type: "json" };

export const DEMO_DECISIONS: readonly SampleDecision[] = decisions;
export const DEMO_FILES: readonly SampleFile[] = files;
/** Without publication and release plan: nothing of a sample may become public. */
export const DEMO_IDENTITY: SampleIdentity = identity;
export const DEMO_MEMORIES: readonly SampleMemory[] = memories;
export const DEMO_PEOPLE = people as readonly SamplePerson[];
/** Each after those that it refers to. */
export const DEMO_RECORDS = records as readonly SampleRecord[];
export const DEMO_RESOURCES = resources as readonly SampleResource[];
export const DEMO_TAXONOMY: SampleTaxonomy = taxonomy;
