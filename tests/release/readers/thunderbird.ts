/** Thunderbird without a window, asked by its remote control (Marionette). */

import { assert } from "@std/assert";
import { HERE, inFolder } from "./programs.ts";

/** Nothing but the remote control may reach the network. */
const preferences = (port: number) => `
user_pref("marionette.port", ${port});
user_pref("app.update.enabled", false);
user_pref("mail.provider.suppress_dialog_on_startup", true);
user_pref("mail.spotlight.firstRunDone", true);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("network.proxy.type", 1);
user_pref("network.proxy.http", "127.0.0.1");
user_pref("network.proxy.http_port", 9);
user_pref("network.proxy.ssl", "127.0.0.1");
user_pref("network.proxy.ssl_port", 9);
`;

/** Starts Thunderbird, and returns the answer of a function of `thunderbird.js` to a text. */
// deno-lint-ignore no-explicit-any
export function askThunderbird(question: "cards" | "calendar", text: string): Promise<any> {
  return inFolder(async (home) => {
    const port = freePort();
    await Deno.writeTextFile(`${home}/user.js`, preferences(port));
    const child = new Deno.Command("thunderbird", {
      args: [
        "--headless",
        "--marionette",
        "--remote-allow-system-access",
        "--no-remote",
        "--profile",
        home,
      ],
      env: { HOME: home, TZ: "UTC", LC_ALL: "C.UTF-8" },
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    try {
      using connection = await connected(port);
      const send = sender(connection);
      await send("WebDriver:NewSession", { capabilities: { alwaysMatch: {} } });
      await send("Marionette:SetContext", { value: "chrome" });
      const script = await Deno.readTextFile(`${HERE}thunderbird.js`);
      const args = [question, text];
      const { value } = await send("WebDriver:ExecuteAsyncScript", { script, args });
      assert(typeof value !== "string", value);
      return value;
    } finally {
      child.kill("SIGKILL");
      await child.status;
    }
  });
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

async function connected(port: number): Promise<Deno.TcpConn> {
  for (let tries = 240;; tries--) {
    try {
      return await Deno.connect({ hostname: "127.0.0.1", port });
    } catch (error) {
      if (tries === 0) throw error;
      await new Promise((done) => setTimeout(done, 250));
    }
  }
}

// deno-lint-ignore no-explicit-any
type Send = (command: string, parameters: object) => Promise<any>;

/** Messages are `LENGTH:JSON`. The first one is a greeting. */
function sender(connection: Deno.TcpConn): Send {
  let received = new Uint8Array();
  const next = async () => {
    for (;;) {
      const colon = received.indexOf(58);
      const length = Number(new TextDecoder().decode(received.subarray(0, Math.max(colon, 0))));
      if (colon > 0 && received.length > colon + length) {
        const message = received.subarray(colon + 1, colon + 1 + length);
        received = received.slice(colon + 1 + length);
        return JSON.parse(new TextDecoder().decode(message));
      }
      const bytes = new Uint8Array(64 * 1024);
      const count = await connection.read(bytes);
      assert(count !== null, "Thunderbird has ended");
      const more = new Uint8Array(received.length + count);
      more.set(received);
      more.set(bytes.subarray(0, count), received.length);
      received = more;
    }
  };
  let greeting: Promise<unknown> | null = next();
  return async (command, parameters) => {
    await greeting;
    greeting = null;
    const message = new TextEncoder().encode(JSON.stringify([0, 1, command, parameters]));
    const writer = connection.writable.getWriter();
    await writer.write(new TextEncoder().encode(`${message.length}:`));
    await writer.write(message);
    writer.releaseLock();
    const [, , error, value] = await next();
    assert(error === null, JSON.stringify(error));
    return value;
  };
}
