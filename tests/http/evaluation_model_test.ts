/**
 * Random commands of owners and workers, predicted by `evaluation_model.ts`: states, attempts,
 * provider input, visibility.
 */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { LeasedProposal } from "../../src/families/relationship/lease_store.ts";
import {
  completeProposal,
  extendLease,
  failAttempt,
  giveBack,
  leaseProposals,
  readInput,
} from "../../src/families/relationship/evaluation_work.ts";
import { type Game, type ModelRun, playModel } from "../support/play_model.ts";
import type { Caller, Json, TestResponse } from "../support/world.ts";
import {
  ANSWER,
  blindProposer,
  confirmationProof,
  proposalPath,
  workerOf,
} from "../families/relationship/evaluation.ts";
import {
  claimable,
  claimed,
  type Command,
  inputOf,
  isHidden,
  type ModelPerson,
  type ModelProposal,
  newModel,
  perform,
  randomCommand,
  READY_SECONDS,
  stateAt,
  type Work,
  work,
} from "../families/relationship/evaluation_model.ts";
import { assertFailure, walkPages } from "./kernel.ts";
import { patch } from "../families/decision/api.ts";
import { createPerson, EVIDENCE, personPath } from "../families/relationship/api.ts";

Deno.test("Proposals match their model under random commands of owners and workers", async () => {
  const met = await playModel({ runs: 2, steps: 100, begin: Run.begin });
  assertEquals(EXPECTED.filter((each) => !met.has(each)), []);
});

/** Must occur in the runs. */
const EXPECTED = [
  ..."propose confirm reject patch move evidence retract reclassify".split(" "),
  ..."RELATIONSHIP_PROPOSAL_CONFLICT RELATIONSHIP_PROPOSAL_STALE".split(" "),
  ..."REVISION_CONFLICT RELATIONSHIP_STATUS_CONFLICT".split(" "),
  ..."exhausted, taken over, ask input, ask LOST".split(", "),
  ..."answer READY, answer STALE, answer LOST, extend true, extend false".split(", "),
  ..."fail null, give back null, expired, hidden".split(", "),
];

const WORKS: readonly Work[] = [
  "ask",
  "ask",
  "ask",
  "answer",
  "fail",
  "fail",
  "give back",
  "extend",
  "extend",
];

/** A person, its owner, and a reader without access to secrets. */
interface Known {
  readonly caller: Caller;
  readonly blind: Caller;
  readonly model: ModelPerson;
}

/** A claim that a worker may have lost. */
interface Held {
  readonly claimed: LeasedProposal;
  readonly known: Known;
  readonly proposal: ModelProposal;
}

class Run implements ModelRun {
  readonly #game: Game;
  readonly #known: readonly Known[];
  readonly #held: Held[] = [];
  #label = "";
  #steps = 0;

  private constructor(game: Game, known: readonly Known[]) {
    this.#game = game;
    this.#known = known;
  }

  static async begin(game: Game): Promise<Run> {
    const known: Known[] = [];
    for (const _owner of ["one", "other"]) {
      const caller = await game.world.createCaller();
      const { personId } = await createPerson(caller);
      const blind = await blindProposer(game.world, caller);
      known.push({ caller, blind, model: newModel(personId) });
    }
    return new Run(game, known);
  }

