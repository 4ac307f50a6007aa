import { findPrograms } from "../postgres_cluster.ts";
import { findProgram } from "./processes.ts";

const NAMES = ["patroni", "patronictl", "etcd", "etcdctl", "haproxy"] as const;

/** Paths of the cluster's programs. */
export type Programs = Readonly<Record<(typeof NAMES)[number], string>> & {
  /** PostgreSQL's folder. */
  readonly postgres: string;
};

/** Returns the missing names if some are not installed. */
export async function findAll(): Promise<Programs | readonly string[]> {
  const postgres = await findPrograms();
  const found = NAMES.map((name) => [name, findProgram(name)] as const);
  const missing = found.filter(([, path]) => path === null).map(([name]) => name);
  if (postgres === null) return [...missing, "postgresql"];
  if (missing.length > 0) return missing;
  return { postgres, ...Object.fromEntries(found) } as Programs;
}
