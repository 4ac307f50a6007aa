import { h, t } from "../core/base.js";
import { accountExport } from "./account_export.js";
import { accountImport } from "./account_import.js";
import { backupState } from "./backup_state.js";
import {
  memoryExport,
  peopleExport,
  profileExport,
  resourceExport,
  tagExport,
} from "./family_exports.js";

const PARTS = /** @type {const} */ ([
  { name: "onlyMemories", permission: "memory.read", make: memoryExport },
  { name: "onlyPeople", permission: "relationship.ledger.read", make: peopleExport },
  { name: "onlyResources", permission: "resource.read", make: resourceExport },
  { name: "onlyProfile", permission: "identity.read", make: profileExport },
  { name: "onlyTags", permission: "taxonomy.read", make: tagExport },
]);

/** Explains how to ask the operator for an erasure, and its limits. */
function erasing() {
  return h("div", h("p", t("erasingText")), h("p", t("erasingAsk")), h("p", t("erasingRemains")));
}

/** @type {Page} */
export default async function exports({ session }) {
  const isManager = session.permissions.includes("account.manage");
  const parts = PARTS.filter(({ permission }) => session.permissions.includes(permission));
  const body = [
    isManager && [h("h2", t("wholeAccount")), accountExport(session)],
    parts.length > 0 && [
      h("h2", t("partialExports")),
      parts.map(({ name, make }) => h("details", h("summary", t(name)), make(session))),
    ],
    isManager && [h("h2", t("importAccount")), accountImport(session)],
    isManager && [h("h2", t("backups")), await backupState()],
    isManager && [h("h2", t("erasing")), erasing()],
  ];
  return { title: t("exportsAndBackups"), body: body.filter((part) => part !== false).flat(2) };
}
