/** Every public error code, except those of other suites. */

import { assertEquals } from "@std/assert";
import { contentOf, createAssistant, decide as decideProposal, LIMITS } from "./assistants.ts";
import { ulid } from "@std/ulid";
import { openPostgres } from "../../src/database/postgres.ts";
import { ERROR_CODES, type ErrorCode } from "../../src/errors/codes.ts";
import {
  callApp,
  type Caller,
  callerOf,
  createWorld,
  type TestResponse,
  type World,
} from "../support/world.ts";
import { fileOf } from "../support/account_file.ts";
import { importFile } from "./account.ts";
import { holdBeforeBegin } from "./held_database.ts";
import { fillStorage } from "./storage.ts";
import { assertFailure, COMMITMENT, COMMITMENTS, pathOf, setMaintenance } from "./kernel.ts";
import { decide, decisionPath, OUTCOME, PREDICTION } from "../families/decision/api.ts";
import { confirm, propose, readyProposal, reject } from "../families/relationship/evaluation.ts";
import { roleBody, ROLES } from "../families/identity/api.ts";
import { contact, control, createPerson, personPath } from "../families/relationship/api.ts";
import { act, makeImport } from "./imports.ts";
import { done, post, read } from "../families/memory/api.ts";
import { CATEGORIES, category, tag, TAGS, termPath } from "../families/taxonomy/api.ts";

/** Accounts, sessions, attachments and memories: in their suites. */
const ELSEWHERE = [
  "ACCOUNT_CONFLICT",
  "ACCOUNT_MOVED",
  "ATTACHMENT_CONFLICT",
  "ATTACHMENT_LOST",
  "HTTP_429",
  "MEMORY_STATE_CONFLICT",
  "PASSKEY_STATE_CONFLICT",
  "PRIVACY_DOWNGRADE_FORBIDDEN",
  "SECOND_FACTOR_REQUIRED",
  "SECOND_FACTOR_STATE_CONFLICT",
  "SETUP_CLOSED",
  "STEP_UP_REQUIRED",
];

interface Scene {
  readonly world: World;
  readonly caller: Caller;
  readonly path: string;
}

type Provocation = (scene: Scene) => Promise<TestResponse>;

const CREATION = { title: "A title", payload: COMMITMENT };

function feature(module: string, featureId: string): Provocation {
  const path = `/api/v2/records/${module}/${ulid()}/features/${featureId}`;
  return ({ caller }) => caller.call("POST", path, { key: "k", body: {} });
}

function creation(module: string): Provocation {
  const path = `/api/v2/records/${module}`;
  return ({ caller }) => caller.call("POST", path, { key: "k", body: CREATION });
}

