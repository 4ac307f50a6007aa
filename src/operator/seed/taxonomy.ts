import { CATALOG } from "../../catalog/catalog.ts";
import type { CommandResult } from "../../command/command.ts";
import { changeRoot } from "../../kit/write.ts";
import { requireReadableModule } from "../../records/port.ts";
import { assign } from "../../families/taxonomy/assignment_routes.ts";
import { decideDeactivate, decideRename } from "../../families/taxonomy/term_rules.ts";
import { namingOptions, type TagTypes, withNames } from "../../families/taxonomy/term_store.ts";
import type { Life, SampleTag, SampleTaxonomy } from "./sample.ts";
import type { Seeding } from "./seeding.ts";
import { type SeededRoot, stepCommand } from "./steps.ts";
import { seedCategory, SEEDED_TAGS, seedTag } from "./terms.ts";

/**
 * Creates the terms with assignments and later revisions; yields each creation's outcome.
 *
 * @param ids Receives the identifiers of the categories, which their children name.
 */
export async function* seedTaxonomy(
  seeding: Seeding,
  life: Life,
  ids: Map<string, string>,
  { tags, categories }: SampleTaxonomy,
): AsyncGenerator<CommandResult<unknown>, void, void> {
  for (const sample of tags) {
    const { name, term, records = [] } = sample;
    const made = await seedTag(seeding, { ...term, name });
    yield made;
    for (const record of records) yield await carry(seeding, life, `tag ${name}`, made.id, record);
    const root = SEEDED_TAGS;
    await changeTag({ seeding, root, name: `tag ${name}`, key: { tagId: made.id } }, sample);
  }
  for (const { name, term, parent, records = [] } of categories) {
    const below = parent === undefined ? {} : { parentId: life.id(`category/${parent}`) };
    const made = await seedCategory(seeding, { ...term, ...below, name });
    ids.set(`category/${name}`, made.id);
    yield made;
    for (const record of records) {
      yield await carry(seeding, life, `category ${name}`, made.id, record);
    }
  }
}

async function carry(
  seeding: Seeding,
  life: Life,
  term: string,
  termId: string,
  record: string,
): Promise<CommandResult<unknown>> {
  const about = { module: "taxonomy", policy: "taxonomy-assignment" };
  const name = `${term}/${record}`;
  const command = stepCommand({ seeding, name }, about, "", "assignment.create");
  const [moduleCode = ""] = record.split("/");
  const module = requireReadableModule(CATALOG, moduleCode, seeding.caller);
  const body = { termId, moduleCode, recordId: life.id(record) };
  return await assign({ ...seeding, catalog: CATALOG }, command, module, body);
}

/** Renames a tag, which keeps its former name as an alias, then deactivates it. */
async function changeTag(
  tag: SeededRoot<TagTypes>,
  { renamed, deactivated }: SampleTag,
): Promise<void> {
  const { seeding, root, key } = tag;
  const change = { key, expectedRevision: undefined };
  if (renamed !== undefined) {
    const command = stepCommand(tag, root, "/rename", "tag.rename");
    const { now, caller: { account: { accountId: owner } } } = command;
    const body = { name: renamed, keepAlias: true };
    await changeRoot(seeding, root, command, {
      ...change,
      decide: (row) => withNames(owner, row, decideRename(row, body, now)),
      options: namingOptions("TAG"),
    });
  }
  if (deactivated) {
    const command = stepCommand(tag, root, "/deactivate", "tag.deactivate");
    const decide = (row: TagTypes["row"]) => decideDeactivate(row, false, command.now);
    await changeRoot(seeding, root, command, { ...change, decide });
  }
}
