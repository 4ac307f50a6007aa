/** Random commands of two owners, predicted by the relationship model. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { sha256Hex } from "../../src/core/digest.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { PrivacyLevel } from "../../src/kit/stored_ledger.ts";
import { DoneRequests, type Game, type ModelRun, playModel } from "../support/play_model.ts";
import { type Caller, callerOf, type Json } from "../support/world.ts";
import { assertFailure, assertWritesNothing, walkPages } from "./kernel.ts";
import {
  createPerson,
  evidence,
  personPath,
  withoutSecrets,
} from "../families/relationship/api.ts";
import {
  type Command,
  COMMAND_KINDS,
  type ModelPerson,
  type ModelState,
  newModel,
  predict,
  randomCommand,
  REFUSALS,
  timelineOf,
} from "../families/relationship/model.ts";

Deno.test("People match their model under random commands, with their whole history", async () => {
  const met = await playModel({ runs: 2, steps: 70, begin: Run.begin });
  assertEquals([...met].sort(), [...COMMAND_KINDS, ...REFUSALS, "sealed"].sort());
});

/** A person with its model, and its entries in order. */
interface Known {
  readonly owner: Owner;
  readonly shown: Json;
  /** Evidence about another person. */
  readonly elsewhere: Json;
  model: ModelPerson;
  readonly made: Readonly<Record<"contacts" | "experiences" | "evidence", Json[]>>;
}

/** A caller at two processes, and one without access to secrets. */
interface Owner {
  readonly full: readonly Caller[];
  readonly blind: Caller;
}

type Request = readonly [method: string, below: string, body: JsonObject];

/** Two people of different owners. */
class Run implements ModelRun {
  readonly #game: Game;
  readonly #people: readonly Known[];
  readonly #done = new DoneRequests();

  private constructor(game: Game, people: readonly Known[]) {
    this.#game = game;
    this.#people = people;
  }

  static async begin(game: Game): Promise<Run> {
    const { world } = game;
    const people: Known[] = [];
    for (const _owner of ["one", "other"]) {
      const caller = await world.createCaller();
      const full = [caller, callerOf(world.again(), caller)];
      const owner = { full, blind: await withoutSecrets(world, caller) };
      const elsewhere = await evidence(caller, await createPerson(caller));
      const shown = await createPerson(caller);
      const made = { contacts: [], experiences: [], evidence: [] };
      people.push({ owner, shown, elsewhere, made, model: newModel(stateOf(shown)) });
    }
    return new Run(game, people);
  }

