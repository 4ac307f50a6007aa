/** The password prompt on a pseudo-terminal, where util-linux's `script` can make one. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createInstallation, type Installation } from "../support/installation.ts";
import {
  Output,
  ownEnvironment,
  PROJECT,
  startServer,
  taskFlags,
} from "../support/server_process.ts";

const EMAIL = "me@example.org";
const PASSWORD = "a password that only tests know";

async function hasScript(): Promise<boolean> {
  try {
    const { stdout } = await new Deno.Command("script", { args: ["--version"] }).output();
    return new TextDecoder().decode(stdout).includes("util-linux");
  } catch {
    return false;
  }
}

/** A terminal on which a command to make an account runs, and then tells what it left. */
interface Session extends AsyncDisposable {
  readonly output: Output;
  type(keys: string): Promise<void>;
}

function openTerminal({ env, dataDir }: Installation): Session {
  const quote = (word: string) => `'${word}'`;
  const command = [
    ...[Deno.execPath(), "run", ...taskFlags("admin", dataDir), "main.ts", "admin"].map(quote),
    ...["account", "create", "--email", EMAIL, "--name", "Me"],
  ].join(" ");
  const child = new Deno.Command("script", {
    args: ["-qc", `trap : INT; ${command}; echo "code=$?"; stty -a`, "/dev/null"],
    cwd: PROJECT,
    clearEnv: true,
    env: { ...ownEnvironment(), ...env, SHELL: "/bin/sh", NO_COLOR: "1" },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const output = new Output(child.stdout);
  return {
    output,
    type: (keys) => writer.write(new TextEncoder().encode(keys)),
    async [Symbol.asyncDispose]() {
      await writer.close();
      await child.status;
      await output.ended;
    },
  };
}

/** Waits for the end of the command. The terminal must show what is typed again. */
async function assertEnded({ output }: Session, code: number): Promise<void> {
  const ended = await output.until(/code=(\d+)[\s\S]*\s(-?echo)\s/);
  assertEquals([ended?.[1], ended?.[2]], [String(code), "echo"], output.text);
}

const ignore = !await hasScript();

Deno.test({
  name: "Prompt on a terminal takes a password without showing it",
  ignore,
  async fn() {
    await using place = await createInstallation();
    {
      await using terminal = openTerminal(place);
      assert(await terminal.output.until(/Password: /) !== null, terminal.output.text);
      await terminal.type(`${PASSWORD}x\x7f\r`);
      assert(await terminal.output.until(/The same again: /) !== null, terminal.output.text);
      await terminal.type(`${PASSWORD}\r`);
      await assertEnded(terminal, 0);
      assertStringIncludes(terminal.output.text, "was made with the role OWNER");
      assertEquals(terminal.output.text.includes("password that"), false);
    }
    await using server = await startServer(place.env);
    const body = { email: EMAIL, password: PASSWORD };
    const login = await server.call("POST", "/api/v2/auth/login", { body });
    assertEquals(login.status, 200, login.text);
  },
});

Deno.test({
  name: "Prompt on a terminal ends at Ctrl-C and gives the terminal back",
  ignore,
  async fn() {
    await using place = await createInstallation();
    await using terminal = openTerminal(place);
    assert(await terminal.output.until(/Password: /) !== null, terminal.output.text);
    await terminal.type("half\x03");
    await assertEnded(terminal, 130);
    assertEquals(terminal.output.text.includes("half"), false);
  },
});
