import { lockAccountExclusively } from "../../accounts/account_store.ts";
import { type Attachment, MAX_ATTACHMENT_BYTES } from "../../attachments/attachment.ts";
import { CREATE_COMMAND, createAttachment } from "../../attachments/create.ts";
import type { ObjectStore } from "../../attachments/object_store.ts";
import { CATALOG } from "../../catalog/catalog.ts";
import type { CatalogModule } from "../../catalog/module.ts";
import type { CommandResult, PlannedWrite } from "../../command/command.ts";
import { OperatorError } from "../../errors/operator_error.ts";
import { createRoot } from "../../kit/write.ts";
import { hasProfile } from "../../families/identity/port.ts";
import { decideCreate } from "../../families/memory/memory_rules.ts";
import { TEXT_BODY } from "../../families/memory/memory_schema.ts";
import { memoriesFrom } from "../../families/memory/memory_store.ts";
import { requireGenericWrite } from "../../records/module_access.ts";
import type { PublicRecord, RecordRow } from "../../records/record.ts";
import {
  checkModify,
  decideModify,
  decideMove,
  type NextRecord,
} from "../../records/record_rules.ts";
import { MODIFY_BODY } from "../../records/record_schema.ts";
import { hasRecords } from "../../records/seeded.ts";
import { changeRecord } from "../../records/record_store.ts";
import { readBody } from "../../validate/schema.ts";
import { seedDecision } from "./decisions.ts";
import { DEMO_DECISIONS } from "./demo/samples.ts";
import { DEMO_FILES } from "./demo/samples.ts";
import { DEMO_IDENTITY } from "./demo/samples.ts";
import { DEMO_MEMORIES } from "./demo/samples.ts";
import { DEMO_PEOPLE } from "./demo/samples.ts";
import { DEMO_RECORDS } from "./demo/samples.ts";
import { DEMO_RESOURCES } from "./demo/samples.ts";
import { DEMO_TAXONOMY } from "./demo/samples.ts";
import { seedIdentity } from "./identity.ts";
import { seedPerson } from "./people.ts";
import { seedResource } from "./resources.ts";
import { seedTaxonomy } from "./taxonomy.ts";
import {
  type Life,
  lifeAt,
  type SampleFile,
  type SampleMemory,
  type SampleRecord,
} from "./sample.ts";
import {
  beginSeeding,
  countSeeded,
  seedCommand,
  type Seeded,
  type Seeding,
  seedRecord,
  type SeedServices,
} from "./seeding.ts";

/**
 * Adds a sample life for an owner without records and profile: records of every generic module,
 * with revisions and archived ones, files, memories, decisions, resources, people, an identity
 * without a publication, and tags and categories. Continues an interrupted run.
 *
 * @throws OperatorError if the owner has records or a profile; errors of `beginSeeding` and the
 *   command runner.
 */
export async function seedDemo(services: SeedServices, email: string): Promise<Seeded> {
  const seeding = await beginSeeding(services, "seed.demo", email);
  await requireEmptyOwner(seeding);
  const seeded: Seeded = { made: 0, present: 0 };
  const ids = new Map<string, string>();
  const life = lifeAt(seeding.clock(), ids);
  await using opened = new AsyncDisposableStack();
  const objects = opened.adopt(await services.openObjects(), (store) => store.close());
  for (const file of DEMO_FILES) {
    const kept = await seedFile(seeding, objects, file);
    ids.set(file.filename, kept.result.attachmentId);
    countSeeded(seeded, kept);
  }
  for (const record of DEMO_RECORDS) {
    const made = await seedSample(seeding, life, record);
    ids.set(`${record.moduleCode}/${record.title}`, made.result.recordId);
    countSeeded(seeded, made);
  }
  for (const memory of DEMO_MEMORIES) countSeeded(seeded, await seedMemory(seeding, life, memory));
  for (const decision of DEMO_DECISIONS) {
    for await (const made of seedDecision(seeding, life, decision)) countSeeded(seeded, made);
  }
  for (const resource of DEMO_RESOURCES) {
    for await (const made of seedResource(seeding, life, resource)) countSeeded(seeded, made);
  }
  for (const person of DEMO_PEOPLE) {
    for await (const made of seedPerson(seeding, life, person)) countSeeded(seeded, made);
  }
  for await (const made of seedIdentity(seeding, life, ids, DEMO_IDENTITY)) {
    countSeeded(seeded, made);
  }
  for await (const made of seedTaxonomy(seeding, life, ids, DEMO_TAXONOMY)) {
    countSeeded(seeded, made);
  }
  return seeded;
}

