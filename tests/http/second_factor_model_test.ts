/** Random commands, predicted by the second-factor model. */

import { assert, assertEquals } from "@std/assert";
import { resetSecondFactor } from "../../src/accounts/administration.ts";
import { openSession } from "../../src/access/sessions.ts";
import { emailOf, eventContextOf } from "../storage/operator.ts";
import { type Game, type ModelRun, playModel } from "../support/play_model.ts";
import {
  type Caller,
  callerOf,
  type Json,
  type TestResponse,
  type World,
} from "../support/world.ts";
import { givePassword } from "./access.ts";
import {
  Authenticator,
  change,
  changePassword,
  confirm,
  countWrongCodes,
  isOn,
  login,
  STEP,
  stepUp,
} from "./second_factor.ts";
import {
  type Command,
  isRefusedByCount,
  type Model,
  predict,
  type Sent,
} from "./second_factor_model.ts";

const KINDS = [
  "begin",
  "begin",
  "confirm",
  "confirm",
  "confirm",
  "login",
  "login",
  "login",
  "login",
  "step-up",
  "step-up",
  "step-up",
  "password",
  "password",
  "password",
  "guesses",
  "guesses",
  "disable",
  "recovery-codes",
  "reset",
] as const satisfies readonly Command["kind"][];

Deno.test("A second factor matches its model under random commands", async () => {
  const outcomes = await playModel({ runs: 2, steps: 130, begin: Run.begin });
  // All error codes occurred.
  const refusals = ["SECOND_FACTOR_STATE_CONFLICT", "SECOND_FACTOR_REQUIRED", "PAYLOAD_INVALID"];
  const expected = [
    ...new Set(KINDS),
    ...refusals,
    "AUTH_REQUIRED",
    "STEP_UP_REQUIRED",
    "code",
    "recoveryCode",
    "refused by count",
  ];
  for (const outcome of expected) assert(outcomes.has(outcome), outcome);
});

class Run implements ModelRun {
  readonly #game: Game;
  readonly #sessions: Map<string, Caller>;
  readonly #caller: Caller;
  readonly #authenticators: Authenticator[] = [];
  /** All codes shown so far. */
  readonly #recoveryCodes: string[] = ["ABCDEF"];
  #model: Model = { factor: null, pending: null };

  private constructor(game: Game, caller: Caller, other: Caller) {
    this.#game = game;
    this.#caller = caller;
    this.#sessions = new Map([["first", caller], ["second", other]]);
  }

  static async begin(game: Game): Promise<Run> {
    const caller = await game.world.createCaller();
    await givePassword(game.world, caller);
    return new Run(game, caller, await anotherSession(game.world, caller));
  }

  async step(label: string): Promise<void> {
    this.#game.met.add(await this.#next(label));
  }

  async finish(): Promise<void> {}

