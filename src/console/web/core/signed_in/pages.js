/** Every page: its address, its place, its module and its texts. */

import { setLinkedPages } from "../names.js";

/** The page of an assistant's sign-in, shown without navigation. */
export const AUTHORIZE = "/oauth/authorize";

/**
 * In the order of their links on the account's page: each with its place, the areas of its texts
 * and, if the account's page leads to the first of its addresses, that link.
 */
const DECLARED = [
  pagesOf("home", ["today"], () => import("../../pages/home/page.js"), {
    "/": "homePage",
  }),
  pagesOf("home", ["capture"], () => import("../../pages/capture.js"), {
    "/capture": "capturePage",
    "/share": "capturePage",
  }, { name: "captureOnPhone", group: "accountData", permission: "record.write" }),
  pagesOf("search", [], () => import("../../pages/search.js"), {
    "/search": "searchPage",
  }),
  pagesOf(null, [], () => import("../../pages/drafts/page.js"), {
    "/drafts": "drafts",
  }),
  pagesOf("files", [], () => import("../../pages/records/print.js"), {
    "/files": "filesPage",
  }),
  pagesOf("records", [], () => import("../../pages/records/print.js"), {
    "/print/:module": "printPage",
  }),
  pagesOf("records", [], () => import("../../pages/records/list.js"), {
    "/records/:module": "records",
  }),
  pagesOf("records", [], () => import("../../pages/records/record.js"), {
    "/records/:module/:id": "recordPage",
  }),
  pagesOf("records", [], () => import("../../pages/draft_form/records.js"), {
    "/records/:module/new": "recordForm",
    "/records/:module/:id/edit": "recordForm",
  }),
  pagesOf("records", [], () => import("../../pages/history/revisions.js"), {
    "/records/:module/:id/history": "recordHistory",
  }),
  pagesOf("account", ["account"], () => import("../../pages/credentials/sessions.js"), {
    "/sessions": "sessions",
  }, { name: "sessions", group: "accountSecurity", permission: "account.manage" }),
  pagesOf("account", ["account"], () => import("../../pages/passkeys.js"), {
    "/passkeys": "passkeys",
  }, { name: "passkeys", group: "accountSecurity", permission: "account.manage" }),
  pagesOf("account", ["account"], () => import("../../pages/credentials/tokens.js"), {
    "/tokens": "tokens",
    "/tokens/new": "tokenForm",
  }, { name: "tokens", group: "accountSecurity", permission: "token.manage" }),
  pagesOf("account", ["account"], () => import("../../pages/credentials/assistants.js"), {
    "/assistants": "assistants",
    "/assistants/new": "assistantForm",
  }, { name: "assistants", group: "accountSecurity", permission: "token.manage" }),
  pagesOf(null, ["account"], () => import("../../pages/credentials/authorization.js"), {
    "/oauth/authorize": "authorization",
  }),
  pagesOf("account", ["account"], () => import("../../pages/audit/trail.js"), {
    "/audit": "audit",
  }, { name: "audit", group: "accountTrail", permission: "audit.read" }),
  pagesOf("account", ["account"], () => import("../../pages/account/overview.js"), {
    "/account": "account",
  }),
  pagesOf("account", ["account"], () => import("../../pages/audit/changes.js"), {
    "/changes": "changes",
  }, { name: "changesTitle", group: "accountTrail", permission: "audit.read" }),
  pagesOf("account", ["account"], () => import("../../pages/audit/proof.js"), {
    "/audit/:id": "auditProof",
  }),
  pagesOf("account", ["account"], () => import("../../pages/witness.js"), {
    "/witness": "witness",
  }, { name: "witness", group: "accountTrail", permission: "audit.read" }),
  pagesOf("records", ["account"], () => import("../../pages/audit/changes.js"), {
    "/records/:module/:id/executions": "executions",
  }),
  pagesOf(
    "account",
    ["account", "imports", "import_rules"],
    () => import("../../pages/imports.js"),
    {
      "/imports": "importsPage",
      "/imports/own/:kind": "ownFile",
    },
    { name: "imports", group: "accountData", permission: "import.write" },
  ),
  pagesOf("account", ["account"], () => import("../../pages/export/page.js"), {
    "/export": "exportPage",
  }, { name: "exportsAndBackups", group: "accountData" }),
  pagesOf("calendar", ["account"], () => import("../../pages/credentials/calendar.js"), {
    "/calendar": "calendar",
    "/calendar/new": "calendarForm",
  }, { name: "calendar", group: "accountData", permission: "token.manage" }),
  pagesOf(
    "account",
    ["account", "imports", "coming_from"],
    () => import("../../pages/coming_from.js"),
    {
      "/imports/from": "comingFromPage",
    },
  ),
  pagesOf("account", ["today"], () => import("../../pages/sample.js"), {
    "/imports/sample": "samplePage",
  }),
  pagesOf(
    "account",
    ["account", "people", "imports", "import_rules"],
    () => import("../../pages/import.js"),
    {
      "/imports/:id": "importPage",
    },
  ),
  pagesOf("account", ["account"], () => import("../../pages/export/about.js"), {
    "/about": "about",
  }, { name: "about", group: "accountData" }),
  pagesOf("account", ["account"], () => import("../../pages/proposals.js"), {
    "/proposals": "proposals",
  }),
  pagesOf("memories", ["memories"], () => import("../../pages/memories/list.js"), {
    "/memories": "memories",
  }),
  pagesOf("memories", ["memories"], () => import("../../pages/memories/memory.js"), {
    "/memories/:id": "memory",
  }),
  pagesOf("memories", ["memories"], () => import("../../pages/memories/slices.js"), {
    "/memories/:id/history": "memoryHistory",
    "/memories/:id/slices": "memorySlices",
  }),
  pagesOf("memories", ["memories"], () => import("../../pages/memory_form/page.js"), {
    "/memories/new": "memoryForm",
    "/memories/:id/edit": "memoryForm",
  }),
  pagesOf("people", ["people"], () => import("../../pages/people_details/person.js"), {
    "/people/:id": "personPage",
  }),
  pagesOf("people", ["people"], () => import("../../pages/people_more/list.js"), {
    "/people": "people",
    "/people/:id/timeline": "timeline",
  }),
  pagesOf("people", ["people"], () => import("../../pages/people_more/evaluation.js"), {
    "/people/:id/proposals": "proposals",
    "/people/:id/ledger/:ledger": "ledgerPage",
  }),
  pagesOf("people", ["people"], () => import("../../pages/people_forms.js"), {
    "/people/new": "personForm",
    "/people/:id/edit": "personForm",
    "/people/:id/history": "personHistory",
    "/people/:id/ledger/:ledger/new": "entryForm",
  }),
  pagesOf("records", ["profile"], () => import("../../pages/profile.js"), {
    "/profile": "profilePage",
    "/profile/:part": "partList",
    "/profile/snapshots/:id": "snapshotPage",
    "/profile/stages/:id": "stagePage",
  }),
  pagesOf("records", ["profile"], () => import("../../pages/profile_more/forms.js"), {
    "/profile/edit": "profileForm",
    "/profile/history": "profileHistory",
    "/profile/:part/new": "partForm",
    "/profile/stages/:id/edit": "partForm",
  }),
  pagesOf("records", ["profile"], () => import("../../pages/profile_more/public.js"), {
    "/profile/public": "publicPage",
  }),
  pagesOf("records", ["profile"], () => import("../../pages/profile_more/comparisons.js"), {
    "/profile/compare": "comparePage",
    "/profile/comparisons/:id": "comparisonPage",
  }),
  pagesOf("records", ["profile"], () => import("../../pages/profile_more/legacy.js"), {
    "/profile/legacy": "legacyPage",
    "/profile/legacy/edit": "legacyForm",
  }),
  pagesOf("decisions", ["decisions"], () => import("../../pages/decisions/list.js"), {
    "/decisions": "decisions",
  }),
  pagesOf("decisions", ["decisions"], () => import("../../pages/decisions/decision.js"), {
    "/decisions/:id": "decisionPage",
    "/decisions/:id/:kind/:thing": "thingPage",
  }),
  pagesOf("decisions", ["decisions"], () => import("../../pages/decisions/kinds.js"), {
    "/decisions/:id/:kind": "things",
  }),
  pagesOf("decisions", ["decisions"], () => import("../../pages/decision_forms/forms.js"), {
    "/decisions/new": "decisionForm",
    "/decisions/:id/edit": "decisionForm",
    "/decisions/:id/:kind/new": "thingForm",
    "/decisions/:id/:kind/:thing/edit": "thingForm",
  }),
  pagesOf("decisions", ["decisions"], () => import("../../pages/decision_forms/calibration.js"), {
    "/decisions/calibration": "calibration",
    "/decisions/:id/history": "decisionHistory",
    "/decisions/:id/:kind/:thing/history": "decisionHistory",
  }),
  pagesOf("records", ["resources"], () => import("../../pages/resources.js"), {
    "/resources": "resources",
    "/resources/network": "network",
    "/resources/overload": "overload",
    "/resources/overload/:execution": "overloadAnalysis",
    "/resources/:id": "resourcePage",
    "/resources/:id/snapshots": "snapshots",
  }),
  pagesOf("records", ["resources"], () => import("../../pages/resource_forms.js"), {
    "/resources/new": "resourceForm",
    "/resources/:id/edit": "resourceForm",
    "/resources/:id/history": "resourceHistory",
    "/resources/:id/snapshots/new": "snapshotForm",
  }),
  pagesOf("tags", ["resources"], () => import("../../pages/tags/list.js"), {
    "/tags": "tags",
  }),
  pagesOf("tags", ["resources"], () => import("../../pages/tags/forms.js"), {
    "/tags/new": "termForm",
    "/tags/categories/new": "categoryForm",
    "/tags/usage": "usage",
    "/tags/:id/edit": "termForm",
  }),
  pagesOf("tags", ["resources"], () => import("../../pages/tags/term.js"), {
    "/tags/:id": "termPage",
    "/tags/:id/history": "termHistory",
  }),
].flat();

