/** Every code of the public error table is provoked here, but for those of other suites. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { openPostgres } from "../../src/database/postgres.ts";
import { ERROR_CODES, type ErrorCode } from "../../src/errors/codes.ts";
import {
  callApp,
  createWorld,
  type Person,
  personOf,
  type TestResponse,
  type World,
} from "../support/world.ts";
import { fileOf } from "../support/account_file.ts";
import { importFile } from "./account.ts";
import { holdBeforeBegin } from "./held_database.ts";
import { assertFailure, COMMITMENT, COMMITMENTS, pathOf, setMaintenance } from "./kernel.ts";
import { decide, decisionPath, OUTCOME, PREDICTION } from "./decision.ts";
import { confirm, propose, readyProposal, reject } from "./evaluation.ts";
import { roleBody, ROLES } from "./identity.ts";
import { contact, control, meet, personPath } from "./relationship.ts";
import { done, post, read } from "./memory.ts";
import { CATEGORIES, category, tag, TAGS, termPath } from "./taxonomy.ts";

/** Codes of accounts, sessions and memories, which the suites of these provoke. */
const ELSEWHERE = [
  "ACCOUNT_CONFLICT",
  "ACCOUNT_MOVED",
  "HTTP_429",
  "MEMORY_STATE_CONFLICT",
  "PRIVACY_DOWNGRADE_FORBIDDEN",
  "SECOND_FACTOR_REQUIRED",
  "SECOND_FACTOR_STATE_CONFLICT",
  "SETUP_CLOSED",
  "STEP_UP_REQUIRED",
];

/** A world with a person and one record of theirs. */
interface Scene {
  readonly world: World;
  readonly person: Person;
  readonly path: string;
}

type Provocation = (scene: Scene) => Promise<TestResponse>;

const CREATION = { title: "A title", payload: COMMITMENT };

function feature(module: string, featureId: string): Provocation {
  const path = `/api/v2/records/${module}/${ulid()}/features/${featureId}`;
  return ({ person }) => person.call("POST", path, { key: "k", body: {} });
}

function creation(module: string): Provocation {
  const path = `/api/v2/records/${module}`;
  return ({ person }) => person.call("POST", path, { key: "k", body: CREATION });
}

