/** Processes of the cluster: etcd, Patroni with PostgreSQL, services, proxy. */

import type { Json } from "../../tests/support/world.ts";
import { type ServerProcess, startServer } from "../../tests/support/server_process.ts";
import {
  DATABASE_MACHINES,
  databaseScript,
  etcdSettings,
  patroniFile,
  type Place,
  PROXY_MACHINE,
  proxyFile,
  SERVICE_MACHINES,
  serviceSettings,
} from "./configuration.ts";
import { type Process, run, signalAll, start, withDescendants } from "./processes.ts";
import type { Programs } from "./programs.ts";
import { until } from "./until.ts";

/** A machine's state in Patroni. */
export interface Member {
  readonly machine: number;
  readonly role: "leader" | "sync_standby" | "replica";
  readonly state: string;
  readonly timeline: number;
}

/** Disposal ends all processes. */
export class Cluster implements AsyncDisposable {
  readonly place: Place;
  readonly services = new Map<number, ServerProcess>();
  readonly #programs: Programs;
  readonly #etcd = new Map<number, Process>();
  readonly #patroni = new Map<number, Process>();
  #proxy: Process | null = null;

  constructor(place: Place, programs: Programs) {
    this.place = place;
    this.#programs = programs;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.place.portOf(PROXY_MACHINE, 443)}`;
  }

  /** As the services' role. */
  get databaseUrl(): string {
    return serviceSettings(this.place, SERVICE_MACHINES[0]).DATABASE_URL ?? "";
  }

  async start(): Promise<void> {
    for (const machine of DATABASE_MACHINES) this.startEtcd(machine);
    for (const machine of DATABASE_MACHINES) await this.untilEtcdServes(machine);
    await this.startPatroni(DATABASE_MACHINES[0]);
    await until("there is a leader", async () => await this.leader() !== null);
    for (const machine of DATABASE_MACHINES.slice(1)) await this.startPatroni(machine);
    await this.untilHealthy();
    await this.#makeDatabase();
    for (const machine of SERVICE_MACHINES) await this.startService(machine);
    const file = `${this.place.folder}/haproxy.cfg`;
    await Deno.writeTextFile(file, proxyFile(this.place));
    this.#proxy = start([this.#programs.haproxy, "-f", file], { log: this.#log("haproxy") });
  }

