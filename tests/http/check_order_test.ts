/**
 * Order of checks: of two faults the earlier check answers.
 *
 * A request has independent properties; a fault spoils some. Every pair with different properties
 * is sent.
 */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { ErrorCode } from "../../src/errors/codes.ts";
import { type Caller, fileWorld, type TestResponse, type World } from "../support/world.ts";
import { assertFailure, catalogWith, COMMITMENT, setMaintenance, tableCounts } from "./kernel.ts";

const shared = fileWorld({
  catalog: catalogWith({ "CMT-001": { status: "implemented_local", strategy: "analyze" } }),
  executors: { analyze: () => ({}) },
});

/** Everything that can be wrong. */
interface Sent {
  readonly root: string;
  readonly method: string;
  readonly caller: "owner" | "nobody" | "powerless";
  readonly module: string;
  readonly recordId: string;
  readonly feature: string;
  readonly query: string;
  readonly key: string | null;
  readonly mediaType: string;
  /** Adds a member; the body stays JSON. */
  readonly undeclared: boolean;
  /** Beyond the size limit. */
  readonly oversize: boolean;
  readonly maintenance: boolean;
  readonly invalid: boolean;
  readonly expectedRevision: number | null;
}

interface Fault {
  readonly code: ErrorCode;
  readonly spoils: Partial<Sent>;
  /** Must be valid for the fault to show. */
  readonly needs?: keyof Sent;
}

const ANY_ROUTE: readonly Fault[] = [
  { code: "HTTP_404", spoils: { root: "/api/v3/records" } },
  { code: "HTTP_405", spoils: { method: "DELETE" } },
  { code: "AUTH_REQUIRED", spoils: { caller: "nobody" } },
  { code: "FORBIDDEN", spoils: { caller: "powerless" } },
  { code: "RECORD_MODULE_NOT_FOUND", spoils: { module: "nothing" } },
];
const ANY_BODY: readonly Fault[] = [
  { code: "PAYLOAD_INVALID", spoils: { key: "two words" } },
  { code: "HTTP_415", spoils: { mediaType: "text/plain" } },
  { code: "HTTP_413", spoils: { oversize: true } },
  { code: "PAYLOAD_INVALID", spoils: { undeclared: true } },
  { code: "SYSTEM_MAINTENANCE", spoils: { maintenance: true } },
  { code: "IDEMPOTENCY_KEY_REUSED", spoils: { key: "used-before" }, needs: "recordId" },
];
const QUERY: Fault = { code: "PAYLOAD_INVALID", spoils: { query: "?unknown=1" } };
const RECORD_ID: Fault = { code: "PAYLOAD_INVALID", spoils: { recordId: "not-an-id" } };
const NO_KEY: Fault = { code: "RECORD_IDEMPOTENCY_KEY_REQUIRED", spoils: { key: null } };
const POLICY: Fault = { code: "PAYLOAD_INVALID", spoils: { invalid: true } };
const NO_RECORD: Fault = {
  code: "RECORD_NOT_FOUND",
  spoils: { recordId: "01JD5A0000000000000000RECD" },
};
const CONFLICT: Fault = { code: "REVISION_CONFLICT", spoils: { expectedRevision: 7 } };

/** In order of precedence. */
const WRITES: Readonly<Record<string, readonly Fault[]>> = {
  create: [
    ...ANY_ROUTE,
    { code: "DECISION_DEDICATED_ENDPOINT_REQUIRED", spoils: { module: "decision" } },
    QUERY,
    NO_KEY,
    ...ANY_BODY,
    POLICY,
  ],
  modify: [
    ...ANY_ROUTE,
    { code: "MEMORY_REVISION_DEDICATED_ENDPOINT_REQUIRED", spoils: { module: "memory" } },
    QUERY,
    RECORD_ID,
    ...ANY_BODY,
    POLICY,
    NO_RECORD,
    CONFLICT,
  ],
  archive: [
    ...ANY_ROUTE,
    { code: "RESOURCE_DEDICATED_ENDPOINT_REQUIRED", spoils: { module: "resource" } },
    QUERY,
    RECORD_ID,
    ...ANY_BODY,
    NO_RECORD,
    CONFLICT,
  ],
  feature: [
    ...ANY_ROUTE,
    { code: "FEATURE_NOT_FOUND", spoils: { feature: "CMT-009" } },
    { code: "FEATURE_MODULE_MISMATCH", spoils: { feature: "HLT-001" } },
    { code: "FEATURE_MODULE_MISMATCH", spoils: { module: "action" } },
    { code: "FEATURE_NOT_IMPLEMENTED", spoils: { feature: "CMT-002" } },
    QUERY,
    RECORD_ID,
    NO_KEY,
    ...ANY_BODY,
    NO_RECORD,
    CONFLICT,
  ],
};

