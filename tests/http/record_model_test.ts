// engines: both
/** Random commands, predicted by the record model. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import { DoneRequests, type Game, type ModelRun, playModel } from "../support/play_model.ts";
import { type Caller, callerOf, type JsonRecord, type TestResponse } from "../support/world.ts";
import { COMMITMENT, COMMITMENTS, walkPages } from "./kernel.ts";
import {
  type Command,
  predict,
  type Prediction,
  randomCommand,
  type State,
} from "./record_model.ts";

Deno.test("A record matches its model under random commands, with its whole history", async () => {
  await playModel({ runs: 2, steps: 50, begin: Run.begin });
});

/** One caller at two processes, and one record. */
class Run implements ModelRun {
  readonly #game: Game;
  readonly #callers: readonly [Caller, Caller];
  readonly #done = new DoneRequests();
  readonly #keyed: { readonly key: string; readonly command: Command }[] = [];
  readonly #history: { readonly change: string; readonly state: State }[] = [];
  #path = "";
  #state: State = { title: "A", summary: "", payload: COMMITMENT, revision: 1, archived: false };

  private constructor(game: Game, caller: Caller) {
    this.#game = game;
    this.#callers = [caller, callerOf(game.world.again(), caller)];
  }

  static async begin(game: Game): Promise<Run> {
    const run = new Run(game, await game.world.createCaller());
    await run.#create();
    return run;
  }

  async #create(): Promise<void> {
    const body = { title: "A", payload: COMMITMENT };
    const response = await this.#callers[0].call("POST", COMMITMENTS, { key: "create", body });
    this.#path = response.headers.get("Location") ?? "";
    this.#assertState(response.body.data, this.#state, "created");
    this.#history.push({ change: "CREATED", state: this.#state });
  }

  async step(label: string): Promise<void> {
    const { world, random } = this.#game;
    world.advance(random.integer(0, 5_000));
    if (this.#done.count > 0 && random.chance(0.2)) await this.#repeat(label);
    else this.#state = await this.#send(this.#anyProcess(), this.#state, label);
  }

  #anyProcess(): Caller {
    return this.#game.random.pick(this.#callers);
  }

  async finish(): Promise<void> {
    const [owner] = this.#callers;
    await this.#assertHistory(owner);
    await this.#assertTables(owner);
  }

  /** Compares status, state and details. */
  async #send(caller: Caller, before: State, step: string): Promise<State> {
    const command = randomCommand(before, this.#game.random);
    const label = `${step}: ${JSON.stringify([before, command])}`;
    const key = ulid();
    const keyed = this.#game.random.chance(0.5);
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
      if (keyed) {
        this.#done.add(() => this.#call(this.#anyProcess(), command, key), response);
        this.#keyed.push({ key, command });
      }
      if (state !== before) {
        const names = { modify: "MODIFIED", archive: "ARCHIVED", restore: "RESTORED" };
        this.#history.push({ change: names[command.kind], state });
      }
    }
    return state;
  }

  /** A repeated request is a replay, another one is rejected. */
  async #repeat(label: string): Promise<void> {
    const place = await this.#done.repeat(this.#game.random, label);
    const { key, command } = this.#keyed[place] as { key: string; command: Command };
    const other = { ...command, body: { ...command.body, expectedRevision: 1_000_000 } };
    const reused = await this.#call(this.#anyProcess(), other, key);
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
    const limit = String(this.#game.random.integer(1, 20));
    const items = (await walkPages(caller, `${this.#path}/revisions`, { limit })).flat();
    const seen = items.toReversed().map((item) => item.change);
    assertEquals(seen, this.#history.map(({ change }) => change), this.#game.label);
    for (const [index, item] of items.toReversed().entries()) {
      const state = this.#history[index]?.state as State;
      this.#assertState(item, state, `${this.#game.label}, revision ${index + 1}`);
      const detail = await caller.call("GET", `${this.#path}?revision=${index + 1}`);
      this.#assertState(detail.body.data, state, `${this.#game.label}, revision ${index + 1}`);
      assertEquals(detail.body.data.updatedAt, item.createdAt);
    }
  }

  /** Root equals newest revision; an audit entry per write; an envelope per keyed success. */
  async #assertTables(caller: Caller): Promise<void> {
    const owner = `owner_id = '${caller.accountId}'`;
    const [root] = await this.#game.world.rows(`
      select revision, revision_id, title, summary, payload::text as payload, archived_at,
             updated_at as at from records where ${owner}`);
    const revisions = await this.#game.world.rows(`
      select revision, revision_id, title, summary, payload::text as payload, archived_at,
             created_at as at from record_revisions where ${owner} order by revision`);
    assertEquals(root, revisions.at(-1), this.#game.label);
    const audits = await this.#game.world.rows(
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
    assertEquals([...audits], expected, this.#game.label);
    const [envelopes] = await this.#game.world.rows(
      `select count(*)::integer as count from idempotency_envelopes where ${owner}`,
    );
    assertEquals(envelopes.count, this.#done.count + 1, this.#game.label);
  }
}
