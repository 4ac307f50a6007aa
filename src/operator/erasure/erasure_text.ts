/** Descriptions of plans, certificates and verifications. */

import { counted } from "../../core/counted.ts";
import type { Certificate } from "./certificate.ts";
import type { Plan } from "./plan.ts";
import type { ErasureVerification } from "./verify.ts";

export function describePlan(plan: Plan): string[] {
  const { subjects, counts, attachments, objects, references, backups } = plan;
  return [
    `Account ${plan.accountId}`,
    ...list("Subjects", subjects.map(({ kind, id }) => `${kind} ${id}`)),
    ...list(
      "Rows that go, by table",
      Object.entries(counts).map(([table, rows]) => `${table} ${rows}`),
    ),
    `Attachments that go: ${attachments.length}, with ${counted(objects.bytes, "byte")} in ` +
    counted(objects.count, "file"),
    ...attachments.map((id) => `  ${id}`),
    ...list(
      "Roots that stay and name a subject",
      references.map(({ moduleCode, recordId, subjectId }) =>
        `${moduleCode} ${recordId} names ${subjectId}`
      ),
    ),
    ...list(
      "Backups in DATA_DIR",
      backups.map(({ name, holds, byHand }) =>
        `${name} ${holds ? "holds" : "does not hold"} it${byHand ? ", by hand" : ""}`
      ),
    ),
    plan.backupsPassAt === null
      ? "No schedule removes every backup that holds it"
      : `The schedule has removed the backups that hold it at ${plan.backupsPassAt}`,
    `About ${counted(plan.seconds, "second")}, ${counted(plan.bytesNeeded, "byte")} of disk ` +
    `(${plan.freeBytes} are free)`,
    ...plan.notes,
    `Plan ${plan.digest}`,
  ];
}

/** A heading and its lines, or the word none. */
function list(heading: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [`${heading}: none`];
  return [`${heading}:`, ...lines.map((line) => `  ${line}`)];
}

export function describeCertificate(certificate: Certificate, folder: string): string[] {
  const { id, at, reason, scope, counts, tables } = certificate;
  const isSame = ({ before, after }: Certificate["tables"][string]) =>
    before.sha256 === after.sha256;
  const changed = Object.entries(tables).filter(([, table]) => !isSame(table));
  const same = Object.keys(tables).length - changed.length;
  return [
    `Certificate ${id} of ${at}, ${reason}`,
    `${counted(scope.length, "subject")} erased`,
    ...Object.entries(counts).map(([table, rows]) =>
      `  ${table}: ${counted(rows, "row")} left out`
    ),
    `${counted(same, "table")} with equal digests on both sides`,
    ...list("Tables that differ", changed.map(([name]) => name)),
    `Give the service ${folder} as DATA_DIR. The installation of before stays until you remove it.`,
  ];
}

export function describeVerification(
  { certificates, subjects, found }: ErasureVerification,
): string[] {
  const about = `${counted(certificates, "certificate")} with ${counted(subjects, "subject")}`;
  if (found.length === 0) return [`${about}; nothing of them is here`];
  return [
    `${about}; some are still here:`,
    ...found.map(({ table, subjectId }) => `  ${table} ${subjectId}`),
  ];
}
