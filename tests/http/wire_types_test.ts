/** The types and routes of the client package match the document. */

import { clientWire } from "../../scripts/client_wire.ts";
import { chapter } from "../support/chapters.ts";
import { assertSnapshot } from "../support/snapshot.ts";
import { callApp, sharedWorld } from "../support/world.ts";
import { LIMITS } from "./assistants.ts";

const world = sharedWorld();

Deno.test("The types of requests and answers are those of the OpenAPI document", async () => {
  const app = world().again({ assistants: { ...LIMITS, registration: true } });
  const { body } = await callApp(app, "GET", "/api/v2/openapi.json");
  const path = "src/client/wire.ts";
  assertSnapshot(path, clientWire(body), chapter(path));
});
