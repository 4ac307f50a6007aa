/**
 * The configuration of scripts/cluster/README.md on one machine: addresses become loopback ports,
 * folders a temporary one.
 */

import { PROJECT } from "../../tests/support/server_process.ts";

/** Machines with PostgreSQL, Patroni and etcd. */
export const DATABASE_MACHINES = [1, 2, 3] as const;
export const SERVICE_MACHINES = [4, 5] as const;
export const PROXY_MACHINE = 6;

type PortOf = (machine: number, port: number) => number;

export interface Place {
  readonly folder: string;
  /** PostgreSQL's programs. */
  readonly programs: string;
  readonly portOf: PortOf;
}

/** Environment variables of etcd. */
export function etcdSettings(place: Place, machine: number): Record<string, string> {
  const text = onMachine(readBlock("/etc/default/etcd"), machine);
  const changed = changeText(text, [["/var/lib/etcd/records", `${place.folder}/etcd${machine}`]]);
  return readSettings(addressesOf(changed, place));
}

export function patroniFile(place: Place, machine: number): string {
  const { folder, programs } = place;
  const text = onMachine(readBlock("/etc/patroni/config.yml"), machine);
  const changed = changeText(text, [
    ["/var/lib/postgresql/15/records", `${folder}/data${machine}`],
    ["/var/lib/postgresql/records.pgpass", `${folder}/pgpass${machine}`],
    ["/usr/lib/postgresql/15/bin", programs],
    ["/var/run/postgresql", folder],
    ["10.0.0.0/24", "127.0.0.1/32"],
    // Without TLS here.
    ["mode: required", "mode: off"],
  ]);
  return addressesOf(changed, place);
}

/** Creates the service's role and database. */
export function databaseScript(): string {
  return readBlock("On the leader, once");
}

/** HAProxy's file, without TLS. */
export function proxyFile(place: Place): string {
  const changed = changeText(readBlock("/etc/haproxy/haproxy.cfg"), [
    ["10.0.0.6:443 ssl crt /etc/haproxy/records.pem", "10.0.0.6:443"],
  ]);
  return addressesOf(changed, place);
}

/** Environment variables of a service. */
export function serviceSettings(place: Place, machine: number): Record<string, string> {
  const text = readBlock("/etc/personal-records-service/settings");
  const { SERVER_SECRET_FILE: _, ...settings } = readSettings(addressesOf(text, place));
  return {
    ...settings,
    HOST: "127.0.0.1",
    PORT: `${place.portOf(machine, 8000)}`,
    DATA_DIR: `${place.folder}/service${machine}`,
    SERVER_SECRET: "a server secret that only the drill knows",
  };
}

/** A block of the README, by the name at the start of its first line's comment. */
function readBlock(name: string): string {
  const readme = Deno.readTextFileSync(`${PROJECT}/scripts/cluster/README.md`);
  for (const [, block = ""] of readme.matchAll(/```\w*\n([\s\S]*?)```/g)) {
    if (block.startsWith(`# ${name}`) || block.startsWith(`-- ${name}`)) return block;
  }
  throw new Error(`scripts/cluster/README.md has no block "${name}"`);
}

/** Adapts a block from machine 1. Parts that name all machines are the same on each. */
function onMachine(block: string, machine: number): string {
  const own = (line: string) =>
    line.replaceAll("10.0.0.1:", `10.0.0.${machine}:`).replace(/\bdb1\b/, `db${machine}`);
  return block.split("\n").map((line) => line.includes("10.0.0.2") ? line : own(line)).join("\n");
}

function changeText(block: string, changes: readonly (readonly [string, string])[]): string {
  return changes.reduce((text, [found, change]) => {
    if (!text.includes(found)) {
      throw new Error(`scripts/cluster/README.md no longer contains "${found}"`);
    }
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
