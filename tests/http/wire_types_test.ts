/** The types of the console and of the client package match the document. */

import { assertEquals } from "@std/assert";
import { clientWire } from "../../scripts/client_wire.ts";
import { wireTypes } from "../../scripts/wire_types.ts";
import { sharedWorld } from "../support/world.ts";

const world = sharedWorld();

Deno.test("The types of requests and answers are those of the OpenAPI document", async () => {
  const { body } = await world().call("GET", "/api/v2/openapi.json");
  // `deno task snapshot` updates them.
  for (
    const [path, text] of [
      ["console/web/wire.d.ts", wireTypes(body)],
      ["client/wire.ts", clientWire(body)],
    ] as const
  ) {
    const file = new URL(`../../src/${path}`, import.meta.url);
    assertEquals(text.split("\n"), (await Deno.readTextFile(file)).split("\n"), path);
  }
});
