/** REL-005: visibility of proposals and evaluations. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { fileWorld } from "../support/world.ts";
import {
  ANSWER,
  blindProposer,
  confirm,
  confirmationProof,
  proposalPath,
  propose,
  readied,
  ready,
  readyProposal,
  reject,
  requestProposal,
  shown,
} from "../families/relationship/evaluation.ts";
import { assertFailure, walkPages } from "./kernel.ts";
import {
  control,
  createPerson,
  evidence,
  personPath,
  withoutSecrets,
} from "../families/relationship/api.ts";

const world = fileWorld();

Deno.test("A proposal's input is hidden without access to secrets", async () => {
  const caller = await world().createCaller();
  const blind = await withoutSecrets(world(), caller);
  const known = await createPerson(caller);
  const secret = { privacy: "SECRET", providerConsent: true };
  await evidence(caller, known, { ...secret, providerConsent: false });
  const open = await readyProposal(world(), caller, known);
  assertEquals((await shown(blind, open)).candidate, ANSWER.candidate);
  await reject(caller, open);
  await evidence(caller, known, secret);
  const proposal = await propose(caller, known);
  const hiddenCandidate = { ...proposal, redacted: true };
  assertEquals(await shown(blind, proposal), hiddenCandidate);
  await ready(world(), proposal);
  await confirm(world(), caller, proposal);
  const { state, candidate, redacted } = await shown(blind, proposal);
  assertEquals([state, candidate, redacted], ["CONFIRMED", null, true]);
  const listed = (await walkPages(blind, personPath(known, "/proposals"))).flat();
  assertEquals(
    Object.fromEntries(listed.map((each) => [each.proposalId, [each.candidate, each.redacted]])),
    { [open.proposalId]: [ANSWER.candidate, undefined], [proposal.proposalId]: [null, true] },
  );
  const [seen] = (await walkPages(caller, personPath(known, "/evaluations"))).flat();
  const hidden = { ...seen, text: null, redacted: true };
  assertEquals((await walkPages(blind, personPath(known, "/evaluations"))).flat(), [hidden]);
  const path = personPath(known, `/evaluations/${seen.evaluationId}`);
  assertEquals((await blind.call("GET", path)).body.data, hidden);
});

Deno.test("A candidate is hidden once one of its entries becomes SECRET", async () => {
  const caller = await world().createCaller();
  const blind = await blindProposer(world(), caller);
  const known = await createPerson(caller);
  const entry = await evidence(caller, known, { privacy: "PRIVATE", providerConsent: true });
  const proposal = await readyProposal(world(), caller, known, true);
  const key = ulid();
  const rejected = await reject(blind, proposal, {}, key);
  assertEquals(rejected.body.data.candidate, ANSWER.candidate);
  await control(caller, entry, { kind: "PRIVACY_RECLASSIFIED", privacy: "SECRET" });
  const again = await reject(blind, proposal, {}, key);
  for (const each of [await shown(blind, proposal), again.body.data]) {
    assertEquals(each, { ...rejected.body.data, candidate: null, redacted: true });
  }
  assertEquals((await shown(caller, proposal)).candidate, ANSWER.candidate);
});

Deno.test("Another owner's proposals can be neither read nor decided", async () => {
  const { known, proposal } = await readied(world());
  const stranger = await world().createCaller();
  const evaluated = await createPerson(stranger);
  const paths = ["", "/events"].map((below) => proposalPath(proposal, below));
  const elsewhere = { ...proposal, personId: evaluated.personId };
  for (
    const path of [
      ...paths,
      personPath(known, "/proposals"),
      personPath(known, "/evaluations"),
      proposalPath(elsewhere),
      proposalPath(elsewhere, "/events"),
    ]
  ) {
    assertFailure(await stranger.call("GET", path), "RECORD_NOT_FOUND", path);
  }
  for (const each of [proposal, elsewhere]) {
    const headers = await confirmationProof(world(), stranger);
    assertFailure(await confirm(world(), stranger, each, { headers }), "RECORD_NOT_FOUND");
    assertFailure(await reject(stranger, each), "RECORD_NOT_FOUND");
  }
  assertFailure(await requestProposal(stranger, known), "RECORD_NOT_FOUND");
});
