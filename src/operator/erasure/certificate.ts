/** The certificate of an erasure, and its files. It holds identifiers, counts and digests. */

import { ignoreNotFound, makeSyncedFolder, syncPath, writeSynced } from "../../core/files.ts";
import type { Erasure } from "../../erasure/erased_store.ts";
import type { TableSum } from "../backup/format.ts";

/** A table on both sides. */
interface ComparedTable {
  readonly before: TableSum;
  readonly after: TableSum;
}

export interface Certificate extends Erasure {
  /** The digest of the plan. */
  readonly plan: string;
  /** Rows left out, by table. */
  readonly counts: Readonly<Record<string, number>>;
  readonly tables: Readonly<Record<string, ComparedTable>>;
  /** Hex, of the newest seal of each trail before the run, by account and kind. */
  readonly seals: Readonly<Record<string, string>>;
}

function certificatePath(folder: string, id: string): string {
  return `${folder}/erasures/${id}.json`;
}

/** Writes a certificate to a data directory, and copies those of earlier erasures. */
export async function writeCertificates(
  { from, to }: { readonly from: string; readonly to: string },
  certificate: Certificate,
  earlier: readonly Erasure[],
): Promise<void> {
  await makeSyncedFolder(`${to}/erasures`);
  for (const { id } of earlier) {
    const bytes = await Deno.readFile(certificatePath(from, id)).catch(ignoreNotFound);
    if (bytes !== undefined) await writeSynced(certificatePath(to, id), bytes);
  }
  const text = `${JSON.stringify(certificate)}\n`;
  await writeSynced(certificatePath(to, certificate.id), new TextEncoder().encode(text));
  await syncPath(`${to}/erasures`);
}

export async function readCertificate(folder: string, id: string): Promise<Certificate> {
  return JSON.parse(await Deno.readTextFile(certificatePath(folder, id)));
}
