/** Hostile texts stay texts on every page in both languages; all other texts are translated. */

import { assert } from "@std/assert";
import { violationsInWords } from "./support/axe.ts";
import { journey } from "./support/console.ts";
import { harms } from "./support/hostile.ts";
import { liveHostilely } from "./support/hostile_life.ts";
import { settle } from "./support/person.ts";
import { go, load, walkPages } from "./support/walk.ts";
import { saidOn, untranslated } from "./support/words.ts";

const SMALL = { width: 320, height: 700 };

/** Unfolds, unveils and ticks everything. */
const REVEAL = `(() => {
  for (const part of document.querySelectorAll("details")) part.open = true;
  for (const veil of document.querySelectorAll("main button.plain[aria-label^=Show]")) veil.click();
  globalThis.ticked = [...document.querySelectorAll("main input[type=checkbox]:not(:checked)")];
  for (const box of ticked) box.click();
})()`;

/** Forms with unsaved input would ask before leaving. */
const CONCEAL = "for (const box of ticked) box.click()";

journey(
  "No user text becomes an element or script or widens a page, and all texts are translated",
  async (console) => {
    const page = await settle(console, SMALL);
    const paths = await liveHostilely(page, console.world);
    const german = await console.openBeside(page);
    await german.resize(SMALL.width, SMALL.height);
    await german.speak("de-DE");
    await load(german, "/");
    const problems: string[] = [];
    const look = async (path: string) => {
      await go(german, path);
      const found = [
        ...untranslated(await saidOn(page), await saidOn(german)),
        ...await violationsInWords(german),
        ...await harms(german),
      ];
      await page.evaluate(REVEAL);
      found.push(...await harms(page));
      await page.evaluate(CONCEAL);
      problems.push(...found.map((problem) => `${path}: ${problem}`));
    };
    await walkPages(page, look, { others: paths });
    // The dialog that replaces evidence.
    await go(page, paths.find((path) => path.endsWith("/ledger/evidence")) ?? "");
    await page.evaluate(`document.querySelector("[aria-label^=Replace]").click()`);
    await page.until(`document.querySelector("dialog") !== null`);
    problems.push(...await harms(page));
    assert(problems.length === 0, problems.join("\n\n"));
  },
);
