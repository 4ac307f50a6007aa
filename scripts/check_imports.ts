/**
 * Checks the structure of the tree: imports point down; rooms of one layer import only each other's
 * `port.ts`; imports of files enter rooms by their ports; no import cycles between files or rooms;
 * each table is named in one room's SQL; packages are imported at the edge; only listed files open
 * connections.
 *
 * It reads text, not types. Each rule is a line of a table below.
 */

import {
  findCircles,
  type Graph,
  importsOf,
  moduleGraph,
  readSources,
  resolve,
  type Sources,
  withoutComments,
} from "./module_graph.ts";
import { print } from "./print.ts";

/** Enters the rooms below it by a `port.ts` or `import_port.ts`. */
const IMPORTS = "src/imports/";

/** Import only each other's `port.ts`. */
const ROOMS_WITH_ROUTES: readonly string[] = [
  "src/accounts/",
  "src/assistants/",
  "src/attachments/",
  "src/audit/",
  "src/due/",
  "src/families/decision/",
  "src/families/identity/",
  "src/families/memory/",
  "src/families/relationship/",
  "src/families/resource/",
  "src/families/taxonomy/",
  "src/insight/",
  "src/operator/backup/schedule/",
  "src/records/",
  "src/search/",
  "src/v1/",
];

/**
 * Layers from the bottom up, each a list of rooms. A file belongs to its longest matching prefix,
 * and may import from its room and from lower layers.
 */
const LAYERS: readonly (readonly string[])[] = [
  ["src/std/"],
  ["src/core/"],
  // Another project's file format.
  ["src/operator/backup/age/"],
  ["src/errors/"],
  ["src/validate/"],
  ["src/database/"],
  // Erased identifiers. Names the tables of a backup as data, never in SQL.
  ["src/erasure/"],
  ["src/operator/config/"],
  // Authentication, without routes: `accounts` has those.
  ["src/access/"],
  ["src/command/"],
  ["src/http/"],
  ["src/catalog/"],
  // Updated by every write of a record, read by search only.
  ["src/records/search_index/"],
  // Shared by the roots of all families.
  ["src/kit/"],
  ROOMS_WITH_ROUTES,
  ["src/operator/metrics/"],
  // Writes items through the `import_port.ts` of the rooms below it.
  [IMPORTS],
  // Names families' tables as data, never in SQL.
  ["src/portability/"],
  ["src/openapi/"],
  // A client of the API: a package that imports nothing, and its users, a browser client and a
  // command.
  ["src/client/"],
  ["src/console/"],
  ["src/prs/"],
  // The providers of evaluations, and the worker that calls them.
  ["src/families/relationship/evaluation/"],
  ["src/routes.ts"],
  ["src/app.ts"],
  ["src/operator/open_database.ts"],
  ["src/operator/start_room.ts"],
  // Names every table as data, never in SQL.
  ["src/operator/backup/"],
  // Rebuilds an installation without the data that an operator names.
  ["src/operator/erasure/"],
  // Fills an account with samples through the families' writes.
  ["src/operator/seed/"],
  // The operator's commands, without routes.
  ["src/operator/admin/"],
  ["src/service.ts"],
  // Programs for people and supervisors.
  ["src/operator/programs/"],
  ["main.ts"],
];