/** Reads; HEAD and DELETE keep their meaning. */
const READS: Readonly<Record<string, readonly Fault[]>> = {
  detail: [...ANY_ROUTE, RECORD_ID, QUERY, NO_RECORD],
  revisions: [...ANY_ROUTE, RECORD_ID, QUERY, NO_RECORD],
  executions: [...ANY_ROUTE, RECORD_ID, QUERY, NO_RECORD],
  list: [...ANY_ROUTE, QUERY],
};

for (const [route, faults] of Object.entries({ ...WRITES, ...READS })) {
  Deno.test(`The ${route} route reports the earlier of two faults and writes nothing`, async () => {
    const stage = await Stage.open(route);
    const before = await stage.counts();
    let pairs = 0;
    for (const [index, earlier] of faults.entries()) {
      for (const later of faults.slice(index)) {
        if (earlier !== later && collide(earlier, later)) continue;
        const response = await stage.send({ ...later.spoils, ...earlier.spoils });
        const label = JSON.stringify([earlier.spoils, later.spoils]);
        assertFailure(response, earlier.code, label);
        pairs++;
      }
    }
    assertEquals(await stage.counts(), before);
    assert(pairs > faults.length);
    // Without a fault the request succeeds.
    const { status } = await stage.send({});
    assertEquals(status, route === "create" ? 201 : 200);
  });
}

function collide(earlier: Fault, later: Fault): boolean {
  const names = [...Object.keys(earlier.spoils), earlier.needs ?? ""];
  return names.some((name) => name in later.spoils);
}

/** A record and a used key. */
class Stage {
  private constructor(
    readonly route: string,
    readonly world: World,
    readonly owner: Caller,
    readonly powerless: Caller,
    readonly recordId: string,
  ) {}

  static async open(route: string): Promise<Stage> {
    const world = shared();
    const owner = await world.createCaller();
    const { recordId } = await owner.create("commitment", COMMITMENT);
    const stage = new Stage(route, world, owner, await world.createCaller("SERVICE"), recordId);
    // Uses the key with another body.
    if (route in WRITES) await stage.#sendBody({ key: "used-before" }, stage.#otherBody());
    return stage;
  }

  counts(): Promise<Record<string, number>> {
    return tableCounts(this.world);
  }

  send(spoilt: Partial<Sent>): Promise<TestResponse> {
    return this.#sendBody(spoilt, this.#body(spoilt));
  }

  async #sendBody(spoilt: Partial<Sent>, body: string | null): Promise<TestResponse> {
    const sent: Sent = { ...this.#faultless(), ...spoilt };
    const headers: Record<string, string> = {};
    if (body !== null && sent.method !== "GET") headers["Content-Type"] = sent.mediaType;
    if (sent.key !== null) headers["Idempotency-Key"] = sent.key;
    const options = { headers, ...(headers["Content-Type"] && body !== null && { raw: body }) };
    const caller =
      { owner: this.owner, powerless: this.powerless, nobody: this.world }[sent.caller];
    if (sent.maintenance) await setMaintenance(this.world, true);
    const response = await caller.call(sent.method, `${this.#path(sent)}${sent.query}`, options);
    if (sent.maintenance) await setMaintenance(this.world, false);
    return response;
  }

  #faultless(): Sent {
    return {
      root: "/api/v2/records",
      method: this.route === "modify" ? "PATCH" : this.route in WRITES ? "POST" : "GET",
      caller: "owner",
      module: "commitment",
      recordId: this.recordId,
      feature: "CMT-001",
      query: "",
      key: this.route in WRITES ? ulid() : null,
      mediaType: "application/json",
      undeclared: false,
      oversize: false,
      maintenance: false,
      invalid: false,
      expectedRevision: null,
    };
  }

  #path({ root, module, recordId, feature }: Sent): string {
    const record = `${root}/${module}/${recordId}`;
    switch (this.route) {
      case "create":
      case "list":
        return `${root}/${module}`;
      case "modify":
      case "detail":
        return record;
      case "feature":
        return `${record}/features/${feature}`;
      default:
        return `${record}/${this.route}`;
    }
  }

  #body({ undeclared, oversize, invalid, expectedRevision }: Partial<Sent>): string | null {
    if (!(this.route in WRITES)) return null;
    if (oversize) return JSON.stringify({ title: "a".repeat(2 * 1024 * 1024) });
    const payload = { ...COMMITMENT, ...(invalid && { completionStatus: "NO" }) };
    const carriesRecord = this.route === "create" || this.route === "modify";
    return JSON.stringify({
      ...(carriesRecord && { title: "A title", payload }),
      ...(undeclared && { ownerId: ulid() }),
      ...(expectedRevision && { expectedRevision }),
    });
  }

  #otherBody(): string {
    if (this.route === "feature") return JSON.stringify({ input: { other: true } });
    if (this.route === "archive") return JSON.stringify({ expectedRevision: 1 });
    return JSON.stringify({ title: "Another", payload: COMMITMENT });
  }
}
