/**
 * Checks the structure of the tree: imports point down, rooms of one layer import only each other's
 * `port.ts`, there is no import cycle between files or rooms, each table is named in one room's SQL only,
 * packages are imported at the edge only, and only a few named files open connections.
 *
 * It reads text, not types. Each rule is one line of a table below.
 */

/**
 * The layers from the bottom up, each a list of rooms. A file belongs to the longest prefix that its
 * path begins with; it may import from its own room and from every layer below its own.
 */
const LAYERS: readonly (readonly string[])[] = [
  ["src/std/"],
  ["src/core/"],
  // Another project's file format, for backups.
  ["src/operator/backup/age/"],
  ["src/errors/"],
  ["src/validate/"],
  ["src/database/"],
  ["src/operator/config/"],
  // Authentication, without routes: `accounts` has those.
  ["src/access/"],
  ["src/command/"],
  ["src/http/"],
  ["src/catalog/"],
  // The search index, which every write of a record updates and only search reads.
  ["src/records/search_index/"],
  // Shared by the roots of all families.
  ["src/families/kit/"],
  // Rooms with routes. One may import another's `port.ts` only.
  [
    "src/accounts/",
    "src/attachments/",
    "src/audit/",
    "src/families/decision/",
    "src/families/identity/",
    "src/families/memory/",
    "src/families/relationship/",
    "src/families/resource/",
    "src/families/taxonomy/",
    "src/operator/backup/schedule/",
    "src/records/",
    "src/search/",
    "src/v1/",
  ],
  ["src/operator/metrics/"],
  // Names the families' tables as data, never in SQL.
  ["src/portability/"],
  ["src/openapi/"],
  // A client of the API: pages and files for a browser.
  ["src/console/"],
  // The providers of evaluations, and the worker that calls them.
  ["src/families/relationship/evaluation/"],
  ["src/routes.ts"],
  ["src/app.ts"],
  ["src/operator/open_database.ts"],
  // Names every table as data, never in SQL.
  ["src/operator/backup/"],
  // Fills an account with samples through the families' own writes.
  ["src/operator/seed/"],
  // The operator's commands, which have no route.
  ["src/operator/admin/"],
  ["src/service.ts"],
  // The programs that a person or a supervisor starts.
  ["src/operator/programs/"],
  ["main.ts"],
];

/**
 * The tables that only a folder's own SQL may name. Every table of `sql/` has its owner here; what
 * `access` reads at every request and `accounts` changes belongs to both.
 */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  "src/database/": ["schema_migrations"],
  "src/access/": [
    "account_permissions",
    "accounts",
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
    "pending_second_factors",
    "recovery_codes",
    "second_factors",
    "setup_token",
  ],
  "src/command/": [
    ...["account_storage", "maintenance_window"],
    ...["audit_entries", "idempotency_envelopes"],
  ],
  "src/audit/": ["audit_entries", "audit_late_entries", "audit_sealing", "audit_seals"],
  "src/portability/": ["account_exports"],
  "src/operator/backup/schedule/": ["scheduled_backups"],
  "src/records/": ["change_feed", "executions", "record_revisions", "records"],
  "src/records/search_index/": ["search_index"],
  "src/attachments/": ["attachments", "attachment_usage"],
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
  "src/search/": ["search_index", "search_index_build"],
  "src/families/taxonomy/": [
    "taxonomy_assignments",
    "taxonomy_names",
    "taxonomy_term_revisions",
    "taxonomy_terms",
  ],
};

/** The folder that wraps the packages, and may import them. */
const PACKAGES_IN = "src/database/";

/** Folders that replace the standard library; the second is for tests only. */
const STAND_INS: readonly string[] = ["src/std/", "tests/std/"];

/**
 * The only files of this project that open a connection. Apart from them, the packages connect to the
 * database, and `Deno.serve` only accepts requests.
 */
export const CONNECTING: readonly string[] = [
  // The Unix socket from the operator's command to the running service.
  "src/operator/admin/socket.ts",
  // The question after the health of the service on this machine.
  "src/operator/programs/healthcheck.ts",
  // Calls the evaluation provider that the operator configured. Nothing else calls other servers.
  "src/families/relationship/evaluation/http_provider.ts",
];