/**
 * Only the owner's SQL may name a table. Credentials are authenticated and ended in `access`, and
 * have their rows and routes in another room, so both own them.
 */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  "src/database/": ["schema_migrations"],
  "src/access/": [
    "account_permissions",
    "accounts",
    "assistant_codes",
    "assistant_tokens",
    "assistants",
    "calendar_feeds",
    "permissions",
    "role_permissions",
    "roles",
    "server_secret_check",
    "sessions",
    "step_up_proofs",
    "token_permissions",
    "tokens",
  ],
  "src/accounts/": [
    "access_attempts",
    "access_events",
    "account_permissions",
    "accounts",
    "answered_passkey_sign_ins",
    "passkey_ceremonies",
    "passkey_host",
    "passkey_users",
    "passkeys",
    "pending_second_factors",
    "recovery_codes",
    "second_factors",
    "setup_token",
    "token_permissions",
    "tokens",
  ],
  "src/command/": [
    "account_storage",
    "maintenance_window",
    "audit_entries",
    "idempotency_envelopes",
  ],
  "src/audit/": ["audit_entries", "audit_late_entries", "audit_sealing", "audit_seals"],
  "src/assistants/": [
    "assistant_codes",
    "assistant_proposal_events",
    "assistant_proposals",
    "assistant_tokens",
    "assistants",
  ],
  "src/due/": ["calendar_feeds"],
  "src/erasure/": ["erased_subjects", "erasure_certificates"],
  "src/portability/": ["account_exports"],
  "src/operator/backup/schedule/": ["scheduled_backups"],
  "src/records/": ["change_feed", "executions", "record_order", "record_revisions", "records"],
  "src/records/search_index/": ["record_order", "search_index", "search_index_build"],
  "src/attachments/": [
    "attachments",
    "attachment_chunks",
    "attachment_thumbnails",
    "attachment_usage",
  ],
  "src/families/decision/": [
    "decision_analyses",
    "decision_analysis_revisions",
    "decision_counterfactual_revisions",
    "decision_counterfactuals",
    "decision_outcome_revisions",
    "decision_outcomes",
    "decision_prediction_revisions",
    "decision_predictions",
    "decision_revisions",
    "decision_simulation_revisions",
    "decision_simulations",
    "decisions",
  ],
  "src/families/relationship/": [
    "people",
    "person_contact_controls",
    "person_contacts",
    "person_detail_controls",
    "person_details",
    "person_evaluations",
    "person_evidence",
    "person_evidence_controls",
    "person_experiences",
    "person_proposal_events",
    "person_proposals",
    "person_revisions",
    "person_status_events",
    "person_timeline_entries",
  ],
  "src/families/identity/": [
    "identity_comparisons",
    "identity_legacy_drills",
    "identity_legacy_plan_revisions",
    "identity_legacy_plans",
    "identity_profile_revisions",
    "identity_profiles",
    "identity_publication_revisions",
    "identity_publications",
    "identity_roles",
    "identity_slugs",
    "identity_snapshots",
    "identity_stage_revisions",
    "identity_stages",
  ],
  "src/families/resource/": ["resources", "resource_revisions", "resource_snapshots"],
  "src/families/memory/": ["memories", "memory_drafts", "memory_revisions", "memory_slices"],
  "src/search/": ["record_order", "search_index", "search_index_build"],
  "src/imports/": ["import_items", "import_origins", "imports"],
  "src/families/taxonomy/": [
    "taxonomy_assignments",
    "taxonomy_names",
    "taxonomy_term_revisions",
    "taxonomy_terms",
  ],
};

/** May import the packages. */
const PACKAGES_IN = "src/database/";

/** Replacements of the standard library; the second for tests. */
const STAND_INS: readonly string[] = ["src/std/", "tests/std/"];

/**
 * The only files that open connections. Otherwise only the packages connect to the database, and
 * `Deno.serve` accepts requests.
 */
export const CONNECTING: readonly string[] = [
  // The admin command's Unix socket to the service.
  "src/operator/admin/socket.ts",
  // The health check of the service on this machine.
  "src/operator/programs/healthcheck.ts",
  // Calls the evaluation provider that the operator configured. Nothing else of the service calls
  // other servers.
  "src/families/relationship/evaluation/http_provider.ts",
  // The client package and its command, which call the service, start the editor, and read another
  // product on behalf of the user.
  "src/client/sender.ts",
  "src/prs/edit.ts",
  "src/prs/fetch/monica_client.ts",
  "src/prs/mcp.ts",
];

