/** Packaging files, compared with the tree. */

import { assert, assertEquals } from "@std/assert";
import { compileArguments, OUTPUT, runtimeSource } from "../../scripts/compile.ts";
import { ENVIRONMENT_NAMES } from "../../src/operator/config/env.ts";
import { PROGRAM_ENVIRONMENT } from "../../src/operator/config/program_flags.ts";
import { PRS_PERMISSIONS } from "../../src/operator/programs/prs_permissions.ts";
import { taskFlags } from "../support/server_process.ts";

const PROJECT = new URL("../..", import.meta.url).pathname;
const DOCKERFILE = await read("Dockerfile");
const UNIT = await read("scripts/deploy/personal-records-service.service");

/** The packed program may read it, and the unit and compose.yaml propose it. */
const ZONE_FILES = "/usr/share/zoneinfo";

/** The line of the settings of memory. */
const MEMORY = Object.entries(PROGRAM_ENVIRONMENT).map(([name, value]) => `${name}=${value}`)
  .join(" ");

async function read(path: string): Promise<string> {
  return await Deno.readTextFile(`${PROJECT}/${path}`);
}

const STAGES = DOCKERFILE.replace(/^#.*\n/gm, "").replace(/\\\n\s*/g, "").split(/^(?=FROM )/m)
  .map((text) => text.trim().split("\n").filter(Boolean)).filter(([first]) =>
    first?.startsWith("FROM ")
  );
const [BUILD = [], FINAL = []] = STAGES;

function instructions(stage: readonly string[], name: string): string[] {
  return stage.filter((line) => line.startsWith(`${name} `)).map((line) =>
    line.slice(name.length + 1)
  );
}

function unit(name: string): string[] {
  return UNIT.split("\n").filter((line) => line.startsWith(`${name}=`)).map((line) =>
    line.slice(name.length + 1)
  );
}

Deno.test("Packed program has the permissions of the start task and of prs, not for node_modules", () => {
  const started = taskFlags("start", "/data");
  const packed = compileArguments("/data");
  assertEquals(packed.slice(0, 3), ["compile", "--output", OUTPUT]);
  assertEquals(packed.slice(-2), ["--allow-run", "main.ts"]);
  const expected = started.map((flag) => {
    const [name = ""] = flag.split("=");
    const zones = name === "--allow-read" ? [ZONE_FILES] : [];
    return [flag.replace("./node_modules,", ""), ...zones, ...PRS_PERMISSIONS[name] ?? []].join();
  });
  assertEquals(packed.slice(3, -2), expected);
});

Deno.test("Packed program gives up what only prs needs, and keeps what the service needs", async () => {
  const flags = compileArguments("/data").slice(3, -1);
  const program = new URL("src/operator/programs/prs_permissions.ts", `file://${PROJECT}/`);
  const script = `import { dropPrsPermissions } from "${program}";
    const state = (name, more) => Deno.permissions.querySync({ name, ...more }).state;
    const states = () => [state("read", { path: "/data/x" }), state("write", { path: "/data/x" }),
      state("sys", { kind: "statfs" }), state("env", { variable: "DATA_DIR" }),
      state("read", { path: "/etc" }), state("write", { path: "/etc" }),
      state("env", { variable: "HOME" }), state("run"), state("run", { command: "sh" })];
    const before = states();
    dropPrsPermissions();
    console.log(JSON.stringify([before, states()]));`;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-config", ...flags, "-"],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(script));
  await writer.close();
  const { stdout } = await child.output();
  assertEquals(JSON.parse(new TextDecoder().decode(stdout)), [
    Array(9).fill("granted"),
    [...Array(4).fill("granted"), ...Array(5).fill("prompt")],
  ]);
});

Deno.test("Dockerfile builds with the pinned Deno, and packs by the task and for its volume", async () => {
  const [, version = ""] = /^readonly DENO="deno@(.+)"$/m.exec(await read(".ci/run")) ?? [];
  assertEquals(STAGES.length, 2);
  const [from = ""] = instructions(BUILD, "FROM");
  assert(from.startsWith(`docker.io/denoland/deno:debian-${version}@sha256:`), from);
  assert(from.endsWith(" AS build"), from);
  assertEquals(instructions(BUILD, "ENV"), ["DATA_DIR=/data"]);
  const [run = ""] = instructions(BUILD, "RUN");
  assertEquals(run.split(" && ").slice(0, 2), ["deno install --frozen", "deno task compile"]);
});

/** An image with its registry and its digest. */
const PINNED = /^([a-z.]+\.[a-z]+\/\S+)@sha256:[0-9a-f]{64}(?: |$)/;

Deno.test("Every image that is pulled has a registry and a digest, as the README says", async () => {
  const readme = await read("src/operator/programs/README.md");
  const images = STAGES.flatMap((stage) => instructions(stage, "FROM"));
  for await (const { name } of Deno.readDir(`${PROJECT}/scripts/deploy`)) {
    if (!name.endsWith(".yaml")) continue;
    const text = await read(`scripts/deploy/${name}`);
    images.push(...Array.from(text.matchAll(/^ +image: (.+)$/gm), ([, image = ""]) => image));
  }
  const pulled = images.filter((image) => image !== "personal-records-service");
  assertEquals(pulled.length, 3);
  for (const image of pulled) {
    const [, named = ""] = PINNED.exec(image) ?? [];
    assert(named !== "", image);
    assert(readme.includes(named), named);
  }
});

Deno.test("Dockerfile copies existing files, and .dockerignore sends exactly those", async () => {
  const copied = STAGES.flatMap((stage) => instructions(stage, "COPY"))
    .filter((line) => !line.startsWith("--from="))
    .flatMap((line) => line.split(" ").slice(0, -1));
  for (const path of copied) await Deno.lstat(`${PROJECT}/${path}`);
  const [first, ...sent] = (await read(".dockerignore")).split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  assertEquals(first, "*");
  assertEquals(sent.map((line) => line.replace(/^!/, "")).toSorted(), copied.toSorted());
});

Deno.test("Image runs the packed program as an unprivileged user, with its own volume", () => {
  const [program = ""] = instructions(FINAL, "COPY").filter((line) => line.includes(OUTPUT));
  const [from, to] = program.split(" ").slice(-2);
  assertEquals(from, `/build/${OUTPUT}`);
  assertEquals(instructions(FINAL, "ENTRYPOINT"), [JSON.stringify([to])]);
  assertEquals(instructions(FINAL, "VOLUME"), ["/data"]);
  assertEquals(instructions(FINAL, "ENV"), ["DATA_DIR=/data HOST=0.0.0.0 PORT=8000", MEMORY]);
  assertEquals(instructions(FINAL, "EXPOSE"), ["8000"]);
  const [user = ""] = instructions(FINAL, "USER");
  assert(/^[1-9]\d*:[1-9]\d*$/.test(user), user);
  assert(
    instructions(FINAL, "COPY").includes(`--from=build --chown=${user} --chmod=700 /data /data`),
  );
  const [check = ""] = instructions(FINAL, "HEALTHCHECK");
  assertEquals(check.slice(check.indexOf("CMD ")), `CMD ["${to}", "healthcheck"]`);
});

Deno.test("Image has no shell, and nothing in its last stage asks for one", () => {
  const [from = ""] = instructions(FINAL, "FROM");
  assert(from.startsWith("gcr.io/distroless/cc-debian12:nonroot@sha256:"), from);
  assertEquals(instructions(FINAL, "RUN"), []);
});

Deno.test("systemd unit runs the program as its own user, with one writable folder", () => {
  assertEquals(unit("ExecStart"), ["/usr/local/bin/personal-records-service"]);
  assertEquals(unit("User"), ["personal-records"]);
  assertEquals(unit("StateDirectory"), ["personal-records-service"]);
  assertEquals(unit("Environment"), ["DATA_DIR=/var/lib/personal-records-service", MEMORY]);
});

Deno.test("systemd unit allows a stop more than the ten seconds of requests", () => {
  assert(Number(unit("TimeoutStopSec")[0]) > 10);
});

Deno.test("systemd unit limits memory and threads", () => {
  assertEquals([unit("MemoryMax"), unit("TasksMax")], [["2G"], ["256"]]);
});

Deno.test("systemd unit disables what the service does not use, and allows V8 to write code", () => {
  for (
    const setting of [
      "NoNewPrivileges=yes",
      "CapabilityBoundingSet=",
      "ProtectSystem=strict",
      "ProtectHome=yes",
      "PrivateTmp=yes",
      "PrivateDevices=yes",
      "ProcSubset=pid",
      "LimitCORE=0",
      "RestrictNamespaces=yes",
      "SystemCallFilter=@system-service @pkey",
      "MemoryDenyWriteExecute=no",
    ]
  ) assert(UNIT.split("\n").includes(setting), setting);
});

Deno.test("A process that fails is restarted, in a container and by systemd", async () => {
  const compose = await read("scripts/deploy/compose.yaml");
  assert(compose.includes("    restart: unless-stopped\n"), compose);
  assertEquals(unit("Restart"), ["always"]);
  assertEquals(unit("RestartPreventExitStatus"), ["78"]);
});

Deno.test("compose.yaml publishes the image's port on this machine only, and mounts its volume", async () => {
  const compose = await read("scripts/deploy/compose.yaml");
  for (
    const line of [
      'ports: ["127.0.0.1:8000:8000"]',
      "volumes:\n      - data:/data",
      "read_only: true",
      "cap_drop: [ALL]",
    ]
  ) assert(compose.includes(`    ${line}\n`), line);
  const zones = `${ZONE_FILES}:${ZONE_FILES}:ro`;
  assert(compose.includes(`\n      #- ${zones}\n`), zones);
  assert(UNIT.includes(`\n#Environment=ZONEINFO=${ZONE_FILES}\n`), UNIT);
  const [, seconds = ""] = /stop_grace_period: (\d+)s/.exec(compose) ?? [];
  assert(Number(seconds) > 10);
});

/** Settings that the image, the volume or the second file decides. */
const NOT_OF_COMPOSE = [
  "PORT",
  "HOST",
  "DATA_DIR",
  "DATABASE_URL",
  "SERVER_SECRET",
  "ERASE_DATABASE_URL",
].flatMap((name) => [name, `${name}_FILE`]);

Deno.test("compose.yaml passes on every setting by name, and none that is not set", async () => {
  const [, settings = ""] = (await read("scripts/deploy/compose.yaml")).split("    environment:\n");
  const lines = Array.from(settings.matchAll(/^ {6}(\w+): ?(.*)$/gm));
  assertEquals(
    lines.map(([, name]) => name),
    ENVIRONMENT_NAMES.filter((name) => !NOT_OF_COMPOSE.includes(name)),
  );
  // Without a value, the variable is passed on if it is set. podman-compose 1.0.3 has no empty
  // defaults.
  const valued = lines.filter(([, , value]) => value !== "").map((
    [, name, value],
  ) => [name, value]);
  assertEquals(valued, [["PUBLIC_ORIGIN", "${PUBLIC_ORIGIN:-http://localhost:8000}"]]);
});

Deno.test("Every file with a version has that of deno.json", async () => {
  const { version } = JSON.parse(await read("deno.json"));
  assertEquals(JSON.parse(await read("src/client/deno.json")).version, version);
  const [, newest] = /^## (\d\S+)$/m.exec(await read(".github/CHANGELOG.md")) ?? [];
  assertEquals(newest, version);
});

const MAX_COMMANDS = 6;

Deno.test('Each task of the page "Keep it safe" has at most six commands', async () => {
  const blocks = Array.from(
    (await read("scripts/deploy/KEEP_IT_SAFE.md")).matchAll(/^```sh\n(.*?)^```$/gms),
    ([, text = ""]) => text.trimEnd().split("\n").filter((line) => !line.startsWith("#")).length,
  );
  assertEquals(blocks.length, 17);
  assertEquals(blocks.filter((count) => count > MAX_COMMANDS), []);
});

Deno.test("Each entry of the changelog says what an operator must know", async () => {
  const [, ...entries] = (await read(".github/CHANGELOG.md")).split(/^## /m);
  for (const entry of entries) {
    const labels = Array.from(entry.matchAll(/^- \*\*(.+?)\*\*: /gm), ([, label]) => label);
    assertEquals(labels.slice(0, 4), ["API", "Schema", "Stop first", "Back"]);
    assert(/^- \*\*Schema\*\*: (?:none|steps? [\d to]+), [^]*?\bseconds?\b/m.test(entry), entry);
    assert(/^- \*\*Stop first\*\*: (?:yes|no)\b/m.test(entry), entry);
  }
});

Deno.test("The chapter and a failed packing name the same place of the runtime", async () => {
  const chapter = await read("src/operator/programs/README.md");
  const source = runtimeSource("2.9.6", "x86_64-unknown-linux-gnu");
  const [url = ""] = /https:\/\/\S+\.zip/.exec(source) ?? [];
  assert(chapter.includes(url), url);
});
