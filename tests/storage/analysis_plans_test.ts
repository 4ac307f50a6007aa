/** The statements about analyses and the calibration, explained as the application sends them. */

import { assert, assertEquals } from "@std/assert";
import { createWorld, type Person, personOf } from "../support/world.ts";
import { assertSeeks, assertWalks, plansOf } from "./plans.ts";
import { createRecordingDatabase } from "./recording.ts";

const COUNT = 500;
const ONE = "01KA" + "7".padStart(22, "0");
const DECISION = "/api/v2/decision/decisions/" + ONE;

/** A decision, and below it as many analyses, predictions and outcomes, each at its first revision. */
function decisionsOf({ accountId }: Person): string {
  const ids = (prefix: string) => `'${prefix}' || lpad(i::text, 22, '0')`;
  const each = `from generate_series(1, ${COUNT}) i`;
  const own = "owner_id, revision, revision_id, created_at, updated_at";
  const stepped = (columns: string) => `${columns}, revision, revision_id, change, created_at`;
  const content = "decision_revision, criteria, scores, totals, ranking";
  return `
    insert into records (owner_id, record_id, module_code, revision, revision_id, source_type,
                         recorded_at, created_at, updated_at, title, summary, payload)
      values ('${accountId}', '${ONE}', 'decision', 1, '${ONE}', 'SEED', now(), now(), now(), 'A', '',
              '{}');
    insert into record_revisions (owner_id, record_id, module_code, revision, revision_id, change,
                                  title, summary, payload, created_at)
      select owner_id, record_id, module_code, revision, revision_id, 'CREATED', title, summary,
             payload, updated_at from records where owner_id = '${accountId}';
    insert into decisions (${own}, decision_id, question, options)
      select ${own}, record_id, 'A', '{"items":["A","B"]}' from records
       where owner_id = '${accountId}';
    insert into decision_revisions (${stepped("owner_id, decision_id")}, question, options)
      select owner_id, decision_id, 1, revision_id, 'CREATED', updated_at, question, options
        from decisions where owner_id = '${accountId}';
    insert into decision_analyses (${own}, analysis_id, decision_id, ${content})
      select '${accountId}', 1, ${ids("01MA")}, now(), now(), ${
    ids("01KA")
  }, '${ONE}', 1, '[1]', '{}',
             '[]', '[]' ${each};
    insert into decision_analysis_revisions (${stepped("owner_id, analysis_id")}, ${content})
      select owner_id, analysis_id, 1, revision_id, 'CREATED', updated_at, ${content}
        from decision_analyses where owner_id = '${accountId}';
    insert into decision_predictions (${own}, prediction_id, decision_id, statement, probability,
                                      due_at)
      select '${accountId}', 1, ${ids("01MA")}, now(), now(), ${ids("01KA")}, '${ONE}', 'A',
             i / ${COUNT}.0, now() ${each};
    insert into decision_prediction_revisions (${stepped("owner_id, prediction_id")}, statement,
                                               probability, due_at)
      select owner_id, prediction_id, 1, revision_id, 'CREATED', updated_at, statement, probability,
             due_at from decision_predictions where owner_id = '${accountId}';
    insert into decision_outcomes (${own}, outcome_id, decision_id, prediction_id,
                                   prediction_revision, occurred, description, observed_at)
      select '${accountId}', 1, ${ids("01MA")}, now(), now(), ${ids("01KA")}, '${ONE}',
             ${ids("01KA")}, 1, i % 2 = 0, 'A', now() ${each};
    insert into decision_outcome_revisions (${stepped("owner_id, outcome_id")}, occurred,
                                            description, observed_at)
      select owner_id, outcome_id, 1, revision_id, 'CREATED', updated_at, occurred, description,
             observed_at from decision_outcomes where owner_id = '${accountId}';`;
}

Deno.test("Analyses are listed and read by index, and the calibration reads its owner's rows alone", async () => {
  await using world = await createWorld();
  const [owner, other] = [await world.person(), await world.person()];
  await world.raw(`${decisionsOf(owner)} ${decisionsOf(other)} analyze`);
  const recording = createRecordingDatabase(world.database);
  const person = personOf(world.again({ database: recording.database }), owner);
  const paths = [
    `${DECISION}/analyses`,
    `${DECISION}/analyses?cursor=${ONE}`,
    `${DECISION}/analyses/${ONE}`,
    `${DECISION}/analyses/${ONE}?revision=1`,
    `${DECISION}/analyses/${ONE}/revisions`,
    "/api/v2/decision/calibration",
  ];
  for (const path of paths) {
    const sent = await recording.during(async () => {
      const response = await person.call("GET", path);
      assertEquals(response.status, 200, `${path}: ${response.text}`);
    });
    const reads = sent.filter(({ text }) => /\bdecision/.test(text));
    assert(reads.length >= 1, path);
    for (const statement of reads) {
      for (const plan of await plansOf(world, statement)) {
        // Whatever the calibration reads it may sort: it comes to ten rows.
        if (path.endsWith("calibration")) assertSeeks(plan, statement.text);
        else assertWalks(plan, statement.text);
      }
    }
  }
});
