import { asOperator } from "../../accounts/operator.ts";
import { type ImportedCounts, importLegacyRecords } from "../../v1/import.ts";
import { seedCatalog } from "../seed/catalog.ts";
import { seedDemo } from "../seed/demo.ts";
import type { Seeded } from "../seed/seeding.ts";
import { placeInDataDir } from "./data_file.ts";
import { refuseWriting, type Runners, unchanged } from "./runner.ts";

export const SEED_COMMANDS = {
  "seed catalog": async (services, { owner }) => await describeSeeded(seedCatalog(services, owner)),
  "seed demo": async (services, { owner }) => await describeSeeded(seedDemo(services, owner)),
  "legacy import": async (services, { owner, file }, _context, report) => {
    const { database, config: { dataDir } } = services;
    const path = `${dataDir}/${await placeInDataDir(dataDir, `${dataDir}/${file}`)}`;
    const operator = await asOperator(database, owner, services.clock());
    return await describeImported(importLegacyRecords(services, operator, path, report));
  },
} satisfies Partial<Runners>;

async function describeSeeded(seeding: Promise<Seeded>): Promise<string[]> {
  const { made, present } = await seeding.catch(refuseWriting);
  if (made === 0) return unchanged(`all ${present} items already existed`);
  return [`Added ${made} ${made === 1 ? "item" : "items"} to the account`];
}

async function describeImported(importing: Promise<ImportedCounts>): Promise<string[]> {
  const { made, present } = await importing.catch(refuseWriting);
  const count = (records: number) => `${records} ${records === 1 ? "record" : "records"}`;
  if (made + present === 0) return unchanged("the file contains no records");
  if (made === 0) return unchanged(`the account already has all of the file's ${count(present)}`);
  return [`Imported ${count(made)}; ${count(present)} of the file already existed`];
}
