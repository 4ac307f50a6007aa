/** Order of checks: the earlier of two faults answers. */

import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import type { ErrorCode } from "../../src/errors/codes.ts";
import { type Caller, createWorld, type Json, type World } from "../support/world.ts";
import { assertFailure, assertWritesNothing } from "./kernel.ts";
import { withPermissions } from "../families/memory/api.ts";
import {
  control,
  createPerson,
  evidence,
  move,
  PEOPLE,
  RETRACTED,
  withoutSecrets,
} from "../families/relationship/api.ts";

/** People by state, with evidence in each. */
type People = Readonly<Record<"open" | "archived" | "sealed", Json>>;

/** Everything that can be wrong in a control of evidence or a patch. */
interface Sent {
  readonly caller: "full" | "blind" | "reader";
  readonly person: keyof People | "unknown" | "malformed";
  readonly entry: "open" | "secret" | "ended" | "secretly ended" | "unknown";
  readonly query: string;
  readonly key: string | null;
  readonly mediaType: string;
  readonly body: JsonObject;
}

interface Fault {
  readonly code: ErrorCode;
  readonly spoils: Partial<Sent>;
}

/** Common faults, in order of precedence. */
const COMMON: readonly Fault[] = [
  { code: "FORBIDDEN", spoils: { caller: "reader" } },
  { code: "PAYLOAD_INVALID", spoils: { query: "?unknown=1" } },
  { code: "PAYLOAD_INVALID", spoils: { person: "malformed" } },
  { code: "RECORD_IDEMPOTENCY_KEY_REQUIRED", spoils: { key: null } },
  { code: "HTTP_415", spoils: { mediaType: "text/plain" } },
];

const OF_CONTROLS: readonly Fault[] = [
  ...COMMON,
  { code: "PAYLOAD_INVALID", spoils: { body: { ...RETRACTED, undeclared: 1 } } },
  { code: "IDEMPOTENCY_KEY_REUSED", spoils: { key: "used-before" } },
  { code: "PAYLOAD_INVALID", spoils: { body: { kind: "SUPERSEDED" } } },
  { code: "RECORD_NOT_FOUND", spoils: { person: "unknown" } },
  { code: "RELATIONSHIP_STATUS_CONFLICT", spoils: { person: "sealed" } },
  { code: "RELATIONSHIP_STATUS_CONFLICT", spoils: { person: "archived" } },
  { code: "RECORD_NOT_FOUND", spoils: { entry: "unknown" } },
  { code: "FORBIDDEN", spoils: { caller: "blind", entry: "secret" } },
  { code: "FORBIDDEN", spoils: { caller: "blind", entry: "secretly ended" } },
  { code: "RELATIONSHIP_ENTRY_CONFLICT", spoils: { entry: "ended" } },
];

const CHANGE = { expectedRevision: 1, set: { opinion: "Kind." } };

const OF_PATCHES: readonly Fault[] = [
  ...COMMON,
  { code: "PAYLOAD_INVALID", spoils: { body: { ...CHANGE, undeclared: 1 } } },
  { code: "IDEMPOTENCY_KEY_REUSED", spoils: { key: "used-before" } },
  { code: "PAYLOAD_INVALID", spoils: { body: { ...CHANGE, set: { opinion: 1 } } } },
  { code: "RECORD_NOT_FOUND", spoils: { person: "unknown" } },
  { code: "RELATIONSHIP_STATUS_CONFLICT", spoils: { person: "sealed" } },
  { code: "REVISION_CONFLICT", spoils: { body: { expectedRevision: 99, set: { importance: 4 } } } },
  { code: "RELATIONSHIP_STATUS_CONFLICT", spoils: { person: "archived" } },
];

/** Caller, person, and evidence by state. */
interface Parts {
  readonly callers: Readonly<Record<Sent["caller"], Caller>>;
  readonly people: People;
  readonly entries: ReadonlyMap<string, Json>;
}

