/**
 * The image and the files of compose, and the page "Keep it safe" in a container. Ignored if a
 * program is missing that podman.ts names. They publish port 8000.
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { findPrograms } from "../../scripts/postgres_cluster.ts";
import { RELEASE } from "../../src/database/release.ts";
import { section } from "../support/chapters.ts";
import { commandsOf, Operator } from "../support/keep_it_safe.ts";
import { readRecord, readVersion, setUpBy, signIn, writeRecord } from "../support/kept_record.ts";
import { PROJECT } from "../support/server_process.ts";
import { waitUntil } from "../support/wait.ts";
import {
  buildImage,
  type Containers,
  copyPrograms,
  MISSING,
  openContainers,
  writeImage,
} from "./podman.ts";

const PORT = 8000;
const DIGEST = /@sha256:[0-9a-f]{64}/;

/** Replaces docker with podman in the page's commands; the image is already built. */
const WORDS = {
  "docker compose": "podman-compose",
  "docker ": "podman ",
  " --build": " --no-build",
};

/** Copies the folder of the files, because their secrets are made in it. */
async function operatorIn({ env, folder }: Containers): Promise<Operator> {
  const cwd = `${folder}/deploy`;
  await Deno.mkdir(cwd, { recursive: true });
  for (const name of ["compose.yaml", "compose.postgres.yaml"]) {
    const text = await Deno.readTextFile(`${PROJECT}/scripts/deploy/${name}`);
    // An image that is made here cannot have the digest.
    await Deno.writeTextFile(`${cwd}/${name}`, text.replace(DIGEST, ""));
  }
  const disk = `${folder}/disk`;
  await Deno.mkdir(disk, { recursive: true });
  return new Operator({ cwd, env, words: { ...WORDS, "/media/disk": disk } });
}

/**
 * Waits for the service; returns the output of its first start.
 *
 * @throws with that output, if the service does not answer in time.
 */
async function ready({ run }: Containers): Promise<string> {
  const log = () => run("sh", "-c", "podman ps --all; podman logs prs 2>&1");
  try {
    await waitUntil("the service answers", async () => {
      const response = await fetch(`http://127.0.0.1:${PORT}/readyz`).catch(() => null);
      await response?.body?.cancel();
      return response?.status === 200;
    });
  } catch (error) {
    throw new Error(await log(), { cause: error });
  }
  return await log();
}

Deno.test({
  name: "The page keeps a record safe in a container without a shell",
  ignore: MISSING.length > 0,
  async fn() {
    await using containers = await openContainers();
    await buildImage(containers);
    await using operator = await operatorIn(containers);
    await operator.run(["docker compose up --detach --build"]);
    const token = await setUpBy(PORT, await ready(containers));
    const path = await writeRecord(PORT, token);
    const record = await readRecord(PORT, token, path);
    assertEquals(await readVersion(PORT), RELEASE);

    const [verified = ""] = (await operator.run(commandsOf("Back up", "In a container"))).slice(-1);
    assertStringIncludes(verified, "rows");
    await operator.run(commandsOf("Take the backup off the machine", "In a container"));
    await operator.run(["docker compose down --volumes"]);
    await operator.run(commandsOf("Restore", "In a container"));
    await ready(containers);
    assertEquals(await readRecord(PORT, await signIn(PORT), path), record);

    const printed = await operator.run(commandsOf("Upgrade", "In a container").slice(0, 4));
    assert(printed.length === 4);
    await ready(containers);
    await operator.run(commandsOf("Upgrade", "In a container").slice(4));
    const later = await signIn(PORT);
    assertEquals(await readRecord(PORT, later, path), record);
    await operator.run(commandsOf("Upgrade", "In a container", 1));
    await ready(containers);
    assertEquals(await readRecord(PORT, await signIn(PORT), path), record);

    await withPostgres(containers, operator);
  },
});

/** With Debian's PostgreSQL in place of the image of PostgreSQL. */
async function withPostgres(containers: Containers, operator: Operator): Promise<void> {
  const { folder, run } = containers;
  await operator.run(["docker compose down --volumes"]);
  const [, postgres = ""] = /\n {4}image: (\S+)/.exec(
    await Deno.readTextFile(`${PROJECT}/scripts/deploy/compose.postgres.yaml`),
  ) ?? [];
  const programs = await findPrograms();
  assert(programs !== null);
  await makePostgresRoot(containers, `${folder}/postgres`, programs);
  await writeImage(
    containers,
    "postgres",
    'COPY --chown=999:999 empty /var/lib/postgresql/data\nUSER 999:999\nENTRYPOINT ["/entry"]',
  );
  await run("podman", "tag", "localhost/postgres", postgres.replace(DIGEST, ""));
  const [, commands = ""] = /^```sh\n(mkdir[^]*?)^```$/m.exec(
    section("src/operator/programs/README.md", "In a container"),
  ) ?? [];
  const lines = commands.trimEnd().split("\n");
  assert(lines.length <= 6);
  await operator.run(lines.map((line) => line.replace("--detach", "--detach --build")));
  const token = await setUpBy(PORT, await ready(containers));
  const path = await writeRecord(PORT, token);
  const record = await readRecord(PORT, token, path);
  await run("podman", "restart", "prs");
  await ready(containers);
  assertEquals(await readRecord(PORT, token, path), record);
}

/** PostgreSQL, a shell, and an entry with the steps that the file expects of the image. */
async function makePostgresRoot(containers: Containers, root: string, programs: string) {
  const { folder, run } = containers;
  await copyPrograms(containers, root, "/bin/sh", `${programs}/postgres`, `${programs}/initdb`);
  const share = programs.replace("/lib/", "/share/").replace(/\/bin$/, "");
  for (const path of [share, programs.replace(/bin$/, "lib"), "/usr/share/zoneinfo"]) {
    await run("sh", "-c", `mkdir -p ${root}$(dirname ${path}) && cp -rL ${path} ${root}${path}`);
  }
  for (const path of ["tmp", "etc"]) await run("mkdir", "-p", `${root}/${path}`);
  await run("mkdir", `${folder}/empty`);
  await Deno.writeTextFile(`${root}/etc/passwd`, "postgres:x:999:999::/:/bin/sh\n");
  await Deno.writeTextFile(
    `${root}/entry`,
    `#!/bin/sh
set -e
cd /var/lib/postgresql/data
if ! [ -e PG_VERSION ]; then
  ${programs}/initdb -D . -U "$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" -A scram-sha-256 \\
    --locale=C --encoding=UTF8
  echo "host all all all scram-sha-256" >>pg_hba.conf
  echo "create database $POSTGRES_USER" | ${programs}/postgres --single -D . postgres
fi
exec ${programs}/postgres -D . -c listen_addresses='*' -c unix_socket_directories=
`,
    { mode: 0o755 },
  );
}