  startEtcd(machine: number): void {
    this.#etcd.set(
      machine,
      start([this.#programs.etcd], {
        env: etcdSettings(this.place, machine),
        log: this.#log(`etcd${machine}`),
      }),
    );
  }

  async untilEtcdServes(machine: number): Promise<void> {
    const endpoint = `127.0.0.1:${this.place.portOf(machine, 2379)}`;
    const words = [this.#programs.etcdctl, "--endpoints", endpoint, "endpoint", "health"];
    await until(
      `etcd serves on machine ${machine}`,
      () => run(words, { ETCDCTL_API: "3" }).then(() => true, () => false),
    );
  }

  async stopEtcd(machine: number): Promise<void> {
    const process = this.#etcd.get(machine);
    if (process === undefined) return;
    signalAll([process.pid], "SIGTERM");
    await process.ended;
  }

  async startPatroni(machine: number): Promise<void> {
    const file = this.#patroniFile(machine);
    await Deno.writeTextFile(file, patroniFile(this.place, machine));
    const words = [this.#programs.patroni, file];
    this.#patroni.set(machine, start(words, { log: this.#log(`patroni${machine}`) }));
  }

  /** Running processes of a machine: Patroni, the postmaster, then others. */
  async databaseProcesses(machine: number): Promise<number[]> {
    const patroni = this.#patroni.get(machine);
    const ofPatroni = patroni === undefined ? [] : await withDescendants(patroni.pid);
    const postmaster = await this.#postmaster(machine);
    const ofServer = postmaster === null ? [] : await withDescendants(postmaster);
    return [...new Set([...ofPatroni.slice(0, 1), ...ofServer, ...ofPatroni])];
  }

  /** For processes that were signalled. */
  async untilDatabaseEnded(machine: number): Promise<void> {
    await this.#patroni.get(machine)?.ended;
    this.#patroni.delete(machine);
    await until(
      `PostgreSQL has ended on machine ${machine}`,
      async () => (await this.databaseProcesses(machine)).length === 0,
    );
  }

  async startService(machine: number): Promise<ServerProcess> {
    const service = await startServer(serviceSettings(this.place, machine));
    this.services.set(machine, service);
    return service;
  }

  /** The leading machine; null without one, or without an answer. */
  async leader(): Promise<number | null> {
    return (await this.members()).find(({ role }) => role === "leader")?.machine ?? null;
  }

  /** According to the first Patroni that answers. */
  async members(): Promise<Member[]> {
    for (const machine of DATABASE_MACHINES) {
      const url = `http://127.0.0.1:${this.place.portOf(machine, 8008)}/cluster`;
      try {
        const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
        const { members } = await response.json() as { members: Json[] };
        return members.map(({ name, role, state, timeline }) => ({
          machine: Number(name.slice("db".length)),
          role,
          state,
          timeline,
        }));
      } catch {
        // Try the next one.
      }
    }
    return [];
  }

  /** A leader, a synchronous standby, and another replica. */
  async untilHealthy(): Promise<void> {
    await until("all machines are well", async () => {
      const members = await this.members();
      const roles = members.map(({ role }) => role).sort().join();
      return roles === "leader,replica,sync_standby" &&
        new Set(members.map(({ timeline }) => timeline)).size === 1 &&
        members.every(({ state }) => state === "running" || state === "streaming");
    });
  }

  /** To the synchronous standby. */
  async switchOver(): Promise<void> {
    const members = await this.members();
    const named = (wanted: Member["role"]) =>
      `db${members.find(({ role }) => role === wanted)?.machine}`;
    const file = this.#patroniFile(DATABASE_MACHINES[0]);
    const between = ["--leader", named("leader"), "--candidate", named("sync_standby")];
    await run([
      this.#programs.patronictl,
      "-c",
      file,
      "switchover",
      "records",
      ...between,
      "--force",
    ]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const service of this.services.values()) await service[Symbol.asyncDispose]();
    const databases = DATABASE_MACHINES.map((machine) => this.databaseProcesses(machine));
    const others = [this.#proxy, ...this.#etcd.values()].map((process) => process?.pid ?? []);
    // SIGKILL also ends frozen processes.
    signalAll([...(await Promise.all(databases)).flat(), ...others.flat()], "SIGKILL");
    const processes = [this.#proxy, ...this.#etcd.values(), ...this.#patroni.values()];
    await Promise.all(processes.map((process) => process?.ended));
  }

  async #makeDatabase(): Promise<void> {
    const leader = await this.leader();
    const port = this.place.portOf(leader ?? 0, 5432);
    for (const statement of databaseScript().split(";").map((text) => text.trim())) {
      if (statement === "") continue;
      const login = ["-h", "127.0.0.1", "-p", `${port}`, "-U", "postgres", "-d", "postgres"];
      const words = [`${this.place.programs}/psql`, "-X", ...login, "-c", statement];
      await run(words, { PGPASSWORD: "a password of its own" });
    }
  }

  /** From its data folder's file, if still running. */
  async #postmaster(machine: number): Promise<number | null> {
    const { folder, programs } = this.place;
    const text = await Deno.readTextFile(`${folder}/data${machine}/postmaster.pid`).catch(() => "");
    const pid = Number(text.split("\n")[0]);
    if (!(pid > 0)) return null;
    const running = await run(["ps", "-o", "args=", "-p", `${pid}`]).catch(() => "");
    return running.startsWith(`${programs}/postgres -D ${folder}/data${machine}`) ? pid : null;
  }

  #patroniFile(machine: number): string {
    return `${this.place.folder}/patroni${machine}.yml`;
  }

  #log(name: string): string {
    return `${this.place.folder}/${name}.log`;
  }
}