const PROVOCATIONS: Partial<Readonly<Record<ErrorCode, Provocation>>> = {
  PAYLOAD_INVALID: ({ caller }) => caller.call("GET", `${COMMITMENTS}?page=2`),
  RECORD_IDEMPOTENCY_KEY_REQUIRED: ({ caller }) =>
    caller.call("POST", COMMITMENTS, { body: CREATION }),
  FEATURE_MODULE_MISMATCH: feature("health", "CMT-001"),
  AUTH_REQUIRED: ({ world, path }) => world.call("GET", path),
  FORBIDDEN: async ({ world, path }) => (await world.createCaller("SERVICE")).call("GET", path),
  RECORD_MODULE_NOT_FOUND: creation("nothing"),
  RECORD_ERASED: async ({ world, caller: { accountId, call } }) => {
    const [subject, certificate] = [ulid(), ulid()];
    await world.raw(`
      insert into erased_subjects values
        ('${accountId}', '${subject}', 'commitment', '${certificate}', now())`);
    return await call("GET", `${COMMITMENTS}/${subject}`);
  },
  RECORD_NOT_FOUND: async ({ world, path }) => (await world.createCaller()).call("GET", path),
  FEATURE_NOT_FOUND: feature("commitment", "CMT-999"),
  REVISION_CONFLICT: ({ caller, path }) =>
    caller.call("PATCH", path, { body: { title: "B", expectedRevision: 2 } }),
  IDEMPOTENCY_IN_PROGRESS: repeatWhileOpen,
  IDEMPOTENCY_KEY_REUSED: async ({ caller }) => {
    await caller.call("POST", COMMITMENTS, { key: "k", body: CREATION });
    return await caller.call("POST", COMMITMENTS, { key: "k", body: { ...CREATION, title: "B" } });
  },
  SYSTEM_MAINTENANCE: async ({ world, caller, path }) => {
    await setMaintenance(world, true);
    const response = await caller.call("POST", `${path}/archive`);
    await setMaintenance(world, false);
    return response;
  },
  RELATIONSHIP_STATUS_CONFLICT: async ({ caller }) => {
    const body = { status: "ACTIVE", expectedRevision: 1 };
    return await post(caller, personPath(await createPerson(caller), "/status"), body);
  },
  RELATIONSHIP_ENTRY_CONFLICT: async ({ caller }) => {
    const entry = await contact(caller, await createPerson(caller));
    await control(caller, entry, { kind: "RETRACTED" });
    return await control(caller, entry, { kind: "RETRACTED" });
  },
  RELATIONSHIP_PROPOSAL_CONFLICT: async ({ caller }) =>
    await reject(caller, await propose(caller, await createPerson(caller))),
  PROPOSAL_STATE_CONFLICT: async ({ world, caller }) => {
    const app = world.again({ assistants: LIMITS });
    const owner = callerOf(app, caller);
    const own = { app, database: world.database, now: () => world.now() };
    const helper = await createAssistant(own, owner, {
      modules: ["commitment"],
      mayPropose: true,
    });
    const args = { moduleCode: "commitment", title: "A", payload: COMMITMENT };
    const { proposalId } = contentOf(await helper.call("propose_record", args));
    await decideProposal(owner, proposalId, "reject");
    return await decideProposal(owner, proposalId, "accept");
  },
  RELATIONSHIP_PROPOSAL_STALE: async ({ world, caller }) => {
    const known = await createPerson(caller);
    const proposal = await readyProposal(world, caller, known);
    await contact(caller, known);
    return await confirm(world, caller, proposal);
  },
  IDENTITY_STATE_CONFLICT: ({ caller }) => post(caller, ROLES, roleBody(2010)),
  DECISION_STATE_CONFLICT: async ({ caller }) => {
    const decision = await decide(caller);
    const prediction = await done(caller, decisionPath(decision, "/predictions"), PREDICTION);
    const outcome = { ...OUTCOME, predictionId: prediction.predictionId };
    await done(caller, decisionPath(decision, "/outcomes"), outcome);
    return await post(caller, decisionPath(decision, "/outcomes"), outcome);
  },
  TAXONOMY_STATE_CONFLICT: async ({ caller }) => {
    await category(caller, "Below", await category(caller, "Above"));
    const [above] = (await read(caller, `${CATEGORIES}?parentId=root`)).items;
    return await post(caller, termPath(above, "/deactivate"), {});
  },
  IMPORT_STATE_CONFLICT: async ({ caller }) => await act(caller, await makeImport(caller), "stop"),
  TAXONOMY_TAG_NAME_CONFLICT: async ({ caller }) => {
    await tag(caller, "Garden");
    return await post(caller, TAGS, { name: "garden" });
  },
  TAXONOMY_CATEGORY_NAME_CONFLICT: async ({ caller }) => {
    await category(caller, "Garden");
    return await post(caller, CATEGORIES, { name: "garden" });
  },
  TAXONOMY_CATEGORY_PARENT_INVALID: ({ caller }) =>
    post(caller, CATEGORIES, { name: "Garden", parentId: ulid() }),
  TAXONOMY_CATEGORY_CYCLE: async ({ caller }) => {
    const garden = await category(caller, "Garden");
    const body = { expectedRevision: 1, parentId: garden.termId };
    return await post(caller, termPath(garden, "/move"), body);
  },
  TAXONOMY_CATEGORY_DEPTH_EXCEEDED: async ({ caller }) => {
    let last = await category(caller, "Level 1");
    for (let level = 2; level <= 8; level++) last = await category(caller, `Level ${level}`, last);
    return await post(caller, CATEGORIES, { name: "Level 9", parentId: last.termId });
  },
  ACCOUNT_STORAGE_FULL: async ({ world, caller }) => {
    const limited = callerOf(world.again({ accountStorageBytes: 1_000_000 }), caller);
    return await fillStorage(limited);
  },
  ACCOUNT_NOT_EMPTY: ({ caller }) => importFile(caller, fileOf([])),
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
  IDENTITY_LEGACY_WRITE_DISABLED: ({ caller }) => caller.call("POST", "/api/v1/identity"),
  RELATIONSHIP_LEGACY_WRITE_DISABLED: ({ caller }) => caller.call("POST", "/api/v1/relationship"),
  RESOURCE_LEGACY_WRITE_DISABLED: ({ caller }) => caller.call("DELETE", "/api/v1/resource/any"),
  HTTP_404: ({ caller }) => caller.call("GET", "/api/v2/recods"),
  HTTP_405: ({ caller, path }) => caller.call("DELETE", path),
  HTTP_408: ({ caller, path }) => {
    const raw = new ReadableStream({ start: (body) => body.error(new Error("gone")) });
    const headers = { "Content-Type": "application/json" };
    return caller.call("PATCH", path, { headers, raw });
  },
  HTTP_413: ({ caller, path }) =>
    caller.call("PATCH", path, { body: { title: "a".repeat(2 * 1024 * 1024) } }),
  HTTP_415: ({ caller, path }) => caller.call("PATCH", path, { raw: "title=B" }),
  HTTP_416: async ({ caller }) => {
    const headers = { "Content-Type": "text/plain", "X-Filename": "a.txt" };
    const upload = await caller.call("POST", "/api/v2/attachments", { headers, raw: "abc" });
    const path = `/api/v2/attachments/${upload.body.data.attachmentId}/content`;
    return await caller.call("GET", path, { headers: { Range: "bytes=9-" } });
  },
  HTTP_421: ({ world, path }) => {
    const fetch = world.app.fetch;
    const elsewhere = { fetch: () => fetch(new Request(`https://elsewhere.example${path}`)) };
    return callApp(elsewhere, "GET", path);
  },
  HTTP_503: callWithoutDatabase,
  INTERNAL_ERROR: async ({ world, caller }) => {
    await world.raw(`
      insert into idempotency_envelopes (owner_id, operation, target, idempotency_key, fingerprint,
                                         fingerprint_key, envelope, created_at)
        values ('${caller.accountId}', 'record.create:commitment', '', 'drift', '\\x00', 'other',
                '{"v":0}', now())`);
    return await caller.call("POST", COMMITMENTS, { key: "drift", body: CREATION });
  },
};

async function repeatWhileOpen({ world, caller: owner, path }: Scene): Promise<TestResponse> {
  const held = holdBeforeBegin(world.database);
  const caller = callerOf(world.again({ database: held.database }), owner);
  const open = caller.call("POST", `${path}/archive`, { key: "k" });
  await held.reached;
  const response = await caller.call("POST", `${path}/archive`, { key: "k" });
  held.letGo();
  await open;
  return response;
}

async function callWithoutDatabase({ world, caller, path }: Scene): Promise<TestResponse> {
  // Nothing listens here.
  const database = openPostgres("postgres://prs@127.0.0.1:1/nothing", 2);
  const response = await callerOf(world.again({ database }), caller).call("GET", path);
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
    const caller = await world.createCaller();
    const path = pathOf(await caller.create("commitment", COMMITMENT));
    assertFailure(await provoke({ world, caller, path }), code as ErrorCode, code);
  }
});
