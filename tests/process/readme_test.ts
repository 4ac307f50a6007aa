import { assert, assertEquals, assertMatch } from "@std/assert";
import { createInstallation } from "../support/installation.ts";
import { PROJECT, startServer } from "../support/server_process.ts";

/** Commands with the response shown below, if any. */
interface Step {
  readonly commands: string;
  readonly shown: string | null;
}

async function readWalk(): Promise<Step[]> {
  const readme = await Deno.readTextFile(`${PROJECT}/README.md`);
  const [, walk = ""] = /^### A walk with curl\n([\s\S]*?)^#/m.exec(readme) ?? [];
  const blocks = walk.matchAll(/```sh\n([\s\S]*?)```\n(?:\s*```text\n([\s\S]*?)```)?/g);
  return Array.from(blocks, ([, commands = "", shown]) => ({ commands, shown: shown ?? null }));
}

const PASSWORD = "a phrase of my own";

/** Runs a script as typed and enters the password at its prompt; returns the output. */
async function bash(script: string): Promise<string> {
  const typed = script.replace("read -rs PASSWORD", `$& <<< "${PASSWORD}"`);
  const { success, stdout, stderr } = await new Deno.Command("bash", {
    args: ["-c", typed],
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  assert(success, `${script}\n${text(stdout)}\n${text(stderr)}`);
  // curl prints headers with CRLF.
  return text(stdout).replaceAll("\r\n", "\n");
}

/** `…` matches anything. */
function patternOf(shown: string): RegExp {
  const parts = shown.split("…").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "i");
}

Deno.test("README's walk does what it shows, and its result survives kill -9", async () => {
  const steps = await readWalk();
  assertEquals(steps.map(({ shown }) => shown !== null), [false, false, ...Array(6).fill(true)]);
  await using place = await createInstallation();
  {
    await using server = await startServer(place.env);
    const [printed = ""] = /^ {2}curl -X POST [\s\S]*$/m.exec(server.welcome) ?? [];
    // The password in the public chapter is rejected.
    assertMatch(await bash(printed), /"code":"PAYLOAD_INVALID".*"account.password_length"/);
    assertMatch(await bash(printed.replace("CHANGE ME", PASSWORD)), /"accessToken":"prs_s_/);
    await walk(server, steps);
    server.kill("SIGKILL");
    await server.ended;
  }
  await using again = await place.serve();
  const [password, signIn, , , change, , history] = steps;
  const findRecord = /^ID=.*$/m.exec(change?.commands ?? "")?.[0] ?? "";
  await walk(again, [password, signIn, { commands: findRecord, shown: null }, history]);
});

/** Runs the steps in one shell, and compares answers. */
async function walk(
  { port }: { port: number },
  steps: readonly (Step | undefined)[],
): Promise<void> {
  const script = steps.map((step) => `echo "--- step"\n${step?.commands}`).join("\n");
  const printed = await bash(
    script.replaceAll("http://localhost:8000", `http://127.0.0.1:${port}`),
  );
  const answers = printed.split("--- step\n").slice(1);
  for (const [index, step] of steps.entries()) {
    assertMatch(answers[index] ?? "", patternOf(step?.shown ?? ""), step?.commands);
  }
}
