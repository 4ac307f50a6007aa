/**
 * The configuration of tests/cluster/README.md, for this one machine: what is
 * drilled is what the README shows. Its addresses become ports of loopback, its folders a temporary one.
 */

import { PROJECT } from "../support/server_process.ts";

/** The machines of the README with PostgreSQL, Patroni and etcd, by their number. */
export const DATABASE_MACHINES = [1, 2, 3] as const;
/** Those with the service. */
export const SERVICE_MACHINES = [4, 5] as const;
/** The one with the proxy. */
export const PROXY_MACHINE = 6;

/** A port of this machine in the place of a machine's port in the README. */
export type PortOf = (machine: number, port: number) => number;

/** Where everything lies, and on which ports. */
export interface Place {
  readonly folder: string;
  /** The folder of PostgreSQL's programs. */
  readonly programs: string;
  readonly portOf: PortOf;
}

/** The settings of etcd on a machine, as environment variables. */
export function etcdSettings(place: Place, machine: number): Record<string, string> {
  const text = onMachine(readBlock("/etc/default/etcd"), machine);
  const changed = changeText(text, [["/var/lib/etcd/records", `${place.folder}/etcd${machine}`]]);
  return readSettings(addressesOf(changed, place));
}

/** The file of Patroni on a machine. */
export function patroniFile(place: Place, machine: number): string {
  const { folder, programs } = place;
  const text = onMachine(readBlock("/etc/patroni/config.yml"), machine);
  const changed = changeText(text, [
    ["/var/lib/postgresql/15/records", `${folder}/data${machine}`],
    ["/var/lib/postgresql/records.pgpass", `${folder}/pgpass${machine}`],
    ["/usr/lib/postgresql/15/bin", programs],
    ["/var/run/postgresql", folder],
    ["10.0.0.0/24", "127.0.0.1/32"],
    // The machine that runs the drill has none.
    ["mode: required", "mode: off"],
  ]);
  return addressesOf(changed, place);
}

/** What makes the role and the database of the service. */
export function databaseScript(): string {
  return readBlock("On the leader, once");
}

/** The file of HAProxy, without TLS. */
export function proxyFile(place: Place): string {
  const changed = changeText(readBlock("/etc/haproxy/haproxy.cfg"), [
    ["10.0.0.6:443 ssl crt /etc/haproxy/records.pem", "10.0.0.6:443"],
  ]);
  return addressesOf(changed, place);
}

/** The settings of a service. */
export function serviceSettings(place: Place, machine: number): Record<string, string> {
  const text = readBlock("/etc/personal-records-service/settings");
  const { SERVER_SECRET_FILE: _, ...settings } = readSettings(addressesOf(text, place));
  return {
    ...settings,
    HOST: "127.0.0.1",
    PORT: `${place.portOf(machine, 8000)}`,
    DATA_DIR: `${place.folder}/shared`,
    SERVER_SECRET: "a server secret that only the drill knows",
  };
}

/** A block of the README: its first line is a comment that begins with its name. */
function readBlock(name: string): string {
  const readme = Deno.readTextFileSync(`${PROJECT}/tests/cluster/README.md`);
  for (const [, block = ""] of readme.matchAll(/```\w*\n([\s\S]*?)```/g)) {
    if (block.startsWith(`# ${name}`) || block.startsWith(`-- ${name}`)) return block;
  }
  throw new Error(`tests/cluster/README.md has no block "${name}"`);
}

/** The README shows machine 1. What names all machines is the same on each. */
function onMachine(block: string, machine: number): string {
  const own = (line: string) =>
    line.replaceAll("10.0.0.1:", `10.0.0.${machine}:`).replace(/\bdb1\b/, `db${machine}`);
  return block.split("\n").map((line) => line.includes("10.0.0.2") ? line : own(line)).join("\n");
}

function changeText(block: string, changes: readonly (readonly [string, string])[]): string {
  return changes.reduce((text, [found, change]) => {
    if (!text.includes(found)) throw new Error(`tests/cluster/README.md no longer says "${found}"`);
    return text.replaceAll(found, change);
  }, block);
}

function addressesOf(text: string, { portOf }: Place): string {
  return text.replaceAll(
    /10\.0\.0\.(\d):(\d+)/g,
    (_, machine, port) => `127.0.0.1:${portOf(Number(machine), Number(port))}`,
  );
}

function readSettings(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => /^[A-Z]/.test(line));
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/, 2)));
}
