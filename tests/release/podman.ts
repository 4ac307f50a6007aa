/**
 * Images and containers by Debian's `buildah`, `podman` and `podman-compose`, with a store of their
 * own.
 *
 * Nothing is pulled. Two roots made of this machine's files replace the Dockerfile's base images,
 * and every other line of it is kept. If `DENORT_BIN` does not name a runtime, a small program
 * replaces it: it starts the same source with Deno and with the permissions of the packed program.
 */

import { assert } from "@std/assert";
import { compileArguments } from "../../scripts/compile.ts";
import { ownEnvironment, PROJECT } from "../support/server_process.ts";
import { findProgram } from "../support/programs.ts";

const NEEDED = ["podman", "buildah", "podman-compose", "runc", "gcc", "ldd"];
export const MISSING = NEEDED.filter((name) => findProgram(name) === undefined);

export interface Containers extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  /** Runs a program with this store. */
  run(command: string, ...args: string[]): Promise<string>;
}

export async function openContainers(): Promise<Containers> {
  const folder = await Deno.makeTempDir({ prefix: "prs-containers-" });
  // Raising a limit needs a right that not every machine gives.
  await Deno.writeTextFile(
    `${folder}/containers.conf`,
    '[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]\n' +
      '[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n',
  );
  await Deno.writeTextFile(
    `${folder}/storage.conf`,
    `[storage]\ndriver = "vfs"\ngraphroot = "${folder}/graph"\nrunroot = "${folder}/run"\n`,
  );
  const env = {
    CONTAINERS_CONF: `${folder}/containers.conf`,
    CONTAINERS_STORAGE_CONF: `${folder}/storage.conf`,
    BUILDAH_ISOLATION: "chroot",
  };
  const run = async (command: string, ...args: string[]) => {
    const { success, stdout, stderr } = await new Deno.Command(command, {
      args,
      cwd: folder,
      env: { ...ownEnvironment(), ...env },
      stdin: "null",
    }).output();
    const [text = "", errors] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    assert(success, `${command} ${args.join(" ")}: ${text}${errors}`);
    return text;
  };
  return {
    env,
    folder,
    run,
    async [Symbol.asyncDispose]() {
      await run("podman", "rm", "--all", "--force", "--time", "0");
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** Builds the image of the Dockerfile under the name that compose.yaml gives it. */
export async function buildImage(containers: Containers): Promise<void> {
  const { folder, run } = containers;
  await makeBuildRoot(containers, `${folder}/build`);
  await makeFinalRoot(containers, `${folder}/final`);
  await writeImage(containers, "build", "ENV DENORT_BIN=/opt/runtime DENO_TLS_CA_STORE=system");
  await writeImage(containers, "final", "");
  const dockerfile = (await Deno.readTextFile(`${PROJECT}/Dockerfile`))
    .replace(/^FROM docker\.io\/denoland\S+/m, "FROM localhost/build")
    .replace(/^FROM gcr\.io\S+/m, "FROM localhost/final");
  await Deno.writeTextFile(`${folder}/Dockerfile`, dockerfile);
  // The network is for the packages that deno.lock names.
  const options = ["--network", "host", "--format", "docker", "--file", `${folder}/Dockerfile`];
  await run("buildah", "bud", ...options, "--tag", "personal-records-service", PROJECT);
}

/** Makes an image of a root below the folder. */
export async function writeImage(
  { folder, run }: Containers,
  name: string,
  instructions: string,
): Promise<void> {
  const file = `${folder}/Dockerfile.${name}`;
  await Deno.writeTextFile(file, `FROM scratch\nCOPY ${name}/ /\n${instructions}\n`);
  await run("buildah", "bud", "--quiet", "--file", file, "--tag", name, folder);
}

/** Copies programs and their libraries into a root. */
export async function copyPrograms(
  { run }: Containers,
  root: string,
  ...paths: string[]
): Promise<void> {
  for (const path of paths) {
    const libraries = (await run("sh", "-c", `ldd ${path} || true`)).match(/\/\S+/g) ?? [];
    for (const file of [path, ...libraries.filter((library) => !library.endsWith(":"))]) {
      await run("install", "-D", file, `${root}${file}`);
    }
  }
}

/** Holds a shell for RUN, Deno, and the runtime to pack. */
async function makeBuildRoot(containers: Containers, root: string): Promise<void> {
  const { run } = containers;
  await copyPrograms(containers, root, "/bin/sh", "/bin/mkdir", Deno.execPath());
  await run("mkdir", "-p", `${root}/opt`, `${root}/tmp`, `${root}/usr/bin`);
  await Deno.rename(`${root}${Deno.execPath()}`, `${root}/usr/bin/deno`);
  const certificates = "/etc/ssl/certs/ca-certificates.crt";
  await run("install", "-D", certificates, `${root}${certificates}`);
  const own = Deno.env.get("DENORT_BIN");
  if (own !== undefined) await Deno.copyFile(own, `${root}/opt/runtime`);
  else await compileStandIn(containers, `${root}/opt/runtime`);
}

/** Holds the libraries; for the stand-in also Deno and the source. No shell. */
async function makeFinalRoot(containers: Containers, root: string): Promise<void> {
  const { run } = containers;
  await copyPrograms(containers, root, Deno.execPath());
  await run("mkdir", "-p", `${root}/opt/service`, `${root}/tmp`);
  await Deno.rename(`${root}${Deno.execPath()}`, `${root}/opt/deno`);
  for (const name of ["main.ts", "deno.json", "deno.lock", "src", "sql", "node_modules"]) {
    await run("cp", "-rL", `${PROJECT}/${name}`, `${root}/opt/service/`);
  }
}

async function compileStandIn({ folder, run }: Containers, output: string): Promise<void> {
  const flags = compileArguments("/data").slice(3, -1).map((flag) =>
    flag.startsWith("--allow-read=") ? `${flag},/opt/service/node_modules` : flag
  );
  const packages = ["--cached-only", "--node-modules-dir=manual", "--no-lock"];
  const head = ["/opt/deno", "run", "--no-check", ...packages, ...flags, "/opt/service/main.ts"];
  const source = `#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int count, char **words) {
  char *head[] = {${head.map((word) => JSON.stringify(word)).join(", ")}};
  size_t length = sizeof head / sizeof *head;
  char **all = calloc(length + count, sizeof *all);
  memcpy(all, head, sizeof head);
  memcpy(all + length, words + 1, (count - 1) * sizeof *all);
  execv(all[0], all);
  return 127;
}
`;
  await Deno.writeTextFile(`${folder}/runtime.c`, source);
  await run("gcc", "-static", "-o", output, `${folder}/runtime.c`);
}
