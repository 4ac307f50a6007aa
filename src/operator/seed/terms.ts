/** Adds tags and categories, with the schemas and rules of requests. */

import type { JsonObject } from "../../core/json.ts";
import { createRoot, type RootResult } from "../../kit/write.ts";
import { verifyNewCategory } from "../../families/taxonomy/place_store.ts";
import { decideCreate } from "../../families/taxonomy/term_rules.ts";
import { CATEGORY_BODY, TAG_BODY } from "../../families/taxonomy/taxonomy_schema.ts";
import { categoriesFrom, namingOptions, tagsFrom } from "../../families/taxonomy/term_store.ts";
import type { Term } from "../../families/taxonomy/term.ts";
import { readBody } from "../../validate/schema.ts";
import type { Seeding } from "./seeding.ts";
import { stepCommand } from "./steps.ts";

export const SEEDED_TAGS = tagsFrom("SEED").root;
const SEEDED_CATEGORIES = categoriesFrom("SEED").root;

/** The routine knows a term by kind and name. */
type SentTerm = JsonObject & { readonly name: string };

/** @throws ServiceError as the routes that create a tag. */
export async function seedTag(seeding: Seeding, sent: SentTerm): Promise<RootResult<Term>> {
  const name = `tag ${sent.name}`;
  const command = stepCommand({ seeding, name }, SEEDED_TAGS, "", "tag.create");
  const body = readBody(TAG_BODY, sent);
  return await createRoot(seeding, SEEDED_TAGS, command, {
    decide: () => decideCreate("TAG", body, undefined, command.now),
    options: namingOptions("TAG"),
  });
}

/** @throws ServiceError as the routes that create a category. */
export async function seedCategory(seeding: Seeding, sent: SentTerm): Promise<RootResult<Term>> {
  const name = `category ${sent.name}`;
  const command = stepCommand({ seeding, name }, SEEDED_CATEGORIES, "", "category.create");
  const { parentId, ...fields } = readBody(CATEGORY_BODY, sent);
  return await createRoot(seeding, SEEDED_CATEGORIES, command, {
    decide: () => decideCreate("CATEGORY", fields, parentId, command.now),
    verify: (sql, row) => verifyNewCategory(sql, command.caller.account.accountId, row),
    options: namingOptions("CATEGORY"),
  });
}
