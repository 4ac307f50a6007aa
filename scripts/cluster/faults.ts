/** The faults of the rounds, and their repair. */

import type { Random } from "../../tests/support/random.ts";
import { DATABASE_MACHINES, SERVICE_MACHINES } from "./configuration.ts";
import type { Cluster, Member } from "./machines.ts";
import type { Kind } from "./options.ts";
import { signalAll } from "./processes.ts";

/** Causes a fault; returns its repair, for when clients are served again. */
type Fault = (cluster: Cluster, random: Random) => Promise<() => Promise<void>>;

const NOTHING_TO_MEND = () => Promise.resolve();

export const FAULTS: Readonly<Record<Kind, Fault>> = {
  "kill-leader": async (cluster) => end(cluster, await machineOf(cluster, "leader"), "SIGKILL"),
  "stop-leader": async (cluster) => end(cluster, await machineOf(cluster, "leader"), "SIGTERM"),
  "freeze-leader": async (cluster) => freeze(cluster, await machineOf(cluster, "leader")),
  async switchover(cluster) {
    await cluster.switchOver();
    return NOTHING_TO_MEND;
  },
  async "kill-service"(cluster, random) {
    const machine = random.pick(SERVICE_MACHINES);
    const service = cluster.services.get(machine);
    service?.kill("SIGKILL");
    await service?.ended;
    return async () => {
      await cluster.startService(machine);
    };
  },
  async "restart-etcd"(cluster) {
    for (const machine of DATABASE_MACHINES) {
      await cluster.stopEtcd(machine);
      cluster.startEtcd(machine);
      await cluster.untilEtcdServes(machine);
    }
    return NOTHING_TO_MEND;
  },
  // Every commit waits for it.
  "kill-standby": async (cluster) =>
    end(cluster, await machineOf(cluster, "sync_standby"), "SIGKILL"),
  "freeze-standby": async (cluster) => freeze(cluster, await machineOf(cluster, "sync_standby")),
};

/** Signals Patroni and PostgreSQL of a machine with their children. */
async function end(
  cluster: Cluster,
  machine: number,
  signal: Deno.Signal,
): Promise<() => Promise<void>> {
  signalAll(await cluster.databaseProcesses(machine), signal);
  return async () => {
    await cluster.untilDatabaseEnded(machine);
    await cluster.startPatroni(machine);
  };
}

/** Like a machine that pauses without noticing. */
async function freeze(cluster: Cluster, machine: number): Promise<() => Promise<void>> {
  const frozen = new Set<number>();
  // Frozen parents start no more children.
  for (let seen = -1; seen < frozen.size;) {
    seen = frozen.size;
    for (const pid of await cluster.databaseProcesses(machine)) frozen.add(pid);
    signalAll([...frozen], "SIGSTOP");
  }
  return () => {
    signalAll([...frozen], "SIGCONT");
    return Promise.resolve();
  };
}

async function machineOf(cluster: Cluster, role: Member["role"]): Promise<number> {
  const member = (await cluster.members()).find((member) => member.role === role);
  if (member === undefined) throw new Error(`No machine is the ${role}`);
  return member.machine;
}