/** Code that opens connections, starts programs, or imports such code. */
const CONNECTS = new RegExp(
  [
    // The global function, not a method.
    /(?<![.#\w])fetch\((?!request: Request)/,
    /\bDeno\.(?:connect\w*|startTls|listenDatagram|createHttpClient|resolveDns|Command|dlopen)\b/,
    /\b(?:WebSocket|WebSocketStream|WebTransport|EventSource|XMLHttpRequest|Worker|globalThis)\b/,
  ].map(({ source }) => source).join("|"),
);

/** Allowed built-in modules; none can connect. */
const BUILT_IN = new Set(
  ["async_hooks", "buffer", "crypto", "fs", "path", "process", "stream", "zlib"].map((name) =>
    `node:${name}`
  ),
);

/** One sentence each. */
export function findViolations(sources: Sources): string[] {
  const violations: string[] = [];
  for (const [path, text] of sources) {
    if (path.startsWith("sql/")) violations.push(...tablesWithoutOwner(path, text));
    else if (path.endsWith(".ts")) violations.push(...checkFile(path, withoutComments(text)));
  }
  return [
    ...violations,
    ...findCircles(moduleGraph(sources)).map((circle) => describeCircle(circle, "imports itself")),
    ...findCircles(roomGraph(sources)).map((circle) => describeCircle(circle, "depends on itself")),
  ];
}

function describeCircle([first = "", ...others]: readonly string[], what: string): string {
  return `${first}: ${what} in a circle${others.length === 0 ? "" : ` with ${others.join(", ")}`}`;
}

/** The imports between rooms of `src`. */
export function roomGraph(sources: Sources): Graph {
  const graph = new Map<string, string[]>();
  for (const [path, targets] of moduleGraph(sources)) {
    const room = roomOf(path);
    if (!room.endsWith("/")) continue;
    const others = targets.map(roomOf).filter((other) => other !== room && other.endsWith("/"));
    graph.set(room, [...graph.get(room) ?? [], ...others]);
  }
  return graph;
}

function checkFile(path: string, code: string): string[] {
  const imports = importsOf(code).map((specifier) => checkImport(path, specifier));
  const inService = path === "main.ts" || path.startsWith("src/");
  const unplaced = inService && layerOf(path) === -1 ? [`${path}: has no layer`] : [];
  const tables = path.startsWith("src/") ? foreignTables(path, code) : [];
  const calls = inService && !CONNECTING.includes(path) && CONNECTS.test(code)
    ? [`${path}: could open a connection, which only ${CONNECTING.join(" and ")} may`]
    : [];
  return [...unplaced, ...imports.filter((violation) => violation !== null), ...tables, ...calls];
}

function checkImport(path: string, specifier: string): string | null {
  const violation = (why: string) => `${path}: imports "${specifier}", ${why}`;
  const inService = path === "main.ts" || path.startsWith("src/");
  if (!specifier.startsWith(".")) {
    if (inService && specifier === "@std/assert") return violation("which is for tests");
    if (inService && specifier.startsWith("node:") && !BUILT_IN.has(specifier)) {
      return violation("a built-in module that the service has no use for");
    }
    if (specifier.startsWith("node:") || specifier.startsWith("@std/")) return null;
    if (/^[a-z]+:/.test(specifier)) return violation("which deno.json does not name");
    if (!inService || path.startsWith(PACKAGES_IN)) return null;
    return violation(`a package, which only ${PACKAGES_IN} may`);
  }
  const target = resolve(path, specifier);
  if (STAND_INS.some((folder) => target.startsWith(folder) && !path.startsWith(folder))) {
    return violation("which is reached through @std/ only");
  }
  if (!inService) return null;
  if (/^(tests|scripts)\//.test(target)) return violation("which is no part of the service");
  if (target.endsWith(".sql")) return null;
  return checkLayers(path, target, violation);
}

function checkLayers(
  path: string,
  target: string,
  violation: (why: string) => string,
): string | null {
  const [from, to] = [layerOf(path), layerOf(target)];
  if (to > from) return violation("which lies above it");
  const isInside = ROOMS_WITH_ROUTES.includes(roomOf(target)) && !isPort(target);
  if (roomOf(path) === IMPORTS && isInside) return violation("without its import_port.ts");
  if (to < from || roomOf(path) === roomOf(target)) return null;
  return target.endsWith("/port.ts") ? null : violation("a neighbour, without its port.ts");
}

function isPort(path: string): boolean {
  return /\/(?:import_)?port\.ts$/.test(path);
}

/** -1 for none. */
function layerOf(path: string): number {
  return LAYERS.findIndex((prefixes) => prefixes.includes(roomOf(path)));
}

/** The longest matching prefix in `LAYERS`; empty for none. */
function roomOf(path: string): string {
  return LAYERS.flat().filter((prefix) => path.startsWith(prefix))
    .reduce((longest, prefix) => prefix.length > longest.length ? prefix : longest, "");
}

function foreignTables(path: string, code: string): string[] {
  const named = Array.from(
    code.matchAll(/\b(?:from|join|into|update|using|table|truncate)\s+(?:only\s+)?([a-z_]+)\b/gi),
    ([, table]) => table ?? "",
  );
  return [...new Set(named)].flatMap((table) => {
    const owners = Object.keys(TABLES).filter((owner) => TABLES[owner]?.includes(table));
    if (owners.length === 0 || owners.some((owner) => path.startsWith(owner))) return [];
    return [`${path}: names the table ${table}, which is ${owners.join(" and ")}'s`];
  });
}

function tablesWithoutOwner(path: string, text: string): string[] {
  const owned = new Set(Object.values(TABLES).flat());
  return Array.from(text.matchAll(/^create table (\w+)/gim), ([, table]) => table ?? "")
    .filter((table) => !owned.has(table))
    .map((table) => `${path}: the table ${table} has no owner in scripts/check_imports.ts`);
}

if (import.meta.main) {
  const sources = await readSources(".");
  const violations = findViolations(sources);
  const lines = [...violations, `${sources.size} files, ${violations.length} violations`];
  print(lines.join("\n"));
  Deno.exitCode = violations.length === 0 ? 0 : 1;
}
