import { describeLost, findLostAttachments, REASONS } from "../../attachments/loss.ts";
import { moveAttachments, type MoveProgress, type UnmovedObject } from "../../attachments/move.ts";
import type { ObjectStore } from "../../attachments/object_store.ts";
import { listObjects } from "../../attachments/stored_object.ts";
import { counted } from "../../core/counted.ts";
import type { Report } from "../../core/report.ts";
import type { Database } from "../../database/database.ts";
import { IncompleteError, OperatorError } from "../../errors/operator_error.ts";
import type { Runners } from "./runner.ts";

/** Objects between two reports of a move. */
const BATCH = 100;

export const ATTACHMENT_COMMANDS = {
  "attachments check": async ({ database, openObjects }, _command, _context, report) => {
    const objects = await openObjects();
    try {
      return await checkAttachments(database, objects, report);
    } finally {
      await objects.close();
    }
  },
  "attachments move": async ({ database, config }, { to, batch }, _context, report) => {
    const started = performance.now();
    const seconds = () => Math.round((performance.now() - started) / 1000);
    const made = await moveAttachments(
      { database, directory: `${config.dataDir}/objects` },
      to,
      batch === undefined ? BATCH : Number(batch),
      (progress) => report(`${describeMove(progress)}, ${seconds()} s`),
    );
    const line = `${describeMove(made)}, ${seconds()} s`;
    const { unmoved } = made;
    if (unmoved.length === 0) return [`All attachments are in the ${to}: ${line}`];
    const about = `Not moved: ${counted(unmoved.length, "object")}`;
    throw new OperatorError([line, about, ...unmoved.flatMap(describeUnmoved)].join("\n"));
  },
} satisfies Partial<Runners>;

/**
 * Reads every attachment and stores the number of lost ones, which the metrics show.
 *
 * @throws IncompleteError with the identifiers of lost ones.
 */
async function checkAttachments(
  database: Database,
  objects: ObjectStore,
  report: Report,
): Promise<string[]> {
  const listed = await database.read((sql) => listObjects(sql));
  const lost = await findLostAttachments(
    objects,
    listed,
    (checked) => report(`${checked} of ${listed.length} files`),
  );
  await objects.noteLost(lost.length);
  if (lost.length === 0) return [`All files of attachments are whole: ${listed.length}`];
  throw new IncompleteError([`Lost attachments: ${lost.length}`, ...describeLost(lost)]);
}

/** Equal files of an account are one object. */
function describeMove({ done, total, moved, bytes }: MoveProgress): string {
  return `moved ${counted(moved, "object")} with ${bytes} bytes, ${total - done} left`;
}

function describeUnmoved({ owner, attachmentIds, loss }: UnmovedObject): string[] {
  return attachmentIds.map((id) => `  account ${owner}, attachment ${id}: ${REASONS[loss]}`);
}
