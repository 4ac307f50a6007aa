/** Audit operations as sentences. */

/** The last words of operations by their sentence. */
const VERBS = /** @type {const} */ ([
  ["wasAccepted", "accept adopt confirm"],
  ["wasArchived", "archive delete"],
  ["wasChanged", "modify revise set map refresh"],
  ["wasCreated", "create"],
  ["wasDeclined", "reject"],
  ["wasEnded", "deactivate"],
  ["wasExpired", "expire stale"],
  ["wasExported", "export"],
  ["wasImported", "import item original"],
  ["wasMerged", "merge"],
  ["wasMoved", "move"],
  ["wasPrepared", "ready"],
  ["wasPublished", "publish"],
  ["wasReactivated", "reactivate"],
  ["wasRemoved", "remove discard"],
  ["wasRenamed", "rename"],
  ["wasRestored", "restore recover"],
  ["wasCorrected", "control"],
  ["wasSaved", "keep save commit"],
  ["wasStarted", "run feature"],
  ["wasStopped", "stop"],
  ["wasWithdrawn", "withdraw revoke"],
]);
/** Things whose name is already that of a field. */
const THINGS = /** @type {Readonly<Record<string, string>>} */ ({
  attachment: "file",
  evidence: "evidence_item",
  import: "import_run",
});

/**
 * The sentence and the label of its thing; null for an operation newer than this page.
 * @param {{ operation: string, moduleCode: string | null }} entry
 */
export function auditParts({ operation, moduleCode }) {
  const [verb = "", place = "", family] = operation.split(".").reverse();
  const [sentence] = VERBS.find(([, verbs]) => verbs.split(" ").includes(verb)) ?? [];
  if (sentence === undefined) return null;
  const isRecord = place === "record" || verb === "item" || [place, family].includes("legacy");
  return { sentence, thing: isRecord && moduleCode !== null ? moduleCode : THINGS[place] ?? place };
}

/** True if the subject has a page of its own. @param {string} operation */
export function isOfRecord(operation) {
  return /^(record|memory|decision|resource)\.[a-z]+$|^(relationship\.person|taxonomy\.(tag|category))\./
    .test(operation);
}
