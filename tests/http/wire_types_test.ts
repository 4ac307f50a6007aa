/** The types of the console and of the client package match the document. */

import { clientWire } from "../../scripts/client_wire.ts";
import { wireTypes } from "../../scripts/wire_types.ts";
import { chapter } from "../support/chapters.ts";
import { assertSnapshot } from "../support/snapshot.ts";
import { sharedWorld } from "../support/world.ts";

const world = sharedWorld();

Deno.test("The types of requests and answers are those of the OpenAPI document", async () => {
  const { body } = await world().call("GET", "/api/v2/openapi.json");
  for (
    const [path, text] of [
      ["src/console/web/wire.d.ts", wireTypes(body)],
      ["src/client/wire.ts", clientWire(body)],
    ] as const
  ) assertSnapshot(path, text, chapter(path));
});
