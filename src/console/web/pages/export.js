/** Everything that leaves the service, or comes into it: exports, an import, and backups. */

import { h } from "../core/dom.js";
import { t } from "../core/text.js";
import { accountExport } from "./account_export.js";
import { accountImport } from "./account_import.js";
import { backupState } from "./backup_state.js";
import { memoryExport } from "./memory_export.js";

/** @type {import("../pages.js").Page} */
export default async function exports({ session }) {
  const isManager = session.permissions.includes("account.manage");
  const body = [
    isManager && [h("h2", {}, t("wholeAccount")), accountExport(session)],
    session.permissions.includes("memory.read") &&
    [h("h2", {}, t("memoriesAlone")), memoryExport(session)],
    isManager && [h("h2", {}, t("importAccount")), accountImport(session)],
    isManager && [h("h2", {}, t("backups")), await backupState()],
  ];
  return { title: t("takeAway"), body: body.filter((part) => part !== false).flat() };
}