  async step(label: string): Promise<void> {
    const { world, random } = this.#game;
    world.advance(random.integer(1, 5_000));
    const known = random.pick(this.#people);
    if (this.#done.count > 0 && random.chance(0.12)) await this.#done.repeat(random, label);
    else await this.#send(known, label);
    await this.#assertShown(known);
  }

  async finish(): Promise<void> {
    for (const known of this.#people) {
      await this.#assertShown(known);
      await this.#assertHistory(known);
      if (known.model.state.status === "SEALED") this.#game.met.add("sealed");
    }
  }

  async #send(known: Known, step: string): Promise<void> {
    const command = randomCommand(known.model, this.#game.random);
    const seesSecrets = this.#game.random.chance(0.7);
    const { full, blind } = known.owner;
    const caller = seesSecrets ? this.#game.random.pick(full) : blind;
    const now = this.#game.world.now().toISOString();
    const { person, code } = predict(known.model, command, seesSecrets, now);
    const key = ulid();
    const [method, below, body] = requestOf(known, command);
    const sendBy = (caller: Caller) =>
      caller.call(method, personPath(known.shown, below), { key, body });
    const send = () => sendBy(caller);
    const response = await (code === null ? send() : assertWritesNothing(this.#game.world, send));
    const label = `${step}: ${JSON.stringify([command, seesSecrets])}`;
    this.#game.met.add(code ?? command.kind);
    if (code !== null) return void assertFailure(response, code, label);
    assertEquals(response.status < 300, true, `${label} ${response.text}`);
    known.model = person;
    // Shown content may be hidden by now.
    if (seesSecrets) this.#done.add(() => sendBy(this.#game.random.pick(full)), response);
    const ledger = LEDGERS[command.kind];
    if (ledger !== undefined) known.made[ledger].push(response.body.data);
  }

  /** With and without access to secrets. */
  async #assertShown(known: Known): Promise<void> {
    const { model, shown, owner: { full, blind } } = known;
    const seesSecrets = this.#game.random.chance(0.5);
    const reader = seesSecrets ? this.#game.random.pick(full) : blind;
    const all = async (below: string) =>
      (await walkPages(reader, personPath(shown, below), { limit: "40" })).flat();
    const { body: { data } } = await reader.call("GET", personPath(shown));
    assertEquals(stateOf(data), model.state, this.#game.label);
    assertEquals(data.revision, model.revisions.length, this.#game.label);
    const visible = (level: PrivacyLevel) => seesSecrets || level !== "SECRET";
    assertEquals(
      (await all("/contacts")).map(contactOf),
      model.contacts.map(({ contactedAt, privacy, isRetracted }) => [
        contactedAt,
        privacy,
        isRetracted ? "RETRACTED" : "LIVE",
        ...(visible(privacy) ? ["A note.", sha256Hex("A note.")] : [null, null]),
      ]).toReversed(),
      this.#game.label,
    );
    assertEquals(
      (await all("/experiences")).map(experienceOf),
      model.experiences.map(({ occurredAt, privacy }) => [
        occurredAt,
        privacy,
        ...(visible(privacy) ? ["A title", "A tale."] : ["", null]),
      ]).toReversed(),
      this.#game.label,
    );
    assertEquals(
      (await all("/evidence")).map(evidenceOf),
      model.evidence.map(({ privacy, effectivePrivacy, state, supersededBy }) => [
        privacy,
        effectivePrivacy,
        state,
        supersededBy === null ? null : known.made.evidence[supersededBy].evidenceId,
        ...(visible(effectivePrivacy) ? ["A word."] : [null]),
      ]).toReversed(),
      this.#game.label,
    );
    const history = await all("/status/history");
    assertEquals(
      history.map(({ fromStatus, toStatus }) => [fromStatus, toStatus]),
      model.moves.toReversed().map((move) => [...move]),
      this.#game.label,
    );
    const events = history.toReversed();
    const sourceOf = ({ kind, source }: { kind: string; source: number }): string =>
      kind === "STATUS_CHANGED"
        ? events[source].eventId
        : kind === "EXPERIENCE_RECORDED"
        ? known.made.experiences[source].experienceId
        : known.made.contacts[source].contactId;
    assertEquals(
      (await all("/timeline")).map(lineOf),
      timelineOf(model).map((line) => [
        line.kind,
        sourceOf(line),
        line.occurredAt,
        line.recordedAt,
      ]),
      this.#game.label,
    );
  }

  /** An audit entry per write. */
  async #assertHistory({ model, shown, owner: { full: [caller] } }: Known): Promise<void> {
    if (caller === undefined) throw new Error("An owner has a process");
    const path = personPath(shown, "/revisions");
    const items = (await walkPages(caller, path, { limit: "7" })).flat().toReversed();
    assertEquals(items.map(stateOf), [...model.revisions], this.#game.label);
    const projected = await this.#game.world.rows(`
      select v.title = p.person_name as titled, v.payload::text = '{}' as empty
        from person_revisions p join record_revisions v
          on v.owner_id = p.owner_id and v.record_id = p.person_id and v.revision = p.revision
       where p.person_id = '${shown.personId}'`);
    const right = { titled: true, empty: true };
    assertEquals(projected, model.revisions.map(() => right), this.#game.label);
  }
}

/** Keyed by command. */
const LEDGERS: Readonly<Partial<Record<Command["kind"], keyof Known["made"]>>> = {
  contact: "contacts",
  experience: "experiences",
  evidence: "evidence",
};

function requestOf({ made, elsewhere }: Known, command: Command): Request {
  const post = (below: string, body: JsonObject): Request => ["POST", below, body];
  const expecting = "revision" in command ? { expectedRevision: command.revision } : {};
  switch (command.kind) {
    case "patch": {
      const { opinion, ...set } = command.set as JsonObject;
      const body = opinion === null
        ? { ...expecting, set, remove: ["opinion"] }
        : { ...expecting, set: { ...set, ...(opinion !== undefined && { opinion }) } };
      return ["PATCH", "", body];
    }
    case "status":
      return post("/status", { ...expecting, status: command.status });
    case "archive":
    case "restore":
      return post(`/${command.kind}`, expecting);
    case "contact": {
      const { contactedAt, privacy } = command;
      const how = { channel: "CALL", direction: "MUTUAL", note: "A note." };
      return post("/contacts", { contactedAt, ...how, privacy });
    }
    case "experience": {
      const { occurredAt, privacy } = command;
      const time = occurredAt === null
        ? { timePrecision: "UNKNOWN" }
        : { occurredAt, timePrecision: "DAY" };
      return post("/experiences", { title: "A title", narrative: "A tale.", ...time, privacy });
    }
    case "evidence": {
      const source = { stance: "COUNTER", sourceKind: "OTHER", providerConsent: false };
      return post("/evidence", { ...source, content: "A word.", privacy: command.privacy });
    }
    case "retract contact":
      return post(`/contacts/${made.contacts[command.entry].contactId}/control`, {
        kind: "RETRACTED",
      });
    default:
      return post(
        `/evidence/${made.evidence[command.entry].evidenceId}/control`,
        controlOf(made.evidence, elsewhere, command),
      );
  }
}

function controlOf(
  made: readonly Json[],
  elsewhere: Json,
  command: Extract<Command, { kind: "supersede" | "reclassify" | "retract evidence" }>,
): JsonObject {
  if (command.kind === "retract evidence") return { kind: "RETRACTED" };
  if (command.kind === "reclassify") {
    return { kind: "PRIVACY_RECLASSIFIED", privacy: command.privacy };
  }
  const { by } = command;
  const supersededBy = by === "unknown"
    ? ulid()
    : (by === "another's" ? elsewhere : made[by]).evidenceId;
  return { kind: "SUPERSEDED", supersededBy };
}

function stateOf(shown: Json): ModelState {
  const { opinion, importance, status, lastContactAt, archivedAt } = shown;
  return { opinion, importance, status, lastContactAt, archived: archivedAt !== null };
}

function contactOf({ contactedAt, privacy, state, note, contentHash }: Json): unknown[] {
  return [contactedAt, privacy, state, note, contentHash];
}

function experienceOf({ occurredAt, privacy, title, narrative }: Json): unknown[] {
  return [occurredAt, privacy, title, narrative];
}

function evidenceOf(shown: Json): unknown[] {
  const { privacy, effectivePrivacy, state, supersededBy, content } = shown;
  return [privacy, effectivePrivacy, state, supersededBy, content];
}

function lineOf({ kind, sourceId, occurredAt, recordedAt }: Json): unknown[] {
  return [kind, sourceId, occurredAt, recordedAt];
}
