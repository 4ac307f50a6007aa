/** Random commands, predicted by the memory model. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { DoneRequests, type Game, type ModelRun, playModel } from "../support/play_model.ts";
import { proofOf } from "../support/tokens.ts";
import { type Caller, callerOf, type Json, type TestResponse } from "../support/world.ts";
import { walkPages } from "./kernel.ts";
import { read, remember, textPath } from "../families/memory/api.ts";
import {
  type Command,
  type Model,
  predict,
  randomCommand,
  type State,
} from "../families/memory/model.ts";

const LEVELS = ["NORMAL", "PRIVATE", "SECRET"];

Deno.test("A memory matches its model under random commands, with its whole history", async () => {
  await playModel({ runs: 2, steps: 50, begin: Run.begin });
});

/** One caller at two processes, and one memory. */
class Run implements ModelRun {
  readonly #game: Game;
  readonly #callers: readonly [Caller, Caller];
  readonly #memory: Json;
  readonly #history: { readonly state: State; readonly proven: boolean }[] = [];
  readonly #slices: Json[] = [];
  readonly #done = new DoneRequests();
  #model: Model;

  private constructor(game: Game, caller: Caller, memory: Json) {
    this.#game = game;
    this.#callers = [caller, callerOf(game.world.again(), caller)];
    this.#memory = memory;
    this.#model = { revision: 1, state: stateOf(memory), slices: [] };
    this.#history.push({ state: this.#model.state, proven: false });
  }

  static async begin(game: Game): Promise<Run> {
    const caller = await game.world.createCaller();
    return new Run(game, caller, await remember(caller, { timeText: "then" }));
  }

  async step(label: string): Promise<void> {
    const { world, random } = this.#game;
    world.advance(random.integer(0, 5_000));
    if (this.#done.count > 0 && random.chance(0.15)) await this.#done.repeat(random, label);
    else this.#model = await this.#send(this.#anyProcess(), this.#model, label);
  }

  #anyProcess(): Caller {
    return this.#game.random.pick(this.#callers);
  }

  async finish(): Promise<void> {
    const [owner] = this.#callers;
    await this.#assertHistory(owner, this.#model);
    await this.#assertTables(owner, this.#model);
  }

  async #send(caller: Caller, model: Model, step: string): Promise<Model> {
    const command = randomCommand(model, this.#game.random);
    const label = `${step}: ${JSON.stringify([model, command])}`;
    const prediction = predict(model, command);
    const key = ulid();
    const headers = command.withProof
      ? await proofOf(this.#game.world, this.#callers[0], "MEMORY_PRIVACY_DOWNGRADE")
      : {};
    const response = await this.#call(caller, command, key, headers);
    assertEquals(response.status, prediction.status, `${label} ${response.text}`);
    if (response.status >= 300) return model;
    // Replays need no proof.
    this.#done.add(() => this.#call(this.#anyProcess(), command, key, {}), response);
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

  async #assertHistory(caller: Caller, model: Model): Promise<void> {
    const label = this.#game.label;
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

  /** Projection equals root in every revision; an audit entry per revision and slice. */
  async #assertTables(caller: Caller, model: Model): Promise<void> {
    const owner = `owner_id = '${caller.accountId}'`;
    const label = this.#game.label;
    const compared = "revision, revision_id, title, summary, archived_at, created_at";
    const revisions = await this.#game.world.rows(
      `select ${compared} from memory_revisions where ${owner} order by revision`,
    );
    const projected = await this.#game.world.rows(
      `select ${compared} from record_revisions where ${owner} order by revision`,
    );
    assertEquals([...projected], [...revisions], label);
    const [root] = await this.#game.world.rows(
      `select revision, revision_id, title, archived_at, updated_at, privacy_level = 'SECRET' as
              guarded from memories where ${owner}`,
    );
    const [record] = await this.#game.world.rows(
      `select revision, revision_id, title, archived_at, updated_at, guard is not null as guarded
         from records where ${owner}`,
    );
    assertEquals(record, root, label);
    const [{ count }] = await this.#game.world.rows(
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
