/** Fixtures of the suites about assistants that sign in. */

import { assertEquals } from "@std/assert";
import type { Caller, Json, World } from "../support/world.ts";
import { askForAssistant } from "./assistants.ts";

/** Creates an assistant, by default of Claude, and returns its public form. */
export async function createSigningIn(
  world: Pick<World, "database" | "now">,
  owner: Caller,
  signIn: Json = { program: "CLAUDE" },
): Promise<Json> {
  const response = await askForAssistant(world, owner, { modules: ["commitment"], signIn });
  assertEquals(response.status, 201, response.text);
  return response.body.data;
}
