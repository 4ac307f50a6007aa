import { assertEquals } from "@std/assert";
import { openIncoming } from "../../../src/attachments/incoming.ts";

async function foldersIn(path: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(path));
  return entries.filter((entry) => entry.isDirectory).map((entry) => `${path}/${entry.name}`);
}

Deno.test("openIncoming() makes a private folder, which close() removes", async () => {
  const parent = await Deno.makeTempDir({ prefix: "prs-incoming-" });
  const incoming = await openIncoming(`${parent}/incoming`);
  assertEquals(await foldersIn(`${parent}/incoming`), [incoming.path]);
  const { mode } = await Deno.stat(incoming.path);
  assertEquals((mode ?? 0) & 0o777, 0o700);
  await Deno.writeTextFile(`${incoming.path}/half`, "half");
  await incoming.close();
  assertEquals(await foldersIn(`${parent}/incoming`), []);
  await Deno.remove(parent, { recursive: true });
});

Deno.test("openIncoming() removes folders of ended processes only", async () => {
  const parent = await Deno.makeTempDir({ prefix: "prs-incoming-" });
  const live = await openIncoming(parent);
  await Deno.writeTextFile(`${live.path}/half`, "half");
  // One died while receiving, one before locking.
  await Deno.mkdir(`${parent}/01JD5A0000000000000000DEAD`);
  await Deno.writeTextFile(`${parent}/01JD5A0000000000000000DEAD/lock`, "process 1\n");
  await Deno.writeTextFile(`${parent}/01JD5A0000000000000000DEAD/half`, "half");
  await Deno.mkdir(`${parent}/01JD5A00000000000000EARLY0`);
  const next = await openIncoming(parent);
  assertEquals((await foldersIn(parent)).sort(), [live.path, next.path].sort());
  assertEquals(await Deno.readTextFile(`${live.path}/half`), "half");
  await live.close();
  await next.close();
  await Deno.remove(parent, { recursive: true });
});

Deno.test("openIncoming() keeps a running process's folder until that process is killed", async () => {
  const parent = await Deno.makeTempDir({ prefix: "prs-incoming-" });
  const other = await openInAnotherProcess(parent);
  const [theirs = ""] = await foldersIn(parent);
  await Deno.writeTextFile(`${theirs}/half`, "half");
  const during = await openIncoming(parent);
  assertEquals(await Deno.readTextFile(`${theirs}/half`), "half");
  other.kill("SIGKILL");
  await other.status;
  const after = await openIncoming(parent);
  assertEquals((await foldersIn(parent)).sort(), [during.path, after.path].sort());
  await during.close();
  await after.close();
  await Deno.remove(parent, { recursive: true });
});

Deno.test("openIncoming() gives each of many concurrent users a folder", async () => {
  const parent = await Deno.makeTempDir({ prefix: "prs-incoming-" });
  const visit = async () => {
    const incoming = await openIncoming(parent);
    await Deno.writeTextFile(`${incoming.path}/half`, "half");
    assertEquals(await Deno.readTextFile(`${incoming.path}/half`), "half");
    return incoming;
  };
  const first = await Promise.all(Array.from({ length: 20 }, visit));
  assertEquals((await foldersIn(parent)).length, 20);
  await Promise.all(first.map((incoming) => incoming.close()));
  const closing = Array.from({ length: 20 }, async () => await (await visit()).close());
  await Promise.all(closing);
  assertEquals(await foldersIn(parent), []);
  await Deno.remove(parent, { recursive: true });
});

async function openInAnotherProcess(parent: string): Promise<Deno.ChildProcess> {
  const module = new URL("../../../src/attachments/incoming.ts", import.meta.url);
  const script = `
    import { openIncoming } from ${JSON.stringify(module.href)};
    await openIncoming(${JSON.stringify(parent)});
    setInterval(() => {}, 60_000);
    console.log("open");`;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--allow-read", "--allow-write", "--ext=ts", "-"],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  await new Blob([script]).stream().pipeTo(child.stdin);
  const reader = child.stdout.getReader();
  await reader.read();
  await reader.cancel();
  return child;
}
