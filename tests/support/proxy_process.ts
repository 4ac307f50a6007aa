/**
 * nginx and Caddy as processes, with the files of `scripts/deploy` or with their shortest
 * configuration.
 */

import { assertMatch } from "@std/assert";
import { freePort, isListening } from "./ports.ts";
import { findProgram } from "./programs.ts";
import { Output, PROJECT } from "./server_process.ts";
import { waitUntil } from "./wait.ts";

export const NGINX = findProgram("nginx");
export const CADDY = findProgram("caddy");
export const LIGHTTPD = findProgram("lighttpd");
/** The host of the shipped files. */
export const PROXY_HOST = "records.example.org";

export interface ProxyProcess extends AsyncDisposable {
  readonly port: number;
  /** Its own folder. */
  readonly folder: string;
  readonly errorLog: Output;
}

/** Texts of a file and their replacements. Each must occur in the file. */
export type Changes = readonly (readonly [RegExp, string])[];

/**
 * Starts nginx with the shipped file, over plain HTTP. Requests are logged in `access.log` of its
 * folder.
 */
export async function startNginx(upstream: number, changes: Changes = []): Promise<ProxyProcess> {
  return await startNginxWith((port) =>
    shipped("nginx.conf", [
      [/listen 443 ssl;/, `listen 127.0.0.1:${port};`],
      [/ssl_certificate \S+;/, ""],
      [/ssl_certificate_key \S+;/, ""],
      [/127\.0\.0\.1:8000/g, `127.0.0.1:${upstream}`],
      ...changes,
    ])
  );
}

/** Starts Caddy with the shipped file, over plain HTTP. */
export async function startCaddy(upstream: number, changes: Changes = []): Promise<ProxyProcess> {
  return await startCaddyWith((port) =>
    shipped("Caddyfile", [
      [new RegExp(`^${PROXY_HOST} `, "m"), `http://${PROXY_HOST}:${port} `],
      [/127\.0\.0\.1:8000/, `127.0.0.1:${upstream}`],
      ...changes,
    ])
  );
}

/** The shortest configurations that work, by name; of installed programs only. */
export const PLAIN_PROXIES: ReadonlyMap<string, (upstream: number) => Promise<ProxyProcess>> =
  new Map([
    ...NGINX === undefined ? [] : [["nginx", startPlainNginx] as const],
    ...CADDY === undefined ? [] : [["Caddy", startPlainCaddy] as const],
    ...LIGHTTPD === undefined ? [] : [["lighttpd", startPlainLighttpd] as const],
  ]);

async function startPlainNginx(upstream: number): Promise<ProxyProcess> {
  return await startNginxWith((port) =>
    Promise.resolve(`server {
      listen 127.0.0.1:${port};
      location / { proxy_pass http://127.0.0.1:${upstream}; }
    }`)
  );
}

async function startPlainCaddy(upstream: number): Promise<ProxyProcess> {
  return await startCaddyWith((port) =>
    Promise.resolve(`http://127.0.0.1:${port}\nreverse_proxy 127.0.0.1:${upstream}\n`)
  );
}

async function startPlainLighttpd(upstream: number): Promise<ProxyProcess> {
  const configure = (port: number, folder: string) =>
    Promise.resolve(`
      server.modules = ("mod_proxy")
      server.document-root = "${folder}"
      server.bind = "127.0.0.1"
      server.port = ${port}
      proxy.server = ("" => (("host" => "127.0.0.1", "port" => ${upstream})))`);
  return await start(LIGHTTPD, configure, (file) => ["-D", "-f", file]);
}

async function startNginxWith(site: (port: number) => Promise<string>): Promise<ProxyProcess> {
  const configure = async (port: number, folder: string) => {
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((name) => `${name}_temp_path "${folder}/${name}";`);
    return `
      daemon off;
      master_process off;
      pid "${folder}/pid";
      error_log stderr notice;
      events { worker_connections 64; }
      http { access_log "${folder}/access.log"; ${temporary.join(" ")} ${await site(port)} }`;
  };
  return await start(
    NGINX,
    configure,
    (file, folder) => ["-p", folder, "-e", "stderr", "-c", file],
  );
}

async function startCaddyWith(site: (port: number) => Promise<string>): Promise<ProxyProcess> {
  return await start(CADDY, site, (file) => ["run", "--config", file, "--adapter", "caddyfile"]);
}

/** Reads a file of `scripts/deploy` and changes it for a test. */
async function shipped(name: string, changes: Changes): Promise<string> {
  let text = await Deno.readTextFile(`${PROJECT}/scripts/deploy/${name}`);
  for (const [found, change] of changes) {
    assertMatch(text, found);
    text = text.replace(found, change);
  }
  return text;
}

async function start(
  program: string | undefined,
  configure: (port: number, folder: string) => Promise<string>,
  argumentsOf: (file: string, folder: string) => string[],
): Promise<ProxyProcess> {
  const folder = await Deno.makeTempDir({ prefix: "prs-proxy-" });
  const port = freePort();
  const file = `${folder}/configuration`;
  await Deno.writeTextFile(file, await configure(port, folder));
  const child = new Deno.Command(program ?? "", {
    args: argumentsOf(file, folder),
    // Caddy's own store, and no socket for its administration.
    env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, CADDY_ADMIN: "off" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const errorLog = new Output(child.stderr);
  await waitUntil(`${program} listens`, () => isListening(port));
  return {
    port,
    folder,
    errorLog,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await Promise.all([child.status, errorLog.ended]);
      await Deno.remove(folder, { recursive: true });
    },
  };
}
