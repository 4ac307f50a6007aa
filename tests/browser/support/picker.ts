/** Pickers: comboboxes of stored records. */

import type { Page } from "./browser.ts";

/** Types the letters, waits for options, and chooses the first one. */
export async function pick(page: Page, label: string, letters: string): Promise<void> {
  await page.type(label, letters);
  await page.until(`document.querySelector("[role=option][aria-selected]") !== null`);
  if (await page.evaluate(`document.querySelector("[role=option][aria-selected=true]") === null`)) {
    await page.press("ArrowDown");
  }
  await page.press("Enter");
  await page.until(`document.querySelector("[role=option]") === null`);
}