/**
 * In descending order, so that a word goes before a named segment: letters are greater than colons.
 * @type {readonly PageEntry[]}
 */
export const PAGES = DECLARED.toSorted((one, other) => one.path < other.path ? 1 : -1);

setLinkedPages(DECLARED.filter(({ link }) => link !== null));

/**
 * @template {Record<string, any>} Module
 * @param {PageEntry["place"]} place
 * @param {PageEntry["areas"]} areas
 * @param {() => Promise<Module>} load
 * @param {Readonly<Record<string, PageName<Module>>>} pages By path, mostly below `/console`.
 * @param {AccountLink | null} [link]
 * @returns {PageEntry[]}
 */
function pagesOf(place, areas, load, pages, link = null) {
  return Object.entries(pages).map(([path, name], index) => ({
    path: ["/", AUTHORIZE].includes(path) ? path : `/console${path}`,
    place,
    areas,
    link: index === 0 ? link : null,
    load: async () => /** @type {Page | SyncPage} */ ((await load())[name]),
  }));
}

/** No identifier is `new` or a member of every object. @param {string} path */
export function findPage(path) {
  const sent = path.split("/");
  for (const { path: pattern, load, areas, place } of PAGES) {
    const segments = pattern.split("/");
    /** @type {Record<string, string>} */
    const params = {};
    const isFound = segments.length === sent.length && segments.every((segment, index) => {
      const text = sent[index] ?? "";
      if (!segment.startsWith(":")) return segment === text;
      params[segment.slice(1)] = text;
      return text !== "" && text !== "new" && !(text in Object.prototype);
    });
    if (isFound) return { params, load, areas, place };
  }
  return null;
}
