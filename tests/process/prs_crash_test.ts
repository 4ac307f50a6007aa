/** `prs add` while the service, the command or the disk fails: no text is lost or doubled. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createInstallation } from "../support/installation.ts";
import { freePort } from "../support/ports.ts";
import { openPrs, prsIn } from "../support/prs.ts";
import { seededRandom } from "../support/random.ts";
import { type ServerProcess, startServer } from "../support/server_process.ts";

const ROUNDS = 5;
/** About as long as the command runs. */
const RUN_MS = 250;

Deno.test("A text that add accepted is stored once, after kill -9 of the command and of the service", async () => {
  const random = seededRandom(40);
  const port = freePort();
  await using place = await createInstallation();
  const env = { ...place.env, PORT: String(port) };
  const home = await Deno.makeTempDir({ prefix: "prs-home-" });
  const prs = prsIn(home, port);
  await place.settle();
  let server: ServerProcess | null = await startServer(env);
  try {
    const login = ["login", `http://127.0.0.1:${port}`, "--email", "owner@example.org"];
    const signedIn = await prs.run(login, { stdin: "a password that only tests know\n" });
    assertEquals(signedIn.code, 0, signedIn.stderr);
    const accepted: string[] = [];
    const typed: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const text = `text ${round}`;
      typed.push(text);
      if (round % 5 === 3) {
        // The service ends in the middle of the command, or is gone before it.
        const ended = prs.run(["add", text, "--wait", "0"]);
        if (random.chance(0.5)) await pause(random.integer(100, RUN_MS));
        server.kill("SIGKILL");
        await server.ended;
        const { code, stderr } = await ended;
        assert(code === 0 || code === 4, `${code} ${stderr}`);
        accepted.push(text);
        server = await startServer(env);
      } else if (round % 2 === 0) {
        const child = prs.spawn(["add", text]);
        const output = child.output();
        await child.stdin.close();
        await pause(random.integer(50, RUN_MS));
        try {
          child.kill("SIGKILL");
        } catch {
          // It has ended.
        }
        if ((await output).success) accepted.push(text);
      } else {
        const { code, stderr } = await prs.run(["add", text]);
        assertEquals(code, 0, stderr);
        accepted.push(text);
      }
    }
    const { code, stderr } = await prs.run(["sync"]);
    assertEquals(
      [code, await prs.names("waiting"), await prs.names("refused")],
      [0, [], []],
      stderr,
    );
    const { lines } = await prs.run(["list", "capture", "--limit", "0", "--json"]);
    const titles = lines.map(({ title }) => title);
    assertEquals(new Set(titles).size, titles.length, "none twice");
    assertEquals(accepted.filter((text) => !titles.includes(text)), [], "none lost");
    assertEquals(titles.toReversed(), typed.filter((text) => titles.includes(text)), "in order");
  } finally {
    await server?.[Symbol.asyncDispose]();
    await Deno.remove(home, { recursive: true });
  }
});

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function run(command: string, ...args: string[]): boolean {
  try {
    return new Deno.Command(command, { args, stdout: "null", stderr: "null" }).outputSync().success;
  } catch {
    return false;
  }
}

function mount(folder: string): boolean {
  return run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder);
}

function canMount(): boolean {
  const folder = Deno.makeTempDirSync();
  const isMounted = mount(folder);
  if (isMounted) run("umount", folder);
  Deno.removeSync(folder);
  return isMounted;
}

Deno.test({
  name: "A full disk ends add before anything is sent, and leaves nothing of it",
  ignore: !canMount(),
  async fn() {
    await using place = await openPrs();
    await place.login();
    const disk = `${place.home}/disk`;
    await Deno.mkdir(disk);
    assert(mount(disk));
    const options = { env: { XDG_STATE_HOME: disk } };
    try {
      let writes = 0;
      place.instead = ({ method }) => {
        if (method === "POST") writes++;
        return null;
      };
      assertEquals((await place.run(["add", "there is room"], options)).code, 0);
      assert(run("fallocate", "-l", "52k", `${disk}/other`));
      const full = await place.run(["add", "-"], { ...options, stdin: "x".repeat(60_000) });
      assertEquals([full.code, full.stdout, writes], [1, "", 1], full.stderr);
      const names = (folder: string) => Array.from(Deno.readDirSync(folder), ({ name }) => name);
      assertEquals(names(`${disk}/prs/waiting`), []);
      await Deno.remove(`${disk}/other`);
      const added = await place.run(["add", "there is room again"], options);
      assertEquals([added.code, writes], [0, 2], added.stderr);
    } finally {
      run("umount", disk);
    }
  },
});

Deno.test("Commands that run at once send each text once", async () => {
  await using place = await openPrs();
  await place.login();
  place.instead = () => new Response(null, { status: 503 });
  const texts = Array.from({ length: 6 }, (_, index) => `text ${index}`);
  for (const text of texts.slice(0, 2)) {
    assertStringIncludes((await place.run(["add", text, "--wait", "0"])).stderr, "waiting");
  }
  place.instead = null;
  const ended = await Promise.all(texts.slice(2).map((text) => place.run(["add", text])));
  assertEquals(ended.map(({ code }) => code), [0, 0, 0, 0]);
  const ids = ended.map(({ stdout }) => stdout.trim());
  const { lines } = await place.run(["list", "capture", "--json"]);
  assertEquals(lines.map(({ title }) => title).sort(), texts);
  for (const [index, id] of ids.entries()) {
    assertEquals(lines.find(({ recordId }) => recordId === id)?.title, texts[index + 2]);
  }
});
