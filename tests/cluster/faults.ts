/** What the rounds do to the cluster, and how it is made whole again. */

import type { Random } from "../support/random.ts";
import { DATABASE_MACHINES, SERVICE_MACHINES } from "./configuration.ts";
import type { Cluster } from "./machines.ts";
import type { Kind } from "./options.ts";
import { signalAll } from "./processes.ts";

/** Does something to the cluster. What it returns mends that, once clients are served again. */
export type Fault = (cluster: Cluster, random: Random) => Promise<() => Promise<void>>;

const NOTHING_TO_MEND = () => Promise.resolve();

/** By kind. */
export const FAULTS: Readonly<Record<Kind, Fault>> = {
  "kill-leader": (cluster) => endLeader(cluster, "SIGKILL"),
  "stop-leader": (cluster) => endLeader(cluster, "SIGTERM"),
  "freeze-leader": freezeLeader,
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
};

/** Patroni and PostgreSQL of the leader, and whatever they have started, are sent a signal. */
async function endLeader(cluster: Cluster, signal: Deno.Signal): Promise<() => Promise<void>> {
  const machine = await leaderOf(cluster);
  signalAll(await cluster.databaseProcesses(machine), signal);
  return async () => {
    await cluster.untilDatabaseEnded(machine);
    await cluster.startPatroni(machine);
  };
}

/** As a machine that stands still for a while, without knowing of it afterwards. */
async function freezeLeader(cluster: Cluster): Promise<() => Promise<void>> {
  const machine = await leaderOf(cluster);
  const frozen = new Set<number>();
  // Once the parents stand still, no more children come.
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

async function leaderOf(cluster: Cluster): Promise<number> {
  const machine = await cluster.leader();
  if (machine === null) throw new Error("No machine leads");
  return machine;
}
