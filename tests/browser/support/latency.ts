/** Slow and broken connections. */

import type { Page } from "./browser.ts";

const UNLIMITED = { downloadThroughput: -1, uploadThroughput: -1 };

/** Delays each answer until `latency` milliseconds after its request; 0 for no delay. */
export async function withLatency(page: Page, latency: number): Promise<void> {
  const conditions = { ...UNLIMITED, latency, offline: false };
  await page.call("Network.emulateNetworkConditions", conditions);
}

export async function goOffline(page: Page): Promise<void> {
  const conditions = { ...UNLIMITED, latency: 0, offline: true };
  await page.call("Network.emulateNetworkConditions", conditions);
}

/** Without a delay. */
export async function goOnline(page: Page): Promise<void> {
  await withLatency(page, 0);
}

/** Waits until the document has shown the answer to one of its requests. */
export async function answered(page: Page, pathEnd: string): Promise<void> {
  const entries = `performance.getEntriesByType("resource")`;
  await page.until(`${entries}.some(({ name, responseEnd }) =>
    responseEnd > 0 && new URL(name).pathname.endsWith(${JSON.stringify(pathEnd)}))`);
  await page.evaluate("new Promise((resolve) => setTimeout(resolve, 50)).then(() => null)");
}
