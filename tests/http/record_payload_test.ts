/**
 * Random payloads: accepted ones read back, rejected ones leave nothing.
 * `tests/unit/catalog/policy_test.ts` covers every module's policy, `openapi_test.ts` every
 * creation.
 */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { CATALOG } from "../../src/catalog/catalog.ts";
import type { CatalogModule, Field } from "../../src/catalog/module.ts";
import type { JsonObject, JsonValue } from "../../src/core/json.ts";
import { applyPolicy } from "../../src/catalog/policy.ts";
import { randomPayload } from "../support/payloads.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { type Caller, sharedWorld } from "../support/world.ts";
import { assertFailure, assertWritesNothing, pathOf } from "./kernel.ts";

const world = sharedWorld();

/** The fewest modules with every kind of field. */
const MODULES = withEveryKind(CATALOG.modules.filter((module) => module.access === "GENERIC"));
const SECRET = "hunter2 is my secret";

/** Uploads three attachments. */
async function attachmentsOf(caller: Caller): Promise<string[]> {
  const ids: string[] = [];
  for (const filename of ["a.txt", "b.txt", "c.txt"]) {
    const headers = { "Content-Type": "text/plain", "X-Filename": filename };
    const upload = await caller.call("POST", "/api/v2/attachments", { headers, raw: filename });
    ids.push(upload.body.data.attachmentId);
  }
  return ids;
}

for (const [index, module] of MODULES.entries()) {
  Deno.test(`POST record stores what the policy makes of a random ${module.code} payload`, async () => {
    const random = seededRandom(index + 1);
    const caller = await world().createCaller();
    const attachmentIds = await attachmentsOf(caller);
    const now = world().now();
    for (let run = 0; run < 8; run++) {
      const payload = withOffsets(module, randomPayload(module, random, { now, attachmentIds }));
      const label = `${module.code}, seed ${index + 1}, run ${run}: ${JSON.stringify(payload)}`;
      const body = { title: random.text(1, 200), summary: random.text(0, 300), payload };
      const path = `/api/v2/records/${module.code}`;
      const response = await caller.call("POST", path, { key: ulid(), body });
      assertEquals(response.status, 201, `${label} ${response.text}`);
      const { recordId } = response.body.data;
      const set = new Set(Object.keys(payload));
      const expected = {
        ...body,
        payload: applyPolicy(module, payload, { now, recordId, set }).payload,
      };
      const read = (await caller.call("GET", pathOf(response.body.data))).body.data;
      for (const { title, summary, payload } of [response.body.data, read]) {
        assertEquals({ title, summary, payload }, expected, label);
      }
      // A read-back payload is accepted without effect.
      const same = await caller.call("PATCH", pathOf(read), { body: { payload: read.payload } });
      assertEquals([same.status, same.body.data], [200, read], label);
    }
  });

  Deno.test(`POST record rejects a random invalid ${module.code} payload and stores nothing`, async () => {
    const random = seededRandom(index + 101);
    const caller = await world().createCaller();
    const attachmentIds = await attachmentsOf(caller);
    const path = `/api/v2/records/${module.code}`;
    const right = randomPayload(module, random, { now: world().now(), attachmentIds });
    const made = await caller.create(module.code, right);
    await assertWritesNothing(world(), async () => {
      for (let run = 0; run < 12; run++) {
        const [wrong, name] = mutate(module, right, random);
        const label = `${module.code}, seed ${index + 101}, run ${run}: ${JSON.stringify(wrong)}`;
        const body = { title: SECRET, payload: wrong };
        const answers = [await caller.call("POST", path, { key: ulid(), body })];
        if (name in wrong) {
          const patch = { payload: { [name]: wrong[name] ?? null } };
          answers.push(await caller.call("PATCH", pathOf(made), { key: ulid(), body: patch }));
        }
        for (const response of answers) {
          assertFailure(response, "PAYLOAD_INVALID", label);
          assert(!response.text.includes("hunter2"), label);
        }
      }
    });
    assert(!JSON.stringify(world().log).includes("hunter2"));
    assertEquals((await caller.call("GET", pathOf(made))).body.data, made);
  });
}

/** Each adds a kind of field, richest first. */
function withEveryKind(modules: readonly CatalogModule[]): CatalogModule[] {
  const kindsOf = ({ fields }: CatalogModule) => new Set(fields.map(({ edit }) => edit));
  const chosen: CatalogModule[] = [];
  for (const module of modules.toSorted((a, b) => kindsOf(b).size - kindsOf(a).size)) {
    const present = new Set(chosen.flatMap((each) => [...kindsOf(each)]));
    if (!kindsOf(module).isSubsetOf(present)) chosen.push(module);
  }
  return chosen;
}

/** The same times with an offset. */
function withOffsets(module: CatalogModule, payload: JsonObject): JsonObject {
  const written = { ...payload };
  for (const { name, edit } of module.fields) {
    const time = payload[name];
    if (edit !== "datetime" || typeof time !== "string") continue;
    written[name] = new Date(Date.parse(time) + 5_400_000).toISOString().replace("Z", "+01:30");
  }
  return written;
}

/** One wrong, missing or undeclared field; returns which. */
function mutate(module: CatalogModule, payload: JsonObject, random: Random): [JsonObject, string] {
  const required = random.pick(module.fields.filter((field) => field.required));
  const field = random.pick(module.fields);
  switch (random.pick(["missing", "undeclared", "wrong", "wrong"])) {
    case "missing": {
      const { [required.name]: _, ...others } = payload;
      return [others, required.name];
    }
    case "undeclared": {
      const name = random.pick([SECRET, "ownerId", "toString", ""]);
      return [{ ...payload, [name]: SECRET }, name];
    }
    default:
      return [{ ...payload, [field.name]: random.pick(wrongValues(field)) }, field.name];
  }
}

function wrongValues(field: Field): JsonValue[] {
  switch (field.edit) {
    case "text":
      return [null, 7, [SECRET], `${SECRET}\u0007`, SECRET.repeat(200)];
    case "textarea":
      return [null, 7, { text: SECRET }, SECRET.repeat(6000)];
    case "tags":
      return [null, SECRET, [SECRET, 7], [SECRET.repeat(4)], [" "]];
    case "file":
      return [null, SECRET, [SECRET], [7], [ulid()]];
    case "number":
      return [null, SECRET, "1", 1e15, -1e15];
    case "json":
      return [null, SECRET, 7, true];
    default:
      return [null, SECRET, 7, [SECRET]];
  }
}
