// engines: postgres
/** The client package: published, packed, installed by npm, run by Node and a browser. */

import { assert, assertEquals } from "@std/assert";
import { findBrowser } from "../browser/support/browser.ts";
import { openPrs } from "../support/prs.ts";
import { PROJECT } from "../support/server_process.ts";

const PACKAGE = `${PROJECT}/src/client`;
const MAX_COMPRESSED_BYTES = 7 * 1024;

interface End {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(program: string, args: readonly string[], cwd = PACKAGE): Promise<End> {
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    cwd,
    env: { NO_COLOR: "1", npm_config_update_notifier: "false" },
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

async function isThere(program: string): Promise<boolean> {
  return await run(program, ["--version"]).then(({ code }) => code === 0, () => false);
}

/** Installed once for the tests that use it. */
let installed: Promise<string> | undefined;

Deno.test.afterAll(async () => {
  if (installed !== undefined) await Deno.remove(await installed, { recursive: true });
});

/** Packs the package, and installs it in an empty folder; returns the folder. */
async function install(): Promise<string> {
  const folder = await Deno.makeTempDir();
  const tarball = `${folder}/client.tgz`;
  const packed = await run(Deno.execPath(), ["pack", "--allow-dirty", "--output", tarball]);
  assertEquals(packed.code, 0, packed.stderr);
  await Deno.writeTextFile(`${folder}/package.json`, '{ "private": true, "type": "module" }');
  const args = ["install", "--offline", "--no-audit", "--no-fund", tarball];
  const { code, stderr } = await run("npm", args, folder);
  assertEquals(code, 0, stderr);
  return folder;
}

Deno.test("The package has the version of the project, and nothing keeps it from being published", async () => {
  const [root, own] = await Promise.all(
    [PROJECT, PACKAGE].map(async (folder) =>
      JSON.parse(await Deno.readTextFile(`${folder}/deno.json`))
    ),
  );
  assertEquals([own.version, own.license], [root.version, "MIT"]);
  assertEquals(own.exports, { ".": "./mod.ts", "./wire": "./wire.ts" });
  const { code, stderr } = await run(Deno.execPath(), [
    "publish",
    "--dry-run",
    "--no-check",
    "--allow-dirty",
  ]);
  assertEquals(code, 0, stderr);
  assert(!/warning/i.test(stderr), stderr);
});

Deno.test("The package imports nothing, and is small", async (test) => {
  const path = await Deno.makeTempFile({ suffix: ".js" });
  try {
    const args = [
      "bundle",
      "--quiet",
      "--minify",
      "--platform=browser",
      "--output",
      path,
      "mod.ts",
    ];
    const { code, stderr } = await run(Deno.execPath(), args);
    // Deno fetches its bundler from npm once.
    if (/error sending request|failed (?:to )?download/i.test(stderr)) {
      return void await test.step({ name: "bundler", ignore: true, fn() {} });
    }
    assertEquals(code, 0, stderr);
    const text = await Deno.readTextFile(path);
    const compressed = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
    const { length } = await new Response(compressed).bytes();
    assert(length <= MAX_COMPRESSED_BYTES, `${length} bytes`);
    // Operations and paths contain such words.
    const program = text.replaceAll(/"[\w./:-]+"/g, '""');
    assert(!/\b(?:import|require)\b|\bDeno\b|\bprocess\b/.test(program));
  } finally {
    await Deno.remove(path);
  }
});

/** A program for any runtime, after `origin` and `token`. */
const PROGRAM = `
const prs = new Client({ origin, token });
const path = { moduleCode: "commitment" };
const payload = { commitmentType: "BORROWED", content: "Back", completionStatus: "OPEN" };
const made = await prs.call("record.create", { path, body: { title: "The ladder", payload } });
const changed = await prs.change(
  "record.modify",
  { path: { ...path, recordId: made.data.recordId } },
  ({ title }) => ({ title: title + "!" }),
);
const titles = [];
for await (const { title } of prs.each("record.list", { path })) titles.push(title);
const bytes = new TextEncoder().encode("some bytes");
const { attachmentId } = await prs.upload(new Blob([bytes]).stream(), { filename: "a.txt" });
const content = await new Response(await prs.download(attachmentId)).text();
const refused = await prs.call("record.detail", { path: { ...path, recordId: attachmentId } })
  .catch((error) => error instanceof Refusal && error.message);
const events = [];
while (!events.includes("MODIFIED")) {
  events.length = 0;
  for await (const { change } of prs.follow({ once: true })) events.push(change);
}
const seen = JSON.stringify([made.status, changed.data.revision, titles, content, refused, events]);
`;
const SEEN = JSON.stringify([
  201,
  2,
  ["The ladder!"],
  "some bytes",
  "RECORD_NOT_FOUND (404)",
  ["CREATED", "MODIFIED"],
]);

Deno.test("npm installs the tarball alone, and Node runs it", async (test) => {
  const has = await Promise.all([isThere("npm"), isThere("node")]);
  if (has.includes(false)) return void await test.step({ name: "npm", ignore: true, fn() {} });
  await using place = await openPrs({});
  const { secret } = await place.world.createCaller();
  const folder = await (installed ??= install());
  assertEquals(Array.from(Deno.readDirSync(`${folder}/node_modules`), ({ name }) => name).sort(), [
    ".package-lock.json",
    "@personal-records",
  ]);
  await Deno.writeTextFile(
    `${folder}/program.js`,
    `import { Client, Refusal } from "@personal-records/client";
      import { inspect } from "node:util";
      const [origin, token] = process.argv.slice(2);
      ${PROGRAM}
      if (inspect(prs, { showHidden: true, depth: 9 }).includes(token)) throw new Error("shown");
      console.log(seen);`,
  );
  const { stdout, stderr } = await run("node", ["program.js", place.origin, secret], folder);
  assertEquals([stdout, stderr], [`${SEEN}\n`, ""]);
});

Deno.test("A browser runs the tarball as a module", async (test) => {
  const browser = findBrowser();
  if (browser === null) return void await test.step({ name: "browser", ignore: true, fn() {} });
  await using place = await openPrs({});
  const { secret } = await place.world.createCaller();
  const folder = await (installed ??= install());
  const modules = `${folder}/node_modules/@personal-records`;
  const page = `<!doctype html><script type="module">
      import { Client, Refusal } from ${JSON.stringify("/client/mod.js")};
      const origin = location.origin, token = ${JSON.stringify(secret)};
      try { ${PROGRAM} document.body.textContent = seen; }
      catch (error) { document.body.textContent = String(error); }
    </script><body>`;
  place.instead = ({ url }) => {
    const { pathname } = new URL(url);
    if (pathname.startsWith("/api/")) return null;
    if (pathname === "/page") {
      return new Response(page, { headers: { "Content-Type": "text/html" } });
    }
    const isModule = /^\/client\/[a-z]+\.js$/.test(pathname);
    return isModule
      ? new Response(Deno.readTextFileSync(`${modules}${pathname}`), {
        headers: { "Content-Type": "text/javascript" },
      })
      : new Response(null, { status: 404 });
  };
  const args = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--dump-dom",
    "--virtual-time-budget=60000",
    `--user-data-dir=${folder}/profile`,
    `${place.origin}/page`,
  ];
  const { stdout } = await run(browser, args, folder);
  assert(stdout.includes(`<body>${SEEN}`), stdout.slice(-400));
});
