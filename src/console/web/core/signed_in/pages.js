/** Every page: its address, its module and its texts. */

/**
 * In descending order, so that a word goes before a named segment: letters are greater than colons.
 * @type {readonly PageEntry[]}
 */
export const PAGES = [
  pagesOf([], () => import("../../pages/home.js"), { "/": "homePage" }),
  pagesOf([], () => import("../../pages/search.js"), { "/search": "searchPage" }),
  pagesOf([], () => import("../../pages/drafts/page.js"), {
    "/drafts": "drafts",
  }),
  pagesOf([], () => import("../../pages/records/print.js"), {
    "/files": "filesPage",
    "/print/:module": "printPage",
  }),
  pagesOf([], () => import("../../pages/records/list.js"), {
    "/records/:module": "records",
  }),
  pagesOf([], () => import("../../pages/records/record.js"), {
    "/records/:module/:id": "recordPage",
  }),
  pagesOf([], () => import("../../pages/draft_form/form.js"), {
    "/records/:module/new": "recordForm",
    "/records/:module/:id/edit": "recordForm",
  }),
  pagesOf([], () => import("../../pages/history/revisions.js"), {
    "/records/:module/:id/history": "recordHistory",
  }),
  pagesOf(["account"], () => import("../../pages/credentials/sessions.js"), {
    "/sessions": "sessions",
  }),
  pagesOf(["account"], () => import("../../pages/credentials/tokens.js"), {
    "/tokens": "tokens",
    "/tokens/new": "tokenForm",
  }),
  pagesOf(["account"], () => import("../../pages/credentials/calendar.js"), {
    "/calendar": "calendar",
    "/calendar/new": "calendarForm",
  }),
  pagesOf(["account"], () => import("../../pages/credentials/assistants.js"), {
    "/assistants": "assistants",
    "/assistants/new": "assistantForm",
  }),
  pagesOf(["account"], () => import("../../pages/passkeys.js"), { "/passkeys": "passkeys" }),
  pagesOf(["account"], () => import("../../pages/account/overview.js"), {
    "/account": "account",
  }),
  pagesOf(["account"], () => import("../../pages/audit/trail.js"), {
    "/audit": "audit",
  }),
  pagesOf(["account"], () => import("../../pages/audit/proof.js"), {
    "/audit/:id": "auditProof",
  }),
  pagesOf(["account"], () => import("../../pages/audit/changes.js"), {
    "/changes": "changes",
    "/records/:module/:id/executions": "executions",
  }),
  pagesOf(["account"], () => import("../../pages/export/page.js"), {
    "/export": "exportPage",
  }),
  pagesOf(["account"], () => import("../../pages/export/about.js"), {
    "/about": "about",
  }),
  pagesOf(["account", "imports", "import_rules"], () => import("../../pages/imports.js"), {
    "/imports": "importsPage",
    "/imports/own/:kind": "ownFile",
  }),
  pagesOf(["account", "imports", "coming_from"], () => import("../../pages/coming_from.js"), {
    "/imports/from": "comingFromPage",
  }),
  pagesOf(["account", "people", "imports", "import_rules"], () => import("../../pages/import.js"), {
    "/imports/:id": "importPage",
  }),
  pagesOf(["account"], () => import("../../pages/witness.js"), { "/witness": "witness" }),
  pagesOf(["account"], () => import("../../pages/proposals.js"), { "/proposals": "proposals" }),
  pagesOf(["memories"], () => import("../../pages/memories/list.js"), {
    "/memories": "memories",
  }),
  pagesOf(["memories"], () => import("../../pages/memories/memory.js"), {
    "/memories/:id": "memory",
  }),
  pagesOf(["memories"], () => import("../../pages/memories/slices.js"), {
    "/memories/:id/history": "memoryHistory",
    "/memories/:id/slices": "memorySlices",
  }),
  pagesOf(["memories"], () => import("../../pages/memory_form/editor.js"), {
    "/memories/new": "memoryForm",
    "/memories/:id/edit": "memoryForm",
  }),
  pagesOf(["people"], () => import("../../pages/people.js"), { "/people/:id": "personPage" }),
  pagesOf(["people"], () => import("../../pages/people_more/list.js"), {
    "/people": "people",
    "/people/:id/timeline": "timeline",
  }),
  pagesOf(["people"], () => import("../../pages/people_more/evaluation.js"), {
    "/people/:id/proposals": "proposals",
    "/people/:id/ledger/:ledger": "ledgerPage",
  }),
  pagesOf(["people"], () => import("../../pages/people_forms.js"), {
    "/people/new": "personForm",
    "/people/:id/edit": "personForm",
    "/people/:id/history": "personHistory",
    "/people/:id/ledger/:ledger/new": "entryForm",
  }),
  pagesOf(["profile"], () => import("../../pages/profile.js"), {
    "/profile": "profilePage",
    "/profile/:part": "partList",
    "/profile/snapshots/:id": "snapshotPage",
    "/profile/stages/:id": "stagePage",
  }),
  pagesOf(["profile"], () => import("../../pages/profile_more/forms.js"), {
    "/profile/edit": "profileForm",
    "/profile/history": "profileHistory",
    "/profile/:part/new": "partForm",
    "/profile/stages/:id/edit": "partForm",
  }),
  pagesOf(["profile"], () => import("../../pages/profile_more/public.js"), {
    "/profile/public": "publicPage",
  }),
  pagesOf(["profile"], () => import("../../pages/profile_more/comparisons.js"), {
    "/profile/compare": "comparePage",
    "/profile/comparisons/:id": "comparisonPage",
  }),
  pagesOf(["profile"], () => import("../../pages/profile_more/legacy.js"), {
    "/profile/legacy": "legacyPage",
    "/profile/legacy/edit": "legacyForm",
  }),
  pagesOf(["decisions"], () => import("../../pages/decisions/list.js"), {
    "/decisions": "decisions",
  }),
  pagesOf(["decisions"], () => import("../../pages/decisions/decision.js"), {
    "/decisions/:id": "decisionPage",
    "/decisions/:id/:kind/:thing": "thingPage",
  }),
  pagesOf(["decisions"], () => import("../../pages/decisions/kinds.js"), {
    "/decisions/:id/:kind": "things",
  }),
  pagesOf(["decisions"], () => import("../../pages/decision_forms/forms.js"), {
    "/decisions/new": "decisionForm",
    "/decisions/:id/edit": "decisionForm",
    "/decisions/:id/:kind/new": "thingForm",
    "/decisions/:id/:kind/:thing/edit": "thingForm",
  }),
  pagesOf(["decisions"], () => import("../../pages/decision_forms/calibration.js"), {
    "/decisions/calibration": "calibration",
    "/decisions/:id/history": "decisionHistory",
    "/decisions/:id/:kind/:thing/history": "decisionHistory",
  }),
  pagesOf(["resources"], () => import("../../pages/resources.js"), {
    "/resources": "resources",
    "/resources/new": "resourceForm",
    "/resources/network": "network",
    "/resources/overload": "overload",
    "/resources/overload/:execution": "overloadAnalysis",
    "/resources/:id": "resourcePage",
    "/resources/:id/edit": "resourceForm",
    "/resources/:id/history": "resourceHistory",
    "/resources/:id/snapshots": "snapshots",
    "/resources/:id/snapshots/new": "snapshotForm",
  }),
  pagesOf(["resources"], () => import("../../pages/tags/list.js"), {
    "/tags": "tags",
  }),
  pagesOf(["resources"], () => import("../../pages/tags/forms.js"), {
    "/tags/new": "termForm",
    "/tags/categories/new": "categoryForm",
    "/tags/usage": "usage",
    "/tags/:id/edit": "termForm",
  }),
  pagesOf(["resources"], () => import("../../pages/tags/term.js"), {
    "/tags/:id": "termPage",
    "/tags/:id/history": "termHistory",
  }),
].flat().sort((one, other) => one.path < other.path ? 1 : -1);

/**
 * @template {Record<string, any>} Module
 * @param {PageEntry["areas"]} areas
 * @param {() => Promise<Module>} load
 * @param {Readonly<Record<string, PageName<Module>>>} pages By path below `/console`.
 */
function pagesOf(areas, load, pages) {
  return Object.entries(pages).map(([path, name]) => ({
    path: path === "/" ? path : `/console${path}`,
    areas,
    load: async () => /** @type {Page | SyncPage} */ ((await load())[name]),
  }));
}

/** No identifier is `new` or a member of every object. @param {string} path */
export function findPage(path) {
  const sent = path.split("/");
  for (const { path: pattern, load, areas } of PAGES) {
    const segments = pattern.split("/");
    /** @type {Record<string, string>} */
    const params = {};
    const isFound = segments.length === sent.length && segments.every((segment, index) => {
      const text = sent[index] ?? "";
      if (!segment.startsWith(":")) return segment === text;
      params[segment.slice(1)] = text;
      return text !== "" && text !== "new" && !(text in Object.prototype);
    });
    if (isFound) return { params, load, areas };
  }
  return null;
}