/** Matches code that opens connections, starts programs, or imports something that does. */
const CONNECTS = new RegExp(
  [
    // The global function, and no method of that name.
    /(?<![.#\w])fetch\((?!request: Request)/,
    /\bDeno\.(?:connect\w*|startTls|listenDatagram|createHttpClient|resolveDns|Command|dlopen)\b/,
    /\b(?:WebSocket|WebSocketStream|WebTransport|EventSource|XMLHttpRequest|Worker|globalThis)\b/,
  ].map(({ source }) => source).join("|"),
);

/** The built-in modules in use. None of them can connect. */
const BUILT_IN = new Set(
  ["async_hooks", "buffer", "crypto", "fs", "path", "stream", "zlib"].map((name) => `node:${name}`),
);

/** Source text by path, relative to the project's folder. */
export type Sources = ReadonlyMap<string, string>;

/** The targets of each node. */
export type Graph = ReadonlyMap<string, readonly string[]>;

/** Everything in the sources that breaks a rule, a sentence each. */
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

/** The modules that each module imports, types included. */
export function moduleGraph(sources: Sources): Graph {
  const graph = new Map<string, string[]>();
  for (const [path, text] of sources) {
    if (path.endsWith(".sql")) continue;
    const targets = importsOf(withoutComments(text)).map((specifier) => resolve(path, specifier));
    graph.set(path, targets.filter((target) => sources.has(target)));
  }
  return graph;
}

/** The rooms of `src` that the files of each room import from. */
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

/** The groups of nodes that lead to each other in a circle (Tarjan's algorithm). */
export function findCircles(graph: Graph): string[][] {
  const numbers = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  /** Returns the lowest number of an open node that this one leads to. */
  const visit = (node: string, targets: readonly string[]): number => {
    const number = numbers.size;
    numbers.set(node, number);
    open.push(node);
    let lowest = number;
    for (const target of targets) {
      const known = numbers.get(target);
      if (known === undefined) lowest = Math.min(lowest, visit(target, graph.get(target) ?? []));
      else if (open.includes(target)) lowest = Math.min(lowest, known);
    }
    if (lowest < number) return lowest;
    const group = open.splice(open.indexOf(node));
    if (group.length > 1 || targets.includes(node)) circles.push(group.sort());
    return lowest;
  };
  for (const [node, targets] of graph) {
    if (!numbers.has(node)) visit(node, targets);
  }
  return circles;
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

/** The specifiers of a module's imports, re-exports and dynamic imports. */
export function importsOf(code: string): string[] {
  const patterns = [
    /^\s*(?:import|export)\b[^;"]*?\bfrom\s+"([^"]+)"/gm,
    /^\s*import\s+"([^"]+)"/gm,
    /\bimport\(\s*"([^"]+)"/g,
  ];
  return patterns.flatMap((pattern) =>
    Array.from(code.matchAll(pattern), ([, specifier]) => specifier ?? "")
  );
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

/** All files and package names that a file imports, directly or indirectly. */
export function loadedWith(sources: Sources, path: string): ReadonlySet<string> {
  const loaded = new Set<string>();
  const visit = (at: string) => {
    if (loaded.has(at)) return;
    loaded.add(at);
    const code = withoutTypeImports(withoutComments(sources.get(at) ?? ""));
    for (const specifier of importsOf(code)) visit(resolve(at, specifier));
  };
  visit(path);
  return loaded;
}

function withoutTypeImports(code: string): string {
  return code.replace(/^\s*(?:import|export) type\b[^;"]*\bfrom\s+"[^"]+"/gm, "");
}

/** The file that a relative specifier names; any other specifier as it is. */
function resolve(path: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier;
  return new URL(specifier, `file:///${path}`).pathname.slice(1);
}

function checkLayers(
  path: string,
  target: string,
  violation: (why: string) => string,
): string | null {
  const [from, to] = [layerOf(path), layerOf(target)];
  if (to > from) return violation("which lies above it");
  if (to < from || roomOf(path) === roomOf(target)) return null;
  return target.endsWith("/port.ts") ? null : violation("a neighbour, without its port.ts");
}

/** The index of a file's layer; -1 if it has none. */
function layerOf(path: string): number {
  return LAYERS.findIndex((prefixes) => prefixes.includes(roomOf(path)));
}

/** The longest prefix of `LAYERS` that the path begins with; empty if there is none. */
function roomOf(path: string): string {
  return LAYERS.flat().filter((prefix) => path.startsWith(prefix))
    .reduce((longest, prefix) => prefix.length > longest.length ? prefix : longest, "");
}

/** The tables of other folders that a file's SQL names. */
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

/** Examples in comments may import anything. Line numbers stay the same. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}

/** Every source file of the project, read from its folder. */
export async function readSources(project: string): Promise<Sources> {
  const sources = new Map<string, string>();
  const read = async (path: string) => {
    sources.set(path, await Deno.readTextFile(`${project}/${path}`));
  };
  const walk = async (folder: string): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(`${project}/${folder}`)) {
      const path = `${folder}/${name}`;
      if (isDirectory) await walk(path);
      else if (/\.(ts|js|sql)$/.test(name)) await read(path);
    }
  };
  await read("main.ts");
  for (const folder of ["src", "scripts", "sql", "tests"]) await walk(folder);
  return sources;
}

if (import.meta.main) {
  const sources = await readSources(".");
  const violations = findViolations(sources);
  const lines = [...violations, `${sources.size} files, ${violations.length} violations`];
  Deno.stdout.writeSync(new TextEncoder().encode(lines.join("\n") + "\n"));
  Deno.exitCode = violations.length === 0 ? 0 : 1;
}
