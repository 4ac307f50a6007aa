import type { Caller } from "../access/identity.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Database } from "../database/database.ts";
import { FILTERED_PAGE_BUDGET as BUDGET } from "../database/walk.ts";
import { findActiveTerms, readTagNames, type TagName } from "../families/taxonomy/port.ts";
import { seesModule } from "../records/port.ts";
import { wholeOrderForm } from "../records/search_index/order_form.ts";
import { type TagToken, tagTokens, withoutTokens } from "./tag_tokens.ts";

export interface TaggedQuery {
  /** The query without the tags. */
  readonly q: string;
  /** The terms of each tag, of which a record has to carry one. */
  readonly tags: readonly (readonly string[])[];
}

/** Finds the tags of a query, none if the reader may not read taxonomy. */
export async function findTags(
  { database, catalog }: { readonly database: Database; readonly catalog: Catalog },
  reader: Caller,
  q: string,
): Promise<TaggedQuery> {
  const tokens = tagTokens(q);
  const taxonomy = catalog.module("taxonomy");
  if (tokens.length === 0 || taxonomy === undefined || !seesModule(reader, taxonomy)) {
    return { q, tags: [] };
  }
  const owner = reader.account.accountId;
  const named = await findNamed(database, owner, tokens);
  const terms = named.map(({ term_id }) => term_id);
  const active = terms.length === 0
    ? []
    : await database.read((sql) => findActiveTerms(sql, owner, [...new Set(terms)]));
  const termsOf = ({ form }: TagToken) =>
    active.map(({ term_id }) => term_id)
      .filter((id) => named.some((name) => name.term_id === id && name.form === form));
  const found = tokens.filter((token) => termsOf(token).length > 0);
  return { q: withoutTokens(q, found), tags: found.map(termsOf) };
}

type NamedTerm = TagName & { readonly form: string };

/** The names and aliases that have the words of a token. */
async function findNamed(
  database: Database,
  owner: string,
  tokens: readonly TagToken[],
): Promise<readonly NamedTerm[]> {
  const wanted = new Set(tokens.map(({ form }) => form));
  const found: NamedTerm[] = [];
  let names: readonly TagName[];
  let after = "";
  do {
    names = await database.read((sql) => readTagNames(sql, owner, after, BUDGET));
    for (const name of names) {
      const form = wholeOrderForm(name.spelling);
      if (wanted.has(form)) found.push({ ...name, form });
      after = name.compared;
    }
  } while (names.length === BUDGET);
  return found;
}
