/** Two workers on many proposals in one PostgreSQL, killed at random. */

import { assert, assertEquals } from "@std/assert";
import { MAX_BATCH } from "../../../src/families/relationship/evaluation_work.ts";
import { propose } from "./evaluation.ts";
import { createPerson } from "./api.ts";
import { createInstallation, type Installation } from "../../support/installation.ts";
import { completion, serveProvider } from "../../support/provider_server.ts";
import { seededRandom } from "../../support/random.ts";
import { type ServerProcess, startServer } from "../../support/server_process.ts";
import { waitUntil } from "../../support/wait.ts";
import { type Caller, callerOf } from "../../support/world.ts";

/** Exactly one of each per proposal, with the stored results. */
const RESULTS = `
  select desired_contact_interval_days as days, p.state, p.candidate, p.attempts,
         (select count(*)::int from person_proposal_events e
           where e.proposal_id = p.proposal_id and e.to_state = 'READY') as events,
         (select count(*)::int from executions x
           where x.record_id = p.person_id and x.feature_id = 'REL-005'
             and x.output::json->>'proposalId' = p.proposal_id) as executions,
         (select count(*)::int from audit_entries a
           where a.subject_id = p.proposal_id and a.operation = 'relationship.proposal.ready'
             and a.credential_kind = 'SYSTEM') as audits
    from person_proposals p join people using (owner_id, person_id) order by days`;

/** Numbers of proposals and kills; each kill is within a claim. */
export interface Crowd {
  readonly proposals: number;
  readonly kills: number;
}

/** Compares stored results with the provider's answers. */
export async function killWorkers({ proposals, kills }: Crowd): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const random = seededRandom(1_126);
  const said = new Map<number, string[]>();
  // From each kill's share on answers are delayed, so that both workers hold leases.
  const shareOf = (kill: number) => Math.floor(proposals * kill / (kills + 1));
  let [answered, allowed, held] = [0, shareOf(1), 0];
  let release = Promise.withResolvers<void>();
  const provider = opened.use(serveProvider(async ({ body }) => {
    const days = JSON.parse(JSON.parse(body).messages[1].content).desiredContactIntervalDays;
    const candidates = said.get(days) ?? [];
    candidates.push(`Of ${days}, said ${candidates.length + 1}`);
    said.set(days, candidates);
    await new Promise((resolve) => setTimeout(resolve, random.integer(0, 20)));
    held++;
    while (answered >= allowed) await release.promise;
    held--;
    answered++;
    return new Response(completion(candidates.at(-1)));
  }));
  const place = opened.use(await createInstallation());
  await requestAll(place, proposals);

  const env = {
    ...place.env,
    RELATIONSHIP_EVALUATION_WORKER_ENABLED: "true",
    EVALUATION_PROVIDER_URL: provider.url,
    EVALUATION_PROVIDER_MODEL: "sober-1",
  };
  const start = async () => opened.use(await startServer(env));
  const workers = await Promise.all([start(), start()]);
  for (let kill = 1; kill <= kills; kill++) {
    // More than one batch.
    await waitUntil("each worker is within a claim", () => held > MAX_BATCH);
    const index = random.integer(0, 1);
    await killOne(workers[index]);
    allowed = kill === kills ? Infinity : shareOf(kill + 1);
    release.resolve();
    release = Promise.withResolvers();
    // Expires all leases: the running worker's results come late too.
    await place.raw("update person_proposals set claimable_at = now() where lease_id is not null");
    workers[index] = await start();
  }
  // Each look opens a connection.
  const isReady = async () => await countReady(place) === proposals;
  await waitUntil("all are ready", isReady, { pollMs: 200 });

  const results = await place.rows(RESULTS);
  assertEquals(results.length, proposals);
  for (const { days, candidate, attempts, ...result } of results) {
    assertEquals(result, { state: "READY", events: 1, executions: 1, audits: 1 }, `${days}`);
    assert(said.get(days)?.includes(candidate), `${days}: ${candidate}`);
    assert(attempts >= 1 && attempts <= 5);
  }
  // More requests than results: leases were taken over.
  assert(provider.requests.length > proposals, "No claim was cut off");
  assert(results.some(({ attempts }) => attempts > 1), "No claim was taken over");
}

async function killOne(worker: ServerProcess | undefined): Promise<void> {
  worker?.kill("SIGKILL");
  assertEquals((await worker?.ended)?.signal, "SIGKILL");
}

async function countReady(place: Installation): Promise<number> {
  const [row] = await place.rows(`
    select count(*)::int as count from person_proposals where state = 'READY'`);
  return row.count;
}

/** Through a process without a worker. */
async function requestAll(place: Installation, proposals: number): Promise<void> {
  const owner = await place.settle();
  await using server = await place.serve();
  const caller = callerOf(server.app, owner);
  let next = 1;
  const request = async (owner: Caller) => {
    while (next <= proposals) {
      const known = await createPerson(owner, { desiredContactIntervalDays: next++ });
      await propose(owner, known);
    }
  };
  await Promise.all(Array.from({ length: 8 }, () => request(caller)));
}