  /** Returns the error or the effect. */
  async #next(step: string): Promise<string> {
    const { integer, chance } = this.#game.random;
    this.#game.world.advance(chance(0.05) ? integer(5, 11) * 60_000 : integer(0, STEP));
    const command = this.#pickCommand();
    const now = this.#game.world.now().getTime();
    const { refusal, model } = predict(this.#model, command, now);
    const isByCount = isRefusedByCount(this.#model, command, now);
    const label = `${step}: ${JSON.stringify([this.#model, command])}`;
    const response = await this.#send(command);
    assertEquals(response?.body.error?.code ?? null, refusal, label);
    this.#model = this.#withShownCodes(model, response);
    assertEquals(await isOn(this.#caller), this.#model.factor !== null, label);
    if (isByCount) return "refused by count";
    if (refusal !== null) return refusal;
    const usesFactor = "isRight" in command;
    if (!usesFactor || command.sent === null || model.factor === null) return command.kind;
    return "step" in command.sent ? "code" : "recoveryCode";
  }

  #pickCommand(): Command {
    const { pick, chance } = this.#game.random;
    const kind = pick(KINDS);
    const session = pick(["first", "first", "second"]);
    switch (kind) {
      case "begin":
        return { kind, session, secret: this.#authenticators.length };
      case "confirm":
        return { kind, session, sent: this.#pickCode(this.#model.pending?.secret) };
      case "guesses":
        return { kind, count: this.#game.random.integer(12, 25) };
      case "login":
      case "step-up":
      case "password":
        return { kind, isRight: chance(0.9), sent: this.#pickSent() };
      default:
        return { kind };
    }
  }

  #pickSent(): Sent {
    const { pick, chance } = this.#game.random;
    if (chance(0.2)) return null;
    if (chance(0.3)) {
      const present = this.#model.factor?.recoveryCodes[0];
      const any = pick(this.#recoveryCodes);
      return { recoveryCode: chance(0.5) ? present ?? any : any };
    }
    return this.#pickCode(this.#model.factor?.secret);
  }

  /** Near to now, mostly of the requested secret. */
  #pickCode(secret: number | undefined): { secret: number; step: number } {
    const { integer, chance } = this.#game.random;
    const step = Math.floor(this.#game.world.now().getTime() / STEP) + integer(-2, 2);
    const any = integer(0, this.#authenticators.length);
    return { secret: chance(0.85) ? secret ?? any : any, step };
  }

  async #send(command: Command): Promise<TestResponse | null> {
    const session = "session" in command ? this.#sessions.get(command.session) : this.#caller;
    const caller = session ?? this.#caller;
    switch (command.kind) {
      case "begin": {
        const response = await change(this.#game.world, caller, "");
        this.#authenticators.push(new Authenticator(response.body.data.uri));
        return response;
      }
      case "confirm":
        return await confirm(caller, (await this.#bodyOf(command.sent)).code);
      case "guesses":
        await this.#guess(caller, command.count);
        return null;
      case "login":
      case "step-up":
      case "password": {
        const body = await this.#bodyOf(command.sent);
        const more = command.isRight ? body : { ...body, password: "not the password, surely" };
        if (command.kind === "login") {
          return await login(this.#game.world, { email: emailOf(caller) }, more);
        }
        if (command.kind === "step-up") return await stepUp(caller, more);
        const response = await changePassword(this.#game.world, caller, more);
        // A new password ends other sessions.
        this.#sessions.set("second", await anotherSession(this.#game.world, caller));
        return response;
      }
      case "disable":
      case "recovery-codes":
        return await change(this.#game.world, caller, `/${command.kind}`);
      case "reset":
        await resetSecondFactor(
          this.#game.world.database,
          emailOf(caller),
          eventContextOf(this.#game.world),
        );
        return null;
    }
  }

  async #guess(caller: Caller, count: number): Promise<void> {
    const authenticator = this.#authenticators[this.#model.factor?.secret ?? NaN];
    if (authenticator === undefined) return;
    const enrolled = { caller, email: emailOf(caller), authenticator, recoveryCodes: [] };
    await countWrongCodes(this.#game.world, enrolled, count);
    // The throttle is not tested here.
    await this.#game.world.raw("delete from access_attempts");
  }

  async #bodyOf(sent: Sent): Promise<Json> {
    if (sent === null || "recoveryCode" in sent) return sent ?? {};
    // An unknown secret: hardly ever a valid code.
    const code = await this.#authenticators[sent.secret]?.codeAt(new Date(sent.step * STEP));
    return { code: code ?? "000000" };
  }

  #withShownCodes(model: Model, response: TestResponse | null): Model {
    const shown: readonly string[] | undefined = response?.body.data?.recoveryCodes;
    if (shown === undefined || model.factor === null) return model;
    this.#recoveryCodes.push(...shown);
    return { ...model, factor: { ...model.factor, recoveryCodes: shown } };
  }
}

async function anotherSession(world: World, caller: Caller): Promise<Caller> {
  const wanted = { transport: "bearer", deviceName: null, client: null, absoluteDays: 30 } as const;
  const { session, secret } = await world.database.transaction((tx) =>
    openSession(tx, caller.accountId, wanted, world.now())
  );
  return callerOf(world.again(), { ...caller, sessionId: session.sessionId, secret });
}
