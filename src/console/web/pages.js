/** Every page: its path and module. */

/** @type {readonly PageEntry[]} */
export const PAGES = [
  { path: "/", load: () => import("./pages/home.js"), areas: ["home"] },
  { path: "/console/search", load: () => import("./pages/search.js"), areas: ["search"] },
  { path: "/console/drafts", load: () => import("./pages/drafts.js") },
  { path: "/console/files", load: () => import("./pages/files.js"), areas: ["home"] },
  { path: "/console/print/:module", load: () => import("./pages/print.js"), areas: ["home"] },
  { path: "/console/records/:module", load: () => import("./pages/record_list.js") },
  { path: "/console/records/:module/new", load: () => import("./pages/record_form.js") },
  { path: "/console/records/:module/:id", load: () => import("./pages/record.js") },
  { path: "/console/records/:module/:id/history", load: () => import("./pages/history.js") },
  { path: "/console/records/:module/:id/edit", load: () => import("./pages/record_form.js") },
  { path: "/console/sessions", load: () => import("./pages/sessions.js"), areas: ["account"] },
  { path: "/console/passkeys", load: () => import("./pages/passkeys.js"), areas: ["account"] },
  { path: "/console/tokens", load: () => import("./pages/tokens.js"), areas: ["account"] },
  { path: "/console/tokens/new", load: () => import("./pages/token_form.js"), areas: ["account"] },
  ...pagesOf("/console", ["account", "set_up", "witness"], {
    "/account": () => import("./pages/account.js"),
  }),
  ...pagesOf("/console/calendar", ["account", "calendar"], {
    "": () => import("./pages/calendar.js"),
    "/new": () => import("./pages/calendar_form.js"),
  }),
  ...pagesOf("/console", ["account", "activity"], {
    "/audit": () => import("./pages/audit.js"),
    "/audit/:id": () => import("./pages/audit_proof.js"),
    "/changes": () => import("./pages/changes.js"),
    "/records/:module/:id/executions": () => import("./pages/executions.js"),
  }),
  { path: "/console/export", load: () => import("./pages/export.js"), areas: ["account"] },
  { path: "/console/about", load: () => import("./pages/about.js"), areas: ["account", "home"] },
  ...pagesOf("/console/imports", ["account", "imports", "memories"], {
    "": () => import("./pages/imports/list.js"),
    "/:id": () => import("./pages/imports/import.js"),
    "/own/:kind": () => import("./pages/imports/own_file.js"),
  }),
  ...pagesOf("/console", ["account", "witness"], {
    "/witness": () => import("./pages/witness.js"),
  }),
  ...pagesOf("/console", ["account", "assistants"], {
    "/assistants": () => import("./pages/assistants.js"),
    "/assistants/new": () => import("./pages/assistant_form.js"),
    "/proposals": () => import("./pages/proposals.js"),
  }),
  ...pagesOf("/console/memories", ["memories"], {
    "": () => import("./pages/memories/list.js"),
    "/new": () => import("./pages/memories/form.js"),
    "/:id": () => import("./pages/memories/memory.js"),
    "/:id/edit": () => import("./pages/memories/form.js"),
    "/:id/history": () => import("./pages/memories/history.js"),
    "/:id/slices": () => import("./pages/memories/slices.js"),
  }),
  ...pagesOf("/console/people", ["people"], {
    "": () => import("./pages/people/list.js"),
    "/new": () => import("./pages/people/form.js"),
    "/:id": () => import("./pages/people/person.js"),
    "/:id/edit": () => import("./pages/people/form.js"),
    "/:id/history": () => import("./pages/people/history.js"),
    "/:id/timeline": () => import("./pages/people/entries.js"),
    "/:id/proposals": () => import("./pages/people/proposals.js"),
    "/:id/ledger/:ledger": () => import("./pages/people/ledger.js"),
    "/:id/ledger/:ledger/new": () => import("./pages/people/entry_form.js"),
  }),
  ...pagesOf("/console/profile", ["profile"], {
    "": () => import("./pages/profile/profile.js"),
    "/edit": () => import("./pages/profile/form.js"),
    "/history": () => import("./pages/profile/history.js"),
    "/public": () => import("./pages/profile/public.js"),
    "/compare": () => import("./pages/profile/compare.js"),
    "/legacy": () => import("./pages/profile/legacy.js"),
    "/legacy/edit": () => import("./pages/profile/legacy_form.js"),
    "/:part": () => import("./pages/profile/part_list.js"),
    "/:part/new": () => import("./pages/profile/part_form.js"),
    "/comparisons/:id": () => import("./pages/profile/comparison.js"),
    "/snapshots/:id": () => import("./pages/profile/snapshot.js"),
    "/stages/:id": () => import("./pages/profile/stage.js"),
    "/stages/:id/edit": () => import("./pages/profile/part_form.js"),
  }),
  ...pagesOf("/console/decisions", ["decisions"], {
    "": () => import("./pages/decisions/list.js"),
    "/new": () => import("./pages/decisions/form.js"),
    "/calibration": () => import("./pages/decisions/calibration.js"),
    "/:id": () => import("./pages/decisions/decision.js"),
    "/:id/edit": () => import("./pages/decisions/form.js"),
    "/:id/history": () => import("./pages/decisions/history.js"),
    "/:id/:kind": () => import("./pages/decisions/thing_list.js"),
    "/:id/:kind/new": () => import("./pages/decisions/thing_form.js"),
    "/:id/:kind/:thing": () => import("./pages/decisions/thing.js"),
    "/:id/:kind/:thing/edit": () => import("./pages/decisions/thing_form.js"),
    "/:id/:kind/:thing/history": () => import("./pages/decisions/history.js"),
  }),
  ...pagesOf("/console/resources", ["resources"], {
    "": () => import("./pages/resources/list.js"),
    "/new": () => import("./pages/resources/form.js"),
    "/network": () => import("./pages/resources/network.js"),
    "/overload": () => import("./pages/resources/overload.js"),
    "/overload/:execution": () => import("./pages/resources/overload_analysis.js"),
    "/:id": () => import("./pages/resources/resource.js"),
    "/:id/edit": () => import("./pages/resources/form.js"),
    "/:id/history": () => import("./pages/resources/history.js"),
    "/:id/snapshots": () => import("./pages/resources/snapshots.js"),
    "/:id/snapshots/new": () => import("./pages/resources/snapshot_form.js"),
  }),
  ...pagesOf("/console/tags", ["resources"], {
    "": () => import("./pages/tags/list.js"),
    "/new": () => import("./pages/tags/form.js"),
    "/categories/new": () => import("./pages/tags/category_form.js"),
    "/usage": () => import("./pages/tags/usage.js"),
    "/:id": () => import("./pages/tags/term.js"),
    "/:id/edit": () => import("./pages/tags/form.js"),
    "/:id/history": () => import("./pages/tags/history.js"),
  }),
];

/**
 * @param {string} path Their prefix.
 * @param {readonly (keyof Areas)[]} areas
 * @param {Readonly<Record<string, PageEntry["load"]>>} pages By the rest of their path.
 */
function pagesOf(path, areas, pages) {
  return Object.entries(pages).map(([rest, load]) => ({ path: `${path}${rest}`, load, areas }));
}

/** Returns the page of an address with its named segments, or null. @param {string} path */
export function findPage(path) {
  const sent = path.split("/");
  for (const { path: pattern, load, areas = [] } of PAGES) {
    const segments = pattern.split("/");
    const params = /** @type {Record<string, string>} */ ({});
    const isFound = segments.length === sent.length && segments.every((segment, index) => {
      const text = sent[index] ?? "";
      if (!segment.startsWith(":")) return segment === text;
      params[segment.slice(1)] = text;
      return text !== "";
    });
    if (isFound) return { params, load, areas };
  }
  return null;
}
