import { findPrograms } from "../../scripts/postgres_cluster.ts";
import { findProgram } from "./processes.ts";

const NAMES = ["patroni", "patronictl", "etcd", "etcdctl", "haproxy"] as const;

/** The paths of the programs that the cluster is made of. */
export type Programs = Readonly<Record<(typeof NAMES)[number], string>> & {
  /** The folder of PostgreSQL's own. */
  readonly postgres: string;
};

/** Finds the installed programs; where some are missing, their names. */
export async function findAll(): Promise<Programs | readonly string[]> {
  const postgres = await findPrograms();
  const found = NAMES.map((name) => [name, findProgram(name)] as const);
  const missing = found.filter(([, path]) => path === null).map(([name]) => name);
  if (postgres === null) return [...missing, "postgresql"];
  if (missing.length > 0) return missing;
  return { postgres, ...Object.fromEntries(found) } as Programs;
}
