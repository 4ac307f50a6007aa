/** The console's types match the answers. */

import { assertEquals } from "@std/assert";
import { wireTypes } from "../../scripts/wire_types.ts";
import { sharedWorld } from "../support/world.ts";

const world = sharedWorld();
const FILE = new URL("../../src/console/web/wire.d.ts", import.meta.url);

Deno.test("The types of the answers are those of the OpenAPI document", async () => {
  const { body } = await world().call("GET", "/api/v2/openapi.json");
  // `deno task snapshot` updates them.
  assertEquals(wireTypes(body).split("\n"), (await Deno.readTextFile(FILE)).split("\n"));
});