class Scene {
  readonly #parts: Parts;

  private constructor(parts: Parts) {
    this.#parts = parts;
  }

  static async open(world: World): Promise<Scene> {
    const full = await world.createCaller();
    const people = {
      open: await createPerson(full),
      archived: await createPerson(full),
      sealed: await createPerson(full),
    };
    const entries = new Map<string, Json>();
    for (const [name, known] of Object.entries(people)) {
      for (const entry of ["open", "secret", "ended", "secretly ended"]) {
        const privacy = entry.startsWith("secret") ? "SECRET" : "NORMAL";
        const made = await evidence(full, known, { privacy });
        if (entry.endsWith("ended")) await control(full, made, RETRACTED);
        entries.set(`${name} ${entry}`, made);
      }
    }
    await move(full, people.archived, "archive");
    await move(full, people.sealed, "SEALED");
    const blind = await withoutSecrets(world, full);
    const reader = await withPermissions(
      world,
      full,
      "relationship.person.read",
      "relationship.ledger.read",
    );
    return new Scene({ callers: { full, blind, reader }, people, entries });
  }

  /** Uses the key `used-before`. */
  async spendKeys(): Promise<void> {
    const change = { expectedRevision: 1, set: { importance: 4 } };
    await this.patch({ key: "used-before", body: change });
    const same = { kind: "PRIVACY_RECLASSIFIED", privacy: "NORMAL" };
    await this.control({ key: "used-before", body: same });
  }

  control(sent: Partial<Sent>) {
    const { person = "open", entry = "open" } = sent;
    const { evidenceId = ulid() } = this.#parts.entries.get(`${person} ${entry}`) ?? {};
    return this.#call("POST", `${this.#pathOf(person)}/evidence/${evidenceId}/control`, {
      body: RETRACTED,
      ...sent,
    });
  }

  patch(sent: Partial<Sent>) {
    const { person = "open" } = sent;
    const expectedRevision = person === "archived" || person === "sealed" ? 2 : 1;
    const body = { ...CHANGE, expectedRevision };
    return this.#call("PATCH", this.#pathOf(person), { body, ...sent });
  }

  #pathOf(person: Sent["person"]): string {
    if (person === "malformed") return `${PEOPLE}/not-an-id`;
    return `${PEOPLE}/${person === "unknown" ? ulid() : this.#parts.people[person].personId}`;
  }

  #call(method: string, path: string, sent: Partial<Sent> & Pick<Sent, "body">) {
    const { caller = "full", query = "", mediaType = "application/json", body } = sent;
    const key = sent.key === undefined ? ulid() : sent.key;
    return this.#parts.callers[caller].call(method, path + query, {
      body,
      headers: { "Content-Type": mediaType },
      ...(key !== null && { key }),
    });
  }
}

const REQUESTS = { control: OF_CONTROLS, patch: OF_PATCHES } as const;

for (const [request, faults] of Object.entries(REQUESTS)) {
  Deno.test(`Of two faults of a ${request} the earlier one is reported, and nothing is written`, async () => {
    await using world = await createWorld();
    const scene = await Scene.open(world);
    await scene.spendKeys();
    await assertWritesNothing(world, async () => {
      for (const [index, earlier] of faults.entries()) {
        for (const later of faults.slice(index)) {
          // Only open objects used the key.
          const parted = earlier.spoils.key === "used-before" &&
            ("person" in later.spoils || "entry" in later.spoils);
          if (parted || collide(earlier, later)) continue;
          const sent = { ...later.spoils, ...earlier.spoils };
          const response = await scene[request as keyof typeof REQUESTS](sent);
          assertFailure(response, earlier.code, JSON.stringify(sent));
        }
      }
    });
  });
}

function collide(one: Fault, other: Fault): boolean {
  return one !== other && Object.keys(one.spoils).some((name) => name in other.spoils);
}
