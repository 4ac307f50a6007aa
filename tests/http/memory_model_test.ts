// engines: both
/** Random commands against a memory, each predicted by the model of `memory_model.ts`. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { type Random, seededRandom } from "../support/random.ts";
import { proofOf } from "../support/tokens.ts";
import {
  type Caller,
  callerOf,
  createWorld,
  type Json,
  type TestResponse,
  type World,
} from "../support/world.ts";
import { walkPages } from "./kernel.ts";
import { read, remember, textPath } from "../families/memory/api.ts";
import {
  type Command,
  type Model,
  predict,
  randomCommand,
  type State,
} from "../families/memory/model.ts";

const RUNS = 5;
const COMMANDS = 60;
const LEVELS = ["NORMAL", "PRIVATE", "SECRET"];

Deno.test("A memory answers random commands as its model does, and keeps its whole history", async () => {
  await using world = await createWorld();
  for (let seed = 1; seed <= RUNS; seed++) await new Run(world, seed).play();
});

/** One caller, one memory, one random sequence of commands. */
class Run {
  readonly #world: World;
  readonly #seed: number;
  readonly #random: Random;
  readonly #history: { readonly state: State; readonly proven: boolean }[] = [];
  readonly #slices: Json[] = [];
  readonly #sent: { key: string; command: Command; response: TestResponse }[] = [];
  #memory: Json = null;

  constructor(world: World, seed: number) {
    this.#world = world;
    this.#seed = seed;
    this.#random = seededRandom(seed);
  }

  async play(): Promise<void> {
    const owner = await this.#world.createCaller();
    const other = callerOf(this.#world.again(), owner);
    this.#memory = await remember(owner, { timeText: "then" });
    let model: Model = { revision: 1, state: stateOf(this.#memory), slices: [] };
    this.#history.push({ state: model.state, proven: false });
    for (let step = 0; step < COMMANDS; step++) {
      this.#world.advance(this.#random.integer(0, 5_000));
      const caller = this.#random.pick([owner, other]);
      if (this.#sent.length > 0 && this.#random.chance(0.15)) await this.#repeat(caller);
      else model = await this.#send(caller, owner, model, step);
    }
    await this.#assertHistory(owner, model);
    await this.#assertTables(owner, model);
  }

  async #send(caller: Caller, owner: Caller, model: Model, step: number): Promise<Model> {
    const command = randomCommand(model, this.#random);
    const label = `seed ${this.#seed}, step ${step}: ${JSON.stringify([model, command])}`;
    const prediction = predict(model, command);
    const key = ulid();
    const headers = command.withProof
      ? await proofOf(this.#world, owner, "MEMORY_PRIVACY_DOWNGRADE")
      : {};
    const response = await this.#call(caller, command, key, headers);
    assertEquals(response.status, prediction.status, `${label} ${response.text}`);
    if (response.status >= 300) return model;
    this.#sent.push({ key, command, response });
    if (command.kind === "slices") {
      this.#slices.push(response.body.data);
      return prediction.model;
    }
    const { data } = response.body;
    assertEquals(stateOf(data), prediction.model.state, label);
    assertEquals(data.revision, prediction.model.revision, label);
    if (prediction.model.revision > model.revision) {
      this.#history.push({ state: prediction.model.state, proven: command.withProof });
    }
    return prediction.model;
  }

  #call(
    caller: Caller,
    { kind, body, slice }: Command,
    key: string,
    headers: Record<string, string>,
  ): Promise<TestResponse> {
    const end = kind === "recover" ? `slices/${this.#slices[slice].sliceId}/recover` : kind;
    return caller.call("POST", textPath(this.#memory, `/${end}`), { key, body, headers });
  }

  /** Sends an earlier request again, without a proof. */
  async #repeat(caller: Caller): Promise<void> {
    const { key, command, response } = this.#random.pick(this.#sent);
    const again = await this.#call(caller, command, key, {});
    const label = `seed ${this.#seed}, repeated ${JSON.stringify(command)}`;
    assertEquals(again.headers.get("Idempotency-Replayed"), "true", label);
    assertEquals([again.status, again.body.data], [response.status, response.body.data], label);
  }

  async #assertHistory(caller: Caller, model: Model): Promise<void> {
    const label = `seed ${this.#seed}`;
    const items = (await walkPages(caller, textPath(this.#memory, "/revisions"), { limit: "7" }))
      .flat().toReversed();
    assertEquals(items.map(stateOf), this.#history.map(({ state }) => state), label);
    assertEquals(items.map((item) => item.revision), items.map((_, index) => index + 1), label);
    assertEquals(items.length, model.revision, label);
    for (const item of items) {
      assertEquals(item.originalContent, this.#memory.originalContent, label);
    }
    for (const [index, { state, proven }] of this.#history.entries()) {
      const before = this.#history[index - 1]?.state ?? state;
      const lowered = LEVELS.indexOf(state.privacyLevel) < LEVELS.indexOf(before.privacyLevel);
      assert(!lowered || proven, `${label}: lowered without a proof`);
    }
    const path = textPath(this.#memory, "/slices");
    const slices = (await walkPages(caller, path)).flat();
    const byId = (one: Json, other: Json) => one.sliceId < other.sliceId ? 1 : -1;
    assertEquals(slices, this.#slices.toSorted(byId), label);
    assertEquals(stateOf(await read(caller, textPath(this.#memory))), model.state, label);
  }

  /** The projection equals the root in every revision; one audit entry a revision and a slice. */
  async #assertTables(caller: Caller, model: Model): Promise<void> {
    const owner = `owner_id = '${caller.accountId}'`;
    const label = `seed ${this.#seed}`;
    const compared = "revision, revision_id, title, summary, archived_at, created_at";
    const revisions = await this.#world.rows(
      `select ${compared} from memory_revisions where ${owner} order by revision`,
    );
    const projected = await this.#world.rows(
      `select ${compared} from record_revisions where ${owner} order by revision`,
    );
    assertEquals([...projected], [...revisions], label);
    const [root] = await this.#world.rows(
      `select revision, revision_id, title, archived_at, updated_at, privacy_level = 'SECRET' as
              guarded from memories where ${owner}`,
    );
    const [record] = await this.#world.rows(
      `select revision, revision_id, title, archived_at, updated_at, guard is not null as guarded
         from records where ${owner}`,
    );
    assertEquals(record, root, label);
    const [{ count }] = await this.#world.rows(
      `select count(*)::integer as count from audit_entries where ${owner}`,
    );
    assertEquals(count, model.revision + model.slices.length, label);
  }
}

function stateOf(memory: Json): State {
  const { title, currentContent, importance, timePrecision, timeText } = memory;
  const { aiDraft, privacyLevel, archivedAt } = memory;
  return {
    title,
    currentContent,
    importance,
    timePrecision,
    timeText,
    aiDraft,
    privacyLevel,
    archived: archivedAt !== null,
  };
}
