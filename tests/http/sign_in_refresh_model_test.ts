/** Random exchanges and refreshes of several programs, predicted by a model. */

import { assertEquals } from "@std/assert";
import { DAY_MS } from "../../src/core/clock.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { fileWorld, type TestResponse } from "../support/world.ts";
import {
  addProgram,
  allow,
  assertOAuthFailure,
  exchangeForm,
  type Form,
  opens,
  post,
  type Program,
  refreshForm,
  SIGN_IN,
  signInEvents,
  type Tokens,
  tokensOf,
} from "./sign_in_tokens.ts";

const STEPS = 1_000;
const SEED = 20_261_130;
const MINUTE_MS = 60_000;

const world = fileWorld(SIGN_IN);

interface Pair extends Tokens {
  readonly signIn: SignIn;
  readonly madeAt: number;
  usedAt: number | null;
}

interface SignIn {
  readonly program: Program;
  readonly until: number;
  readonly code: string;
  readonly allowedAt: number;
  readonly pairs: Pair[];
  hasEnded: boolean;
}

/** The expected state of the service. */
class Model {
  readonly signIns: SignIn[] = [];
  reused = 0;
  surplus = 0;
  #now = 0;

  at(now: number): void {
    this.#now = now;
  }

  /** Returns whether the exchange succeeds. */
  exchange(signIn: SignIn, isRight: boolean): boolean {
    if (!isRight || this.#now >= signIn.until) return false;
    if (signIn.pairs.length > 0) return this.#end(signIn);
    return this.#now < signIn.allowedAt + MINUTE_MS;
  }

  refresh(pair: Pair, isRight: boolean): boolean {
    const { signIn } = pair;
    if (!isRight || signIn.hasEnded || this.#now >= signIn.until) return false;
    if (pair.usedAt !== null && this.#now > pair.usedAt + MINUTE_MS) return this.#end(signIn);
    if (!this.#isFresh(pair)) return false;
    pair.usedAt ??= this.#now;
    return true;
  }

  add(signIn: SignIn, tokens: Tokens): void {
    const isFirst = signIn.pairs.length === 0;
    signIn.pairs.push({ ...tokens, signIn, madeAt: this.#now, usedAt: null });
    if (!isFirst) return;
    const others = this.signIns.filter((other) =>
      other !== signIn && other.program === signIn.program && !other.hasEnded &&
      other.pairs.some((pair) => this.#isFresh(pair))
    );
    for (const oldest of others.slice(0, -9)) {
      oldest.hasEnded = true;
      this.surplus++;
    }
  }

  opens({ signIn, madeAt }: Pair): boolean {
    return !signIn.hasEnded && this.#now < signIn.until && this.#now < madeAt + 60 * MINUTE_MS;
  }

  #isFresh({ madeAt }: Pair): boolean {
    return this.#now < madeAt + 30 * DAY_MS;
  }

  #end(signIn: SignIn): false {
    if (!signIn.hasEnded) this.reused++;
    signIn.hasEnded = true;
    return false;
  }
}

/** Mostly seconds, so that windows of a minute are met, and sometimes days. */
function pause(random: Random): number {
  const kind = random.next();
  if (kind < 0.75) return random.integer(1, 9_000);
  if (kind < 0.9) return random.pick([29_999, 30_000, MINUTE_MS, MINUTE_MS + 1]);
  if (kind < 0.99) return random.integer(10, 70) * MINUTE_MS;
  return random.integer(1, 31) * DAY_MS;
}

/** Returns mostly one of the newest, and one that is not used rather than another. */
function pick<Item>(random: Random, items: readonly Item[], isUsed: (item: Item) => boolean): Item {
  const unused = items.filter((item) => !isUsed(item));
  const some = unused.length > 0 && random.chance(0.85) ? unused : items;
  return random.pick(random.chance(0.7) ? some.slice(-3) : some);
}

function isUsed(item: Pair | SignIn): boolean {
  return "usedAt" in item ? item.usedAt !== null : item.pairs.length > 0;
}

class Play {
  readonly model = new Model();
  readonly met = { exchanged: 0, refreshed: 0, refused: 0, open: 0, closed: 0 };
  readonly #accountId: string;
  readonly #random: Random;
  #programs: { readonly program: Program; readonly until: number }[] = [];

  constructor(accountId: string, random: Random) {
    this.#accountId = accountId;
    this.#random = random;
  }

  async step(label: string): Promise<void> {
    world().advance(pause(this.#random));
    this.model.at(world().now().getTime());
    await this.#replaceEnded();
    const { signIns } = this.model;
    const pairs = signIns.flatMap((signIn) => signIn.pairs);
    const kind = this.#random.next();
    if (kind < 0.25 || signIns.length === 0) await this.#allow();
    else if (kind < 0.55 || pairs.length === 0) await this.#exchange(label);
    else if (kind < 0.85) await this.#refresh(pick(this.#random, pairs, isUsed), label);
    else await this.#look(pick(this.#random, pairs, isUsed), label);
  }

  async #replaceEnded(): Promise<void> {
    const now = world().now().getTime();
    this.#programs = this.#programs.filter(({ until }) => now < until);
    while (this.#programs.length < 2) {
      const until = now + this.#random.integer(2, 90) * DAY_MS;
      const program = await addProgram(world(), this.#accountId, new Date(until));
      this.#programs.push({ program, until });
    }
  }

  async #allow(): Promise<void> {
    const chosen = this.#random.pick(this.#programs.slice(0, this.#random.chance(0.8) ? 1 : 2));
    const code = await allow(world(), chosen.program);
    const allowedAt = world().now().getTime();
    this.model.signIns.push({ ...chosen, code, allowedAt, pairs: [], hasEnded: false });
  }

  async #exchange(label: string): Promise<void> {
    const signIn = pick(this.#random, this.model.signIns, isUsed);
    const isRight = this.#random.chance(0.85);
    const wrong: Form = isRight ? {} : { code_verifier: "a".repeat(43) };
    const succeeds = this.model.exchange(signIn, isRight);
    const response = await post(world(), exchangeForm(signIn.program, signIn.code, wrong));
    this.#check(response, signIn, succeeds, label);
    if (succeeds) this.met.exchanged++;
  }

  async #refresh(pair: Pair, label: string): Promise<void> {
    const { signIn } = pair;
    const client = this.#random.chance(0.85)
      ? signIn.program
      : this.#random.pick(this.#programs).program;
    const succeeds = this.model.refresh(pair, client.assistantId === signIn.program.assistantId);
    const response = await post(world(), refreshForm(client, pair.refresh));
    this.#check(response, signIn, succeeds, label);
    if (succeeds) this.met.refreshed++;
  }

  async #look(pair: Pair, label: string): Promise<void> {
    const isOpen = this.model.opens(pair);
    assertEquals(await opens(world(), pair.access), isOpen, label);
    this.met[isOpen ? "open" : "closed"]++;
  }

  #check(response: TestResponse, signIn: SignIn, succeeds: boolean, label: string): void {
    if (succeeds) return this.model.add(signIn, tokensOf(response));
    this.met.refused++;
    assertOAuthFailure(response, "invalid_grant", 400, label);
  }
}

Deno.test("Sign-ins match their model under random exchanges, refreshes and pauses", async () => {
  const { accountId } = await world().createCaller();
  const play = new Play(accountId, seededRandom(SEED));
  for (let step = 0; step < STEPS; step++) await play.step(`seed ${SEED}, step ${step}`);
  const { met, model } = play;
  const events = (await signInEvents(world(), { accountId })).map(([event]) => event);
  const signedIn = events.filter((event) => event === "ASSISTANT_SIGNED_IN").length;
  assertEquals([signedIn, events.length - signedIn], [met.exchanged, model.reused]);
  const rare = Object.entries({ ...met, reused: model.reused, surplus: model.surplus })
    .filter(([, times]) => times < 10);
  assertEquals(rare, []);
});
