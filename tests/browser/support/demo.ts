/** A console with the sample life. */

import { openObjectStore } from "../../../src/attachments/object_store.ts";
import { NO_LIMITS } from "../../../src/command/write_limits.ts";
import { seedDemo } from "../../../src/operator/seed/demo.ts";
import type { Page } from "./browser.ts";
import type { Console } from "./console.ts";
import { callAs, EMAIL, settleAtHome } from "./person.ts";

export async function settleWithDemo(console: Console): Promise<Page> {
  const page = await settleAtHome(console);
  const { database, objectFolder, now } = console.world;
  const openObjects = () => openObjectStore(objectFolder, database, "files");
  await seedDemo({ database, clock: now, limits: NO_LIMITS, openObjects }, EMAIL);
  // The sample life lacks the rows that only actions create.
  await callAs(page, "POST", "/api/v2/resource/overload-analyses", {});
  const request = JSON.stringify({
    method: "POST",
    headers: { "Content-Type": "application/octet-stream" },
    body: "Task,State\nCall home,open\n",
  });
  await page.evaluate(
    `fetch("/api/v2/imports?format=csv&name=Tasks", ${request}).then(() => null)`,
  );
  await page.visit("/");
  return page;
}
