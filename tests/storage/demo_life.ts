/** A sample life that tests read, seeded once in a process. */

import { readCommand } from "../../src/operator/admin/command.ts";
import { runAdminCommand } from "../../src/operator/admin/run.ts";
import { type Caller, createWorld, type World } from "../support/world.ts";
import { emailOf, servicesOf } from "./operator.ts";

export interface DemoLife {
  readonly world: World;
  readonly caller: Caller;
  /** The command's answer. */
  readonly said: string;
}

let life: Promise<DemoLife> | undefined;

Deno.test.afterAll(async () => {
  await (await life)?.world[Symbol.asyncDispose]();
});

/** Returns a life to which no test may add anything; its world may get further accounts. */
export function demoLife(): Promise<DemoLife> {
  return life ??= seedLife();
}

async function seedLife(): Promise<DemoLife> {
  const world = await createWorld();
  const caller = await world.createCaller();
  const command = readCommand({ command: "seed demo", owner: emailOf(caller) });
  const said = (await runAdminCommand(servicesOf(world), command)).join("\n");
  return { world, caller, said };
}