const PROVOCATIONS: Partial<Readonly<Record<ErrorCode, Provocation>>> = {
  PAYLOAD_INVALID: ({ person }) => person.call("GET", `${COMMITMENTS}?page=2`),
  RECORD_IDEMPOTENCY_KEY_REQUIRED: ({ person }) =>
    person.call("POST", COMMITMENTS, { body: CREATION }),
  FEATURE_MODULE_MISMATCH: feature("health", "CMT-001"),
  AUTH_REQUIRED: ({ world, path }) => world.call("GET", path),
  FORBIDDEN: async ({ world, path }) => (await world.person("SERVICE")).call("GET", path),
  RECORD_MODULE_NOT_FOUND: creation("nothing"),
  RECORD_NOT_FOUND: async ({ world, path }) => (await world.person()).call("GET", path),
  FEATURE_NOT_FOUND: feature("commitment", "CMT-999"),
  REVISION_CONFLICT: ({ person, path }) =>
    person.call("PATCH", path, { body: { title: "B", expectedRevision: 2 } }),
  IDEMPOTENCY_IN_PROGRESS: repeatWhileOpen,
  IDEMPOTENCY_KEY_REUSED: async ({ person }) => {
    await person.call("POST", COMMITMENTS, { key: "k", body: CREATION });
    return await person.call("POST", COMMITMENTS, { key: "k", body: { ...CREATION, title: "B" } });
  },
  SYSTEM_MAINTENANCE: async ({ world, person, path }) => {
    await setMaintenance(world, true);
    const response = await person.call("POST", `${path}/archive`);
    await setMaintenance(world, false);
    return response;
  },
  RELATIONSHIP_STATUS_CONFLICT: async ({ person }) => {
    const body = { status: "ACTIVE", expectedRevision: 1 };
    return await post(person, personPath(await meet(person), "/status"), body);
  },
  RELATIONSHIP_ENTRY_CONFLICT: async ({ person }) => {
    const entry = await contact(person, await meet(person));
    await control(person, entry, { kind: "RETRACTED" });
    return await control(person, entry, { kind: "RETRACTED" });
  },
  RELATIONSHIP_PROPOSAL_CONFLICT: async ({ person }) =>
    await reject(person, await propose(person, await meet(person))),
  RELATIONSHIP_PROPOSAL_STALE: async ({ world, person }) => {
    const known = await meet(person);
    const proposal = await readyProposal(world, person, known);
    await contact(person, known);
    return await confirm(world, person, proposal);
  },
  IDENTITY_STATE_CONFLICT: ({ person }) => post(person, ROLES, roleBody(2010)),
  DECISION_STATE_CONFLICT: async ({ person }) => {
    const decision = await decide(person);
    const prediction = await done(person, decisionPath(decision, "/predictions"), PREDICTION);
    const outcome = { ...OUTCOME, predictionId: prediction.predictionId };
    await done(person, decisionPath(decision, "/outcomes"), outcome);
    return await post(person, decisionPath(decision, "/outcomes"), outcome);
  },
  TAXONOMY_STATE_CONFLICT: async ({ person }) => {
    await category(person, "Below", await category(person, "Above"));
    const [above] = (await read(person, `${CATEGORIES}?parentId=root`)).items;
    return await post(person, termPath(above, "/deactivate"), {});
  },
  TAXONOMY_TAG_NAME_CONFLICT: async ({ person }) => {
    await tag(person, "Garden");
    return await post(person, TAGS, { name: "garden" });
  },
  TAXONOMY_CATEGORY_NAME_CONFLICT: async ({ person }) => {
    await category(person, "Garden");
    return await post(person, CATEGORIES, { name: "garden" });
  },
  TAXONOMY_CATEGORY_PARENT_INVALID: ({ person }) =>
    post(person, CATEGORIES, { name: "Garden", parentId: ulid() }),
  TAXONOMY_CATEGORY_CYCLE: async ({ person }) => {
    const garden = await category(person, "Garden");
    const body = { expectedRevision: 1, parentId: garden.termId };
    return await post(person, termPath(garden, "/move"), body);
  },
  TAXONOMY_CATEGORY_DEPTH_EXCEEDED: async ({ person }) => {
    let last = await category(person, "Level 1");
    for (let level = 2; level <= 8; level++) last = await category(person, `Level ${level}`, last);
    return await post(person, CATEGORIES, { name: "Level 9", parentId: last.termId });
  },
  ACCOUNT_NOT_EMPTY: ({ person }) => importFile(person, fileOf([])),
  FEATURE_NOT_IMPLEMENTED: feature("commitment", "CMT-001"),
  MEMORY_TEXT_DEDICATED_ENDPOINT_REQUIRED: feature("memory", "MEM-001"),
  MEMORY_SLICE_DEDICATED_ENDPOINT_REQUIRED: feature("memory", "MEM-002"),
  MEMORY_DRAFT_DEDICATED_ENDPOINT_REQUIRED: feature("memory", "MEM-003"),
  MEMORY_REVISION_DEDICATED_ENDPOINT_REQUIRED: feature("memory", "MEM-004"),
  MEMORY_AI_DRAFT_DEDICATED_ENDPOINT_REQUIRED: feature("memory", "MEM-005"),
  MEMORY_TIME_DEDICATED_ENDPOINT_REQUIRED: feature("memory", "MEM-006"),
  MEMORY_PRIVACY_DEDICATED_ENDPOINT_REQUIRED: feature("memory", "MEM-007"),
  MEMORY_EXPORT_DEDICATED_ENDPOINT_REQUIRED: feature("memory", "MEM-008"),
  TAXONOMY_TAG_DEDICATED_ENDPOINT_REQUIRED: feature("taxonomy", "TAX-001"),
  TAXONOMY_CATEGORY_DEDICATED_ENDPOINT_REQUIRED: feature("taxonomy", "TAX-002"),
  TAXONOMY_ALIAS_DEDICATED_ENDPOINT_REQUIRED: feature("taxonomy", "TAX-003"),
  TAXONOMY_GOVERNANCE_DEDICATED_ENDPOINT_REQUIRED: feature("taxonomy", "TAX-004"),
  IDENTITY_DEDICATED_ENDPOINT_REQUIRED: creation("identity"),
  RELATIONSHIP_DEDICATED_ENDPOINT_REQUIRED: creation("relationship"),
  RESOURCE_DEDICATED_ENDPOINT_REQUIRED: creation("resource"),
  DECISION_DEDICATED_ENDPOINT_REQUIRED: creation("decision"),
  IDENTITY_LEGACY_WRITE_DISABLED: ({ person }) => person.call("POST", "/api/v1/identity"),
  RELATIONSHIP_LEGACY_WRITE_DISABLED: ({ person }) => person.call("POST", "/api/v1/relationship"),
  RESOURCE_LEGACY_WRITE_DISABLED: ({ person }) => person.call("DELETE", "/api/v1/resource/any"),
  HTTP_404: ({ person }) => person.call("GET", "/api/v2/recods"),
  HTTP_405: ({ person, path }) => person.call("DELETE", path),
  HTTP_408: ({ person, path }) => {
    const raw = new ReadableStream({ start: (body) => body.error(new Error("gone")) });
    const headers = { "Content-Type": "application/json" };
    return person.call("PATCH", path, { headers, raw });
  },
  HTTP_413: ({ person, path }) =>
    person.call("PATCH", path, { body: { title: "a".repeat(2 * 1024 * 1024) } }),
  HTTP_415: ({ person, path }) => person.call("PATCH", path, { raw: "title=B" }),
  HTTP_416: async ({ person }) => {
    const headers = { "Content-Type": "text/plain", "X-Filename": "a.txt" };
    const upload = await person.call("POST", "/api/v2/attachments", { headers, raw: "abc" });
    const path = `/api/v2/attachments/${upload.body.data.attachmentId}/content`;
    return await person.call("GET", path, { headers: { Range: "bytes=9-" } });
  },
  HTTP_421: ({ world, path }) => {
    const fetch = world.app.fetch;
    const elsewhere = { fetch: () => fetch(new Request(`https://elsewhere.example${path}`)) };
    return callApp(elsewhere, "GET", path);
  },
  HTTP_503: callWithoutDatabase,
  INTERNAL_ERROR: async ({ world, person }) => {
    await world.raw(`
      insert into idempotency_envelopes (owner_id, operation, target, idempotency_key, fingerprint,
                                         fingerprint_key, envelope, created_at)
        values ('${person.accountId}', 'record.create:commitment', '', 'drift', '\\x00', 'other',
                '{"v":0}', now())`);
    return await person.call("POST", COMMITMENTS, { key: "drift", body: CREATION });
  },
};

async function repeatWhileOpen({ world, person, path }: Scene): Promise<TestResponse> {
  const held = holdBeforeBegin(world.database);
  const caller = personOf(world.again({ database: held.database }), person);
  const open = caller.call("POST", `${path}/archive`, { key: "k" });
  await held.reached;
  const response = await caller.call("POST", `${path}/archive`, { key: "k" });
  held.letGo();
  await open;
  return response;
}

async function callWithoutDatabase({ world, person, path }: Scene): Promise<TestResponse> {
  // Nothing listens on this port.
  const database = openPostgres("postgres://prs@127.0.0.1:1/nothing", 2);
  const response = await personOf(world.again({ database }), person).call("GET", path);
  await database.close();
  return response;
}

Deno.test("Every public error code of this service is provoked over HTTP", async () => {
  assertEquals(
    [...Object.keys(PROVOCATIONS), ...ELSEWHERE].sort(),
    Object.keys(ERROR_CODES).sort(),
  );
  await using world = await createWorld();
  for (const [code, provoke] of Object.entries(PROVOCATIONS)) {
    const person = await world.person();
    const path = pathOf(await person.create("commitment", COMMITMENT));
    assertFailure(await provoke({ world, person, path }), code as ErrorCode, code);
  }
});
