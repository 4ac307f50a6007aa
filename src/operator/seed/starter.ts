import type { ErrorCode } from "../../errors/codes.ts";
import { ServiceError } from "../../errors/service_error.ts";
import type { RootResult } from "../../kit/write.ts";
import { listSeeded } from "../../records/seeded.ts";
import { findNamed } from "../../families/taxonomy/name_store.ts";
import type { Term } from "../../families/taxonomy/term.ts";
import { countSeeded, type Seeded, type Seeding } from "./seeding.ts";
import { STARTER_CATEGORIES, STARTER_TAGS } from "./starter_taxonomy.ts";
import { seedCategory, seedTag } from "./terms.ts";

/** Errors of a term that conflicts with the owner's own. */
const TAKEN: readonly ErrorCode[] = [
  "TAXONOMY_TAG_NAME_CONFLICT",
  "TAXONOMY_CATEGORY_NAME_CONFLICT",
  "TAXONOMY_CATEGORY_PARENT_INVALID",
  "TAXONOMY_CATEGORY_DEPTH_EXCEEDED",
  "TAXONOMY_STATE_CONFLICT",
];

/**
 * Adds terms that were never added for the owner. A term counts as present if the owner already
 * uses its name, or it does not fit the owner's tree.
 */
export async function seedStarterTaxonomy(seeding: Seeding, seeded: Seeded): Promise<void> {
  const { database, caller: { account: { accountId: owner } } } = seeding;
  const ids = new Map(await database.read((sql) => listSeeded(sql, owner, "taxonomy")));
  const add = async (name: string, make: () => Promise<RootResult<Term>>) => {
    const made = ids.has(name) ? undefined : await skipTaken(make());
    if (made === undefined) {
      seeded.present++;
    } else {
      ids.set(name, made.id);
      countSeeded(seeded, made);
    }
  };
  for (const name of STARTER_TAGS) await add(name, () => seedTag(seeding, { name }));
  for (const { name, parent } of STARTER_CATEGORIES) {
    await add(name, async () => {
      if (parent === undefined) return await seedCategory(seeding, { name });
      const parentId = ids.get(parent) ??
        await database.read((sql) => findNamed(sql, owner, "CATEGORY", parent));
      if (parentId === null) throw new ServiceError("TAXONOMY_CATEGORY_PARENT_INVALID");
      return await seedCategory(seeding, { name, parentId });
    });
  }
}

/** Returns undefined if the term conflicts with the owner's own. */
async function skipTaken(
  making: Promise<RootResult<Term>>,
): Promise<RootResult<Term> | undefined> {
  return await making.catch((error) => {
    if (error instanceof ServiceError && TAKEN.includes(error.code)) return undefined;
    throw error;
  });
}
