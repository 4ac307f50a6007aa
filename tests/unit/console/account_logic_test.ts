import { assert, assertEquals } from "@std/assert";
import { PERMISSIONS } from "../../../src/access/permissions.ts";
import { ACCESS_EVENTS } from "../../../src/accounts/events.ts";
import { sha256Hex } from "../../../src/core/digest.ts";
import { canCheck, isWhole } from "../../../src/console/web/fields/saved_file.js";
import { systemOperation } from "../../../src/families/relationship/proposal_rules.ts";
import { label } from "../../../src/console/web/core/names.js";
import germanLabels from "../../../src/console/web/lang/de/labels/index.js";
import sentences from "../../../src/console/web/lang/en/account/index.js";
import { auditParts } from "../../../src/console/web/pages/audit/trail.js";
import { isPublic } from "../../../src/console/web/pages/credentials/assistant_programs.js";
import { hostOf } from "../../../src/console/web/pages/credentials/authorization.js";
import { choices, permissionsOf } from "../../../src/console/web/pages/credentials/tokens.js";

Deno.test("A token for reading everything has no secrets and no writes", () => {
  const given = permissionsOf("read", PERMISSIONS);
  const isRead = (name: string) => name.endsWith(".read") && name !== "audit.read";
  assertEquals(given, PERMISSIONS.filter((name) => name === "platform.operate" || isRead(name)));
  assert(given.length > 10);
  assert(!given.some((name) => /secret|write|manage|confirm|control|publish/.test(name)));
});

Deno.test("A token for capture adds, and reads nothing", () => {
  const capture = permissionsOf("capture", PERMISSIONS);
  assertEquals(permissionsOf("inbox", PERMISSIONS), capture);
  assertEquals(capture.toSorted(), [
    "attachment.write",
    "platform.operate",
    "record.write",
  ]);
});

Deno.test("No token has more permissions than the account, for any choice", () => {
  const held = ["memory.read", "platform.operate"];
  assertEquals(permissionsOf("read", held), held);
  assertEquals(permissionsOf("capture", held), ["platform.operate"]);
  assertEquals(permissionsOf("own", held, ["memory.read", "memory.secret"]), held);
  assertEquals(permissionsOf("own", held), ["platform.operate"]);
});

Deno.test("Every permission that a token can use can be chosen", () => {
  const offered = [...choices(PERMISSIONS).values()].flat();
  const none = ["platform.operate", "token.manage", "account.manage"];
  assertEquals(
    offered.map(({ name }) => name).toSorted(),
    PERMISSIONS.filter((name) => !none.includes(name)).toSorted(),
  );
  assertEquals(choices(PERMISSIONS).get("memory")?.map(({ act }) => act), [
    "read",
    "write",
    "secret",
  ]);
});

Deno.test("Every access event has a sentence, or a label in German and a name that is one", () => {
  for (const event of ACCESS_EVENTS) {
    if (Object.hasOwn(sentences, event)) continue;
    assert(Object.hasOwn(germanLabels, event), event);
    assert(
      /^[A-Z][a-z ]+ (created|disabled|enabled|granted|revoked|used|changed|unfrozen)$/
        .test(label(event)),
      event,
    );
  }
});

/** Operations that write no audit entry, or an access event. */
const UNAUDITED =
  /^(auth|assistant|authorization|calendar|passkey|password|second_factor|session|step_up|token)\.|search$|person\.find$|thumbnail\.put$/;

Deno.test("Every write has a sentence in the audit trail", async () => {
  const source = await Deno.readTextFile("src/routes.ts");
  const writes = Array.from(
    source.matchAll(
      /"(?:POST|PUT|PATCH)", [^,]+, (?:null|"[a-z.]+"), (?:(?:null|"[a-z ]+"), )?"([a-z._]+)"/g,
    ),
    ([, operation = ""]) => operation,
  ).filter((operation) => !UNAUDITED.test(operation));
  writes.push(...["READY", "STALE", "EXPIRED"].map((state) => systemOperation(state as "READY")));
  writes.push("import.item", "import.original", "erasure.run", "legacy.import");
  assert(writes.length > 60, `${writes.length}`);
  for (const operation of writes) {
    const { done = "" } = auditParts({ operation, moduleCode: "health" }) ?? {};
    assert(Object.hasOwn(germanLabels, done), operation);
  }
  assertEquals(auditParts({ operation: "record.create", moduleCode: "health" }), {
    done: "CREATED",
    thing: "health",
  });
  assertEquals(auditParts({ operation: "memory.slice.recover", moduleCode: "memory" }), {
    done: "RESTORED",
    thing: "slice",
  });
  assertEquals(auditParts({ operation: "something.new", moduleCode: null }), null);
});

Deno.test("A file is complete only if every byte is there", async () => {
  const text = "everything that was sent";
  const sha256 = sha256Hex(text);
  assert(await isWhole(new Blob([text]), sha256));
  assert(!await isWhole(new Blob([text.slice(1)]), sha256));
  assert(!await isWhole(new Blob([]), sha256));
  assert(canCheck(64 * 1024 * 1024));
  assert(!canCheck(64 * 1024 * 1024 + 1));
});

Deno.test("A callback is shown by its host, and by its scheme unless that is https", () => {
  const shown: Readonly<Record<string, string>> = {
    "https://claude.ai/api/mcp/auth_callback": "claude.ai",
    "https://example.org:8443?a=https://claude.ai/": "example.org:8443",
    "http://elsewhere.example/https://claude.ai/": "http://elsewhere.example",
    "cursor://anysphere.cursor-mcp/oauth/callback": "cursor://anysphere.cursor-mcp",
  };
  for (const [callback, host] of Object.entries(shown)) assertEquals(hostOf(callback), host);
});

Deno.test("Clouds reach only names of the internet, by https on its port", () => {
  const isReached = (address: string) => isPublic(new URL(address));
  assert(["https://records.example", "https://a.xn--p1ai"].every(isReached));
  const others = ["http://records.example", "https://records.example:8443", "https://localhost"];
  const home = ["https://nas.local", "https://10.0.0.1", "https://[2001:db8::1]", "https://nas"];
  assert(![...others, ...home].some(isReached));
});
