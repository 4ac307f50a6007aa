/** A browser for which one server has many addresses. */

import type { App } from "../../../src/app.ts";
import { makeSelfSigned } from "../../support/openssl.ts";
import { Browser, findBrowser, type Page } from "./browser.ts";

export interface Addresses extends AsyncDisposable {
  /** The application of each host name, at port 443 for the browser. */
  readonly apps: Map<string, App>;
  /** Host and path of requests for well-known documents. */
  readonly documents: string[];
  open(host: string): Promise<Page>;
}

/** @param hosts Names that the browser finds at the server. */
export async function serveAddresses(hosts: readonly string[]): Promise<Addresses> {
  const apps = new Map<string, App>();
  const documents: string[] = [];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {}, ...await makeCertificate() },
    async (request) => {
      const { hostname, pathname } = new URL(request.url);
      if (pathname.startsWith("/.well-known/")) documents.push(hostname + pathname);
      // HTTP/2 has no such header; a proxy adds it.
      const headers = new Headers(request.headers);
      headers.set("Host", hostname);
      const { method, body } = request;
      const forwarded = new Request(request.url, { method, headers, body });
      return await apps.get(hostname)?.fetch(forwarded, "127.0.0.1") ??
        new Response(null, { status: 404 });
    },
  );
  const rules = hosts.map((host) => `MAP ${host}:443 127.0.0.1:${server.addr.port}`);
  const browser = await Browser.start(findBrowser() ?? "", [
    `--host-resolver-rules=${rules.join()}`,
    "--ignore-certificate-errors",
  ]);
  return {
    apps,
    documents,
    open: (host) => browser.open(`https://${host}`),
    async [Symbol.asyncDispose]() {
      await browser[Symbol.asyncDispose]();
      await server.shutdown();
    },
  };
}

async function makeCertificate(): Promise<{ readonly cert: string; readonly key: string }> {
  const folder = await Deno.makeTempDir({ prefix: "prs-certificate-" });
  await makeSelfSigned(folder, "records.example");
  const read = (end: string) => Deno.readTextFile(`${folder}/records.example.${end}`);
  const made = { cert: await read("pem"), key: await read("key") };
  await Deno.remove(folder, { recursive: true });
  return made;
}