  async step(label: string): Promise<void> {
    const { world, random } = this.#game;
    this.#label = label;
    world.advance(random.pick([1, 1, 1, 1_000, 31_000, 61_000, 250_000, 1_800_000]));
    const known = random.pick(this.#known);
    const waiting = claimable(this.#known.map(({ model }) => model), this.#now).length > 0;
    if (random.chance(waiting ? 0.5 : 0.05)) {
      await this.#claim();
      // Otherwise few would be ready before their sources change.
      if (waiting && random.chance(0.5)) await this.#work("answer");
    } else if (this.#held.length > 0 && random.chance(0.3)) {
      await this.#work(random.pick(WORKS));
    } else await this.#send(known);
    this.#steps++;
    if (this.#steps % 2 === 0) await this.#assertShown(known);
  }

  /** Seals the people, so that the next run claims nothing of theirs. */
  async finish(): Promise<void> {
    for (const { caller, model } of this.#known) {
      if (model.status === "SEALED") continue;
      const body = { status: "SEALED", expectedRevision: model.revision };
      const path = personPath({ personId: model.id }, "/status");
      await caller.call("POST", path, { key: ulid(), body });
    }
  }

  get #now(): number {
    return this.#game.world.now().getTime();
  }

  async #send(known: Known): Promise<void> {
    const command = randomCommand(known.model, this.#game.random);
    this.#label += ` ${JSON.stringify(command)}`;
    const path = (below = "") => personPath({ personId: known.model.id }, below);
    const response = await this.#request(known, command, path);
    const expected = perform(known.model, command, this.#now);
    this.#game.met.add(expected ?? command.kind);
    if (expected !== null) return void assertFailure(response, expected as never, this.#label);
    assert(response.status < 300, `${this.#label} ${response.text}`);
    const { proposalId, evidenceId } = response.body.data;
    if (command.kind === "propose") there(known.model.proposals.at(-1)).id = proposalId;
    if (command.kind === "evidence") there(known.model.evidence.at(-1)).id = evidenceId;
  }

  async #request(
    { caller, model }: Known,
    command: Command,
    path: (below?: string) => string,
  ): Promise<TestResponse> {
    const { revision: expectedRevision } = model;
    const post = (below: string, body: Json, headers = {}) =>
      caller.call("POST", path(below), { key: ulid(), body, headers });
    const proposal = (index: number) => `/proposals/${model.proposals[index]?.id}`;
    const entry = (index: number) => `/evidence/${model.evidence[index]?.id}/control`;
    switch (command.kind) {
      case "propose":
        return await post("/proposals", { providerConsent: command.consent });
      case "confirm": {
        const headers = command.proven ? await confirmationProof(this.#game.world, caller) : {};
        const body = { expectedRevision: command.revision };
        return await post(`${proposal(command.proposal)}/confirm`, body, headers);
      }
      case "reject":
        return await post(`${proposal(command.proposal)}/reject`, {});
      case "patch":
        return await patch(caller, path(), { expectedRevision, set: { opinion: command.opinion } });
      case "move":
        return command.to === "archive" || command.to === "restore"
          ? await post(`/${command.to}`, { expectedRevision })
          : await post("/status", { status: command.to, expectedRevision });
      case "evidence": {
        const { stance, level: privacy, consent: providerConsent } = command;
        const content = `word ${model.id} ${model.evidence.length}`;
        const kind = { sourceKind: "OTHER", stance };
        return await post("/evidence", { ...EVIDENCE, ...kind, content, privacy, providerConsent });
      }
      case "retract":
        return await post(entry(command.entry), { kind: "RETRACTED" });
      case "reclassify":
        return await post(entry(command.entry), {
          kind: "PRIVACY_RECLASSIFIED",
          privacy: "SECRET",
        });
    }
  }

  async #claim(): Promise<void> {
    const expected = claimable(this.#known.map(({ model }) => model), this.#now);
    const batch = await leaseProposals(this.#game.world.database, this.#game.world.now());
    assertEquals(
      batch.map(({ proposalId }) => proposalId).sort(),
      expected.map(({ id }) => id).sort(),
      this.#label,
    );
    for (const each of batch) {
      const known = there(this.#known.find(({ model }) => model.id === each.personId));
      const proposal = there(known.model.proposals.find(({ id }) => id === each.proposalId));
      if (proposal.lease !== null) this.#game.met.add("taken over");
      claimed(proposal, each.leaseId, this.#now);
      assertEquals([each.attempts, each.providerConsent, each.owner], [
        proposal.attempts,
        proposal.consent,
        known.caller.accountId,
      ]);
      this.#held.push({ claimed: each, known, proposal });
    }
  }

  async #work(kind: Work): Promise<void> {
    const held = this.#game.random.pick(
      this.#game.random.chance(0.8) ? this.#held.slice(-1) : this.#held,
    );
    this.#label += ` ${kind}`;
    const now = this.#game.world.now();
    const input = inputOf(held.known.model, held.proposal.consent);
    const told = await this.#carryOut(held.claimed, kind, now);
    const { known: { model }, proposal, claimed: { leaseId } } = held;
    const expected = work(model, proposal, leaseId, kind, now.getTime());
    if (expected === "input") assertEquals(told, input, this.#label);
    else assertEquals(told, expected, this.#label);
    this.#game.met.add(`${kind} ${expected}`);
  }

  async #carryOut(claimed: LeasedProposal, kind: Work, now: Date): Promise<unknown> {
    const { database } = this.#game.world;
    const worker = workerOf(this.#game.world);
    switch (kind) {
      case "ask":
        return await readInput(worker, claimed, now);
      case "answer":
        return await completeProposal(worker, claimed, ANSWER, {
          now,
          readySeconds: READY_SECONDS,
        });
      case "fail":
        await failAttempt(database, claimed, now);
        return null;
      case "give back":
        await giveBack(database, claimed, now);
        return null;
      case "extend":
        return await extendLease(database, claimed, now);
    }
  }

  async #assertShown({ caller, blind, model }: Known): Promise<void> {
    const seesSecrets = this.#game.random.chance(0.5);
    const reader = seesSecrets ? caller : blind;
    const all = async (below: string) =>
      (await walkPages(reader, personPath({ personId: model.id }, below), { limit: "7" })).flat();
    const byId = new Map((await all("/proposals")).map((each) => [each.proposalId, each]));
    assertEquals(byId.size, model.proposals.length, this.#label);
    for (const proposal of model.proposals) {
      const state = stateAt(model, proposal, this.#now);
      const hidden = isHidden(proposal) && !seesSecrets;
      if (hidden) this.#game.met.add("hidden");
      if (state !== proposal.state) this.#game.met.add("expired");
      if (proposal.attempts === 5 && proposal.lease === null) this.#game.met.add("exhausted");
      const wasReady = proposal.states.includes("READY");
      const shown = byId.get(proposal.id);
      assertEquals(
        [shown.state, shown.attempts, shown.sourceRevision, shown.evaluationRevision],
        [state, proposal.attempts, proposal.revision, proposal.evaluation],
        this.#label,
      );
      assertEquals(
        [shown.candidate, shown.redacted, shown.provider],
        hidden
          ? [null, true, wasReady ? "http" : null]
          : wasReady
          ? [ANSWER.candidate, undefined, "http"]
          : [null, undefined, null],
        this.#label,
      );
    }
    const latest = model.proposals.at(-1);
    if (latest !== undefined) {
      const path = proposalPath({ personId: model.id, proposalId: latest.id }, "/events");
      const { body: { data: { items } } } = await reader.call("GET", path);
      const states = items.map(({ toState }: Json) => toState).reverse();
      assertEquals(states, latest.states, this.#label);
    }
    const confirmed = model.proposals.filter(({ evaluation }) => evaluation !== null);
    const evaluations = await all("/evaluations");
    assertEquals(
      evaluations.map((each) => [each.evaluationRevision, each.proposalId, each.text]),
      confirmed.toReversed().map((each) => [
        each.evaluation,
        each.id,
        isHidden(each) && !seesSecrets ? null : ANSWER.candidate,
      ]),
      this.#label,
    );
    const { body: { data } } = await caller.call("GET", personPath({ personId: model.id }));
    assertEquals(
      [data.revision, data.currentEvaluationRevision, data.status],
      [model.revision, model.evaluations === 0 ? null : model.evaluations, model.status],
      this.#label,
    );
  }
}

function there<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("The model lacks what the service shows");
  return value;
}
