import type { SampleRecord } from "../sample.ts";
import { ARCHIVE_RECORDS } from "./archive_records.ts";
import { GROWTH_RECORDS } from "./growth_records.ts";
import { PEOPLE_RECORDS } from "./people_records.ts";
import { SELF_RECORDS } from "./self_records.ts";

/** The records of the sample life, each after those that it names. */
export const DEMO_RECORDS: readonly SampleRecord[] = [
  ...SELF_RECORDS,
  ...GROWTH_RECORDS,
  ...ARCHIVE_RECORDS,
  ...PEOPLE_RECORDS,
];
