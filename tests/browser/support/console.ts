/** A browser with a served application. */

import type { AppServices } from "../../../src/app.ts";
import { createWorld, type World } from "../../support/world.ts";
import { Browser, findBrowser, type Page } from "./browser.ts";

export interface Console {
  readonly world: World;
  readonly origin: string;
  /** With its own cookies and storage, as on another device. */
  open(size?: { readonly width: number; readonly height: number }): Promise<Page>;
  /** Another tab, by default for the console. */
  openBeside(page: Page, at?: string): Promise<Page>;
}

const program = findBrowser();
if (program === null && Deno.env.get("REQUIRE_BROWSER") === "1") {
  throw new Error("Chromium is required, and not installed");
}

/** An application's services, and the state of the browser at the start of a journey. */
export interface JourneyOptions extends Partial<AppServices> {
  /** Nothing of the console is in the browser's cache. */
  readonly isFirstVisit?: boolean;
}

/**
 * A browser test; every page must end without a problem. Skipped without Chromium, unless
 * `REQUIRE_BROWSER=1`.
 */
export function journey(
  name: string,
  run: (console: Console) => Promise<void>,
  options: JourneyOptions = {},
): void {
  Deno.test({
    name,
    ignore: program === null,
    // The browser's connections outlive tests.
    sanitizeResources: false,
    sanitizeOps: false,
    fn: async () => await runIn(await place(), run, options),
  });
}

/** Runs a function with a new console; every page must end without a problem. */
export async function withConsole(run: (console: Console) => Promise<void>): Promise<void> {
  await using place = await startPlace();
  await runIn(place, run);
}

/** A browser, and the origin of all its applications, one after the other. */
interface Place extends AsyncDisposable {
  readonly browser: Browser;
  readonly origin: string;
  /**
   * Its cache has the files that earlier journeys loaded; their cookies and storage are removed.
   */
  readonly context: string;
  fetch: (request: Request) => Promise<Response>;
}

let started: Promise<Place> | undefined;

/** Shared by a process's journeys: starting it takes as long as a short journey. */
function place(): Promise<Place> {
  return started ??= startPlace();
}

Deno.test.afterAll(async () => {
  await (await started)?.[Symbol.asyncDispose]();
});

async function startPlace(): Promise<Place> {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => place.fetch(request),
  );
  const browser = await Browser.start(program ?? "");
  const place: Place = {
    browser,
    // The console knows it.
    origin: `http://localhost:${server.addr.port}`,
    context: await browser.context(),
    fetch: unavailable,
    async [Symbol.asyncDispose]() {
      await browser[Symbol.asyncDispose]();
      await server.shutdown();
    },
  };
  // It keeps the context's renderer, whose start takes as long as a page.
  await (await browser.openIn(place.context, place.origin)).visit("/");
  return place;
}

/** Between two journeys. */
function unavailable(): Promise<Response> {
  return Promise.resolve(new Response("Unavailable", { status: 503 }));
}

async function runIn(
  place: Place,
  run: (console: Console) => Promise<void>,
  { isFirstVisit = false, ...services }: JourneyOptions = {},
): Promise<void> {
  await using world = await createWorld(services);
  const { browser, origin } = place;
  const app = world.again({ publicOrigin: origin });
  const inFlight = new Set<Promise<Response>>();
  place.fetch = (request) => {
    const response = app.fetch(request, "127.0.0.1");
    inFlight.add(response);
    return response.finally(() => inFlight.delete(response));
  };
  const pages: Page[] = [];
  const open: Console["open"] = async (size) => {
    const isCached = pages.length === 0 && !isFirstVisit;
    const context = isCached ? place.context : await browser.context();
    const page = await browser.openIn(context, origin, size);
    pages.push(page);
    if (isCached) await page.clear();
    return page;
  };
  const openBeside: Console["openBeside"] = async ({ context }, at = origin) => {
    const page = await browser.openIn(context, at);
    pages.push(page);
    return page;
  };
  try {
    await run({ world, origin, open, openBeside });
    for (const page of pages) page.assertClean();
  } finally {
    place.fetch = unavailable;
    for (const page of pages) await page.close();
    const contexts = new Set(pages.map(({ context }) => context));
    contexts.delete(place.context);
    for (const context of contexts) await browser.close(context);
    await Promise.allSettled(inFlight);
  }
}
