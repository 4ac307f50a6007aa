/** Plans, certificates and verifications for a person. */

import type { Certificate } from "./certificate.ts";
import type { Plan } from "./plan.ts";
import type { ErasureVerification } from "./verify.ts";

export function describePlan(plan: Plan): string[] {
  const { subjects, counts, attachments, objects, references, backups } = plan;
  return [
    `Account ${plan.accountId}`,
    "Subjects:",
    ...subjects.map(({ kind, id }) => `  ${kind} ${id}`),
    "Rows that go, by table:",
    ...Object.entries(counts).map(([table, rows]) => `  ${table} ${rows}`),
    `Attachments that go: ${attachments.length}, with ${objects.bytes} bytes in ${objects.count} files`,
    ...attachments.map((id) => `  ${id}`),
    "Roots that stay and name a subject:",
    ...references.map(({ moduleCode, recordId, subjectId }) =>
      `  ${moduleCode} ${recordId} names ${subjectId}`
    ),
    "Backups in DATA_DIR:",
    ...backups.map(({ name, holds, byHand }) =>
      `  ${name} ${holds ? "holds" : "does not hold"} it${byHand ? ", by hand" : ""}`
    ),
    plan.backupsPassAt === null
      ? "No schedule removes every backup that holds it"
      : `The schedule has removed the backups that hold it at ${plan.backupsPassAt}`,
    `About ${plan.seconds} seconds, ${plan.bytesNeeded} bytes of disk (${plan.freeBytes} are free)`,
    ...plan.notes,
    `Plan ${plan.digest}`,
  ];
}

export function describeCertificate(certificate: Certificate, folder: string): string[] {
  const { id, at, reason, scope, counts, tables } = certificate;
  const isSame = ({ before, after }: Certificate["tables"][string]) =>
    before.sha256 === after.sha256;
  const [same, changed] = [Object.values(tables).filter(isSame), Object.entries(tables)];
  return [
    `Certificate ${id} of ${at}, ${reason}`,
    `${scope.length} subjects erased`,
    ...Object.entries(counts).map(([table, rows]) => `  ${table}: ${rows} rows left out`),
    `${same.length} tables are the same on both sides. These differ:`,
    ...changed.filter(([, table]) => !isSame(table)).map(([name]) => `  ${name}`),
    `Give the service ${folder} as DATA_DIR. The installation of before stays until you remove it.`,
  ];
}

export function describeVerification(
  { certificates, subjects, found }: ErasureVerification,
): string[] {
  const about = `${certificates} certificates name ${subjects} subjects`;
  if (found.length === 0) return [`${about}; nothing of them is here`];
  return [
    `${about}; some are still here:`,
    ...found.map(({ table, subjectId }) => `  ${table} ${subjectId}`),
  ];
}