/** Marks an owner without records and profile. A later run finds the mark and continues. */
async function requireEmptyOwner(seeding: Seeding): Promise<void> {
  const owner = seeding.caller.account.accountId;
  const command = seedCommand(seeding, "begin", { moduleCode: null, policy: "seed" });
  await seeding.commands.run(command, {
    decide: (): PlannedWrite<null> => ({
      subjectId: owner,
      revision: null,
      result: null,
      async verify(sql) {
        // Waits for running writes, then sees them.
        await lockAccountExclusively(sql, owner);
        // A profile has no record as projection.
        if (await hasRecords(sql, owner) || await hasProfile(sql, owner)) {
          throw new OperatorError(
            "The account already has records or a profile: a sample life would mix with them",
          );
        }
      },
      statement: (sql, ledger) =>
        sql`with ${ledger.claim}, ${ledger.ctes} select verdict, envelope from claim`,
    }),
    replay: () => Promise.resolve(null),
  });
}

async function seedFile(
  seeding: Seeding,
  objects: ObjectStore,
  file: SampleFile,
): Promise<CommandResult<Attachment>> {
  const { filename, mediaType, text } = file;
  const owner = seeding.caller.account.accountId;
  const received = await objects.receive(owner, new Blob([text]).stream(), MAX_ATTACHMENT_BYTES);
  try {
    const command = seedCommand(seeding, `attachment/${filename}`, {
      ...CREATE_COMMAND,
      operation: "attachment.create",
    });
    const head = { filename, mediaType, expectedSha256: null };
    return await createAttachment(seeding, command, received, head);
  } finally {
    await received.discard();
  }
}

async function seedSample(
  seeding: Seeding,
  life: Life,
  record: SampleRecord,
): Promise<CommandResult<PublicRecord>> {
  const { moduleCode, title, summary, changes = [] } = record;
  const made = await seedRecord(seeding, moduleCode, {
    title,
    ...(summary !== undefined && { summary }),
    payload: life.fill(record.payload),
  });
  const { recordId } = made.result;
  for (const [index, { payload, ...change }] of changes.entries()) {
    const body = readBody(MODIFY_BODY, { ...change, payload: life.fill(payload) });
    await changeSample(seeding, record, recordId, {
      operation: "record.modify",
      step: `revision ${index + 2}`,
      check: (module, now) => checkModify(module, body, { now, recordId }),
      decide: (module, root, now) => decideModify(CATALOG, module, root, body, now),
    });
  }
  if (record.archived) {
    await changeSample(seeding, record, recordId, {
      operation: "record.archive",
      step: "archive",
      check: () => {},
      decide: (module, root, now) => decideMove(CATALOG, module, root, "ARCHIVED", undefined, now),
    });
  }
  return made;
}

/** `name` is unique among the steps. */
interface SampleStep {
  readonly operation: "record.modify" | "record.archive";
  readonly step: string;
  readonly check: (module: CatalogModule, now: Date) => void;
  readonly decide: (module: CatalogModule, root: RecordRow | null, now: Date) => NextRecord;
}

async function changeSample(
  seeding: Seeding,
  { moduleCode, title }: SampleRecord,
  recordId: string,
  { operation, step, check, decide }: SampleStep,
): Promise<void> {
  const module = requireGenericWrite(CATALOG, moduleCode, operation, "changeCode");
  const command = seedCommand(seeding, `${moduleCode}/${title}/${step}`, {
    operation,
    moduleCode,
    policy: "record",
    target: recordId,
  });
  await changeRecord(seeding, command, {
    check: () => check(module, command.now),
    decide: (root) => decide(module, root, command.now),
  });
}

async function seedMemory(
  seeding: Seeding,
  life: Life,
  memory: SampleMemory,
): Promise<CommandResult<unknown>> {
  const sent = life.fill(memory);
  const command = seedCommand(seeding, `memory/${sent.title}`, {
    operation: "memory.create",
    moduleCode: "memory",
    policy: "memory",
  });
  const body = readBody(TEXT_BODY, sent);
  return await createRoot(seeding, memoriesFrom("SEED"), command, {
    decide: () => decideCreate(body, command.now),
  });
}
