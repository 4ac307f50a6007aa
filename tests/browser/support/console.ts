/** A browser with a served application. */

import type { AppServices } from "../../../src/app.ts";
import { createWorld, type World } from "../../support/world.ts";
import { Browser, findBrowser, type Page } from "./browser.ts";

export interface Console {
  readonly world: World;
  readonly origin: string;
  /** With its own cookies and storage, as on another device. */
  open(size?: { readonly width: number; readonly height: number }): Promise<Page>;
  /** Another tab. */
  openBeside(page: Page): Promise<Page>;
}

const program = findBrowser();
if (program === null && Deno.env.get("REQUIRE_BROWSER") === "1") {
  throw new Error("Chromium is required, and not installed");
}

/**
 * A browser test; every page must end without a problem. Skipped without Chromium, unless
 * `REQUIRE_BROWSER=1`.
 */
export function journey(
  name: string,
  run: (console: Console) => Promise<void>,
  services: Partial<AppServices> = {},
): void {
  // The browser's connections outlive tests.
  const options = { ignore: program === null, sanitizeResources: false, sanitizeOps: false };
  Deno.test({
    name,
    ...options,
    fn: async () => await runIn(await browserOfProcess(), run, services),
  });
}

/** Runs a function with a new console; every page must end without a problem. */
export async function withConsole(run: (console: Console) => Promise<void>): Promise<void> {
  await using browser = await Browser.start(program ?? "");
  await runIn(browser, run);
}

let started: Promise<Browser> | undefined;

/** Shared by a process's journeys: starting it takes as long as a short journey. */
function browserOfProcess(): Promise<Browser> {
  return started ??= Browser.start(program ?? "");
}

Deno.test.afterAll(async () => {
  await (await started)?.[Symbol.asyncDispose]();
});

async function runIn(
  browser: Browser,
  run: (console: Console) => Promise<void>,
  services: Partial<AppServices> = {},
): Promise<void> {
  await using world = await createWorld(services);
  const server = serveWorld(world);
  const pages: Page[] = [];
  const kept = (page: Page) => {
    pages.push(page);
    return page;
  };
  try {
    const { origin } = server;
    await run({
      world,
      origin,
      open: async (size) => kept(await browser.open(origin, size)),
      openBeside: async ({ context }) => kept(await browser.openIn(context, origin)),
    });
    for (const page of pages) page.assertClean();
  } finally {
    for (const context of new Set(pages.map((page) => page.context))) await browser.close(context);
    await server.stop();
  }
}

/** Serves at an origin that the console knows. */
function serveWorld(world: World): { readonly origin: string; stop(): Promise<void> } {
  let fetch = (_request: Request) => Promise.resolve(new Response());
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => fetch(request),
  );
  const origin = `http://localhost:${server.addr.port}`;
  const app = world.again({ publicOrigin: origin });
  fetch = (request) => app.fetch(request, "127.0.0.1");
  return { origin, stop: () => server.shutdown() };
}
