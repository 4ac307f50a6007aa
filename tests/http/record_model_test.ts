// engines: both
/** Random commands against a record, each predicted by the model of `record_model.ts`. */

import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/core/json.ts";
import { type Random, seededRandom } from "../support/random.ts";
import {
  type Caller,
  callerOf,
  createWorld,
  type JsonRecord,
  type TestResponse,
  type World,
} from "../support/world.ts";
import { COMMITMENT, COMMITMENTS, walkPages } from "./kernel.ts";
import {
  type Command,
  predict,
  type Prediction,
  randomCommand,
  type State,
} from "./record_model.ts";

/** What was sent under a key, and what it was answered first. */
interface Sent {
  readonly key: string;
  readonly command: Command;
  readonly response: TestResponse;
}

const RUNS = 6;
const COMMANDS = 60;

Deno.test("A record answers random commands as its model does, and keeps its whole history", async () => {
  await using world = await createWorld();
  for (let seed = 1; seed <= RUNS; seed++) {
    await new Run(world, seed).play();
  }
});

/** One caller, one record, one random sequence of commands. */
class Run {
  readonly #world: World;
  readonly #seed: number;
  readonly #random: Random;
  readonly #sent: Sent[] = [];
  readonly #history: { readonly change: string; readonly state: State }[] = [];
  #path = "";

  constructor(world: World, seed: number) {
    this.#world = world;
    this.#seed = seed;
    this.#random = seededRandom(seed);
  }

  async play(): Promise<void> {
    const owner = await this.#world.createCaller();
    const other = callerOf(this.#world.again(), owner);
    let state = await this.#create(owner);
    for (let step = 0; step < COMMANDS; step++) {
      this.#world.advance(this.#random.integer(0, 5_000));
      const caller = this.#random.pick([owner, other]);
      if (this.#sent.length > 0 && this.#random.chance(0.2)) {
        await this.#repeat(caller, this.#random.pick(this.#sent));
      } else {
        state = await this.#send(caller, state, `${this.#seed}-${step}`);
      }
    }
    await this.#assertHistory(owner);
    await this.#assertTables(owner);
  }

  async #create(caller: Caller): Promise<State> {
    const body = { title: "A", payload: COMMITMENT };
    const response = await caller.call("POST", COMMITMENTS, { key: "create", body });
    this.#path = response.headers.get("Location") ?? "";
    const state = { title: "A", summary: "", payload: COMMITMENT, revision: 1, archived: false };
    this.#assertState(response.body.data, state, "created");
    this.#history.push({ change: "CREATED", state });
    return state;
  }

  /** Sends a random command and compares status, state and details with the prediction. */
  async #send(caller: Caller, before: State, key: string): Promise<State> {
    const command = randomCommand(before, this.#random);
    const label = `seed ${this.#seed}, ${key}: ${JSON.stringify([before, command])}`;
    const keyed = this.#random.chance(0.5);
    const response = await this.#call(caller, command, keyed ? key : undefined);
    const { status, state }: Prediction = predict(before, command);
    assertEquals(response.status, status, `${label} ${response.text}`);
    if (status === 409) {
      assertEquals(response.body.error.details, {
        expectedRevision: command.body.expectedRevision,
        currentRevision: before.revision,
      });
    }
    if (status === 200) {
      this.#assertState(response.body.data, state, label);
      if (keyed) this.#sent.push({ key, command, response });
      if (state !== before) {
        const names = { modify: "MODIFIED", archive: "ARCHIVED", restore: "RESTORED" };
        this.#history.push({ change: names[command.kind], state });
      }
    }
    return state;
  }

  /** Sends an earlier request again: the same is a replay, another is refused. */
  async #repeat(caller: Caller, { key, command, response }: Sent): Promise<void> {
    const label = `seed ${this.#seed}, repeated ${key}`;
    const again = await this.#call(caller, command, key);
    assertEquals(again.headers.get("Idempotency-Replayed"), "true", label);
    assertEquals([again.status, again.body.data], [200, response.body.data], label);
    const other = { ...command, body: { ...command.body, expectedRevision: 1_000_000 } };
    const reused = await this.#call(caller, other, key);
    assertEquals(reused.body.error.code, "IDEMPOTENCY_KEY_REUSED", label);
  }

  #call(caller: Caller, { kind, body }: Command, key?: string): Promise<TestResponse> {
    const options = key === undefined ? { body } : { body, key };
    return kind === "modify"
      ? caller.call("PATCH", this.#path, options)
      : caller.call("POST", `${this.#path}/${kind}`, options);
  }

  #assertState(record: JsonRecord, state: State, label: string): void {
    const { title, summary, payload, revision, archivedAt } = record;
    const seen = { title, summary, payload, revision, archived: archivedAt !== null };
    assertEquals(seen, { ...state }, label);
  }

  async #assertHistory(caller: Caller): Promise<void> {
    const limit = String(this.#random.integer(1, 20));
    const items = (await walkPages(caller, `${this.#path}/revisions`, { limit })).flat();
    const seen = items.toReversed().map((item) => item.change);
    assertEquals(seen, this.#history.map(({ change }) => change), `seed ${this.#seed}`);
    for (const [index, item] of items.toReversed().entries()) {
      const state = this.#history[index]?.state as State;
      this.#assertState(item, state, `seed ${this.#seed}, revision ${index + 1}`);
      const detail = await caller.call("GET", `${this.#path}?revision=${index + 1}`);
      this.#assertState(detail.body.data, state, `seed ${this.#seed}, revision ${index + 1}`);
      assertEquals(detail.body.data.updatedAt, item.createdAt);
    }
  }

  /** Root and newest revision agree; one audit entry a write; one envelope a keyed success. */
  async #assertTables(caller: Caller): Promise<void> {
    const owner = `owner_id = '${caller.accountId}'`;
    const [root] = await this.#world.rows(`
      select revision, revision_id, title, summary, payload::text as payload, archived_at,
             updated_at as at from records where ${owner}`);
    const revisions = await this.#world.rows(`
      select revision, revision_id, title, summary, payload::text as payload, archived_at,
             created_at as at from record_revisions where ${owner} order by revision`);
    assertEquals(root, revisions.at(-1), `seed ${this.#seed}`);
    const audits = await this.#world.rows(
      `select operation, revision from audit_entries where ${owner} order by revision`,
    );
    const operations: Readonly<Record<string, string>> = {
      CREATED: "record.create",
      MODIFIED: "record.modify",
      ARCHIVED: "record.archive",
      RESTORED: "record.restore",
    };
    const expected: JsonObject[] = this.#history.map(({ change, state }) => ({
      operation: operations[change] ?? "",
      revision: state.revision,
    }));
    assertEquals([...audits], expected, `seed ${this.#seed}`);
    const [envelopes] = await this.#world.rows(
      `select count(*)::integer as count from idempotency_envelopes where ${owner}`,
    );
    assertEquals(envelopes.count, this.#sent.length + 1, `seed ${this.#seed}`);
  }
}
