/** The password prompt on a pseudo-terminal, with util-linux's `script`. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createInstallation } from "../support/installation.ts";
import { hasTerminals, openTerminal, type Terminal } from "../support/terminal.ts";
import { callApp } from "../support/world.ts";

const EMAIL = "me@example.org";
const CREATE = ["account", "create", "--email", EMAIL, "--name", "Me"];
const PASSWORD = "a password that only tests know";

/** The terminal must echo again. */
async function assertEnded({ output }: Terminal, code: number): Promise<void> {
  const ended = await output.until(/code=(\d+)[\s\S]*\s(-?echo)\s/);
  assertEquals([ended?.[1], ended?.[2]], [String(code), "echo"], output.text);
}

const ignore = !await hasTerminals();

Deno.test({
  name: "Password prompt on a terminal does not show the password",
  ignore,
  async fn() {
    await using place = await createInstallation();
    {
      await using terminal = openTerminal(place, CREATE);
      assert(await terminal.output.until(/Password: /) !== null, terminal.output.text);
      await terminal.type(`${PASSWORD}x\x7f\r`);
      assert(await terminal.output.until(/Repeat the password: /) !== null, terminal.output.text);
      await terminal.type(`${PASSWORD}\r`);
      await assertEnded(terminal, 0);
      assertStringIncludes(terminal.output.text, "was created with the role OWNER");
      assertEquals(terminal.output.text.includes("password that"), false);
    }
    await using server = await place.serve();
    const body = { email: EMAIL, password: PASSWORD };
    const login = await callApp(server.app, "POST", "/api/v2/auth/login", { body });
    assertEquals(login.status, 200, login.text);
  },
});

Deno.test({
  name: "Password prompt on a terminal ends at Ctrl-C and restores the terminal",
  ignore,
  async fn() {
    await using place = await createInstallation();
    await using terminal = openTerminal(place, CREATE);
    assert(await terminal.output.until(/Password: /) !== null, terminal.output.text);
    await terminal.type("half\x03");
    await assertEnded(terminal, 130);
    assertEquals(terminal.output.text.includes("half"), false);
  },
});
