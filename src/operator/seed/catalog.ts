import { listSeeded } from "../../records/seeded.ts";
import { QUESTION_BANK } from "./question_bank.ts";
import {
  beginSeeding,
  countSeeded,
  type Seeded,
  type Seeding,
  seedRecord,
  type SeedServices,
} from "./seeding.ts";
import { seedStarterTaxonomy } from "./starter.ts";

/**
 * Adds the question bank (INT-001) as records of the interview module, and the starter taxonomy.
 * Does not add an item again, even if the owner has rewritten, archived or renamed it.
 *
 * @throws OperatorError, ServiceError as `beginSeeding` and the command runner.
 */
export async function seedCatalog(services: SeedServices, email: string): Promise<Seeded> {
  const seeding = await beginSeeding(services, "seed.catalog", email);
  const seeded: Seeded = { made: 0, present: 0 };
  await seedQuestions(seeding, seeded);
  await seedStarterTaxonomy(seeding, seeded);
  return seeded;
}

async function seedQuestions(seeding: Seeding, seeded: Seeded): Promise<void> {
  const owner = seeding.caller.account.accountId;
  // Retention may have removed envelopes of an earlier run, but never its records.
  const given = await seeding.database.read((sql) => listSeeded(sql, owner, "interview"));
  const missing = QUESTION_BANK.filter(({ title }) => !given.has(title));
  seeded.present += QUESTION_BANK.length - missing.length;
  for (const { title, theory, priority, question, followUp } of missing) {
    const payload = {
      question,
      theorySource: theory,
      priorityScore: priority,
      followUp,
      interviewStatus: "CANDIDATE",
    };
    countSeeded(seeded, await seedRecord(seeding, "interview", { title, payload }));
  }
}
