/** Menus of acts. */

import type { Page } from "./browser.ts";

/** Presses an item of the menu of a name. */
export async function choose(page: Page, menu: string, item: string): Promise<void> {
  await page.click(menu);
  await page.until(`document.querySelector(".menu:popover-open") !== null`);
  await page.click(item);
}
