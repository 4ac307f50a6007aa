/**
 * Draws the PNG icons of the installed console from `icon.svg`. Requires Chromium. Run
 * `scripts/write_console_files.ts` afterwards.
 */

import { Browser, findBrowser } from "../tests/browser/support/browser.ts";

const FOLDER = "src/console/web";
/** The drawing, and space around it that a launcher may cut off. */
const MASKABLE = { viewBox: "-5.5 -5.5 43 43", ground: "#2f4a66" };
const WHOLE = { viewBox: "0 0 32 32", ground: "transparent" };

const ICONS = [
  { name: "icon-192.png", size: 192, ...WHOLE },
  { name: "icon-512.png", size: 512, ...WHOLE },
  { name: "icon-maskable.png", size: 512, ...MASKABLE },
];

const drawing = await Deno.readTextFile(`${FOLDER}/icon.svg`);
await using browser = await Browser.start(findBrowser() ?? "");
const page = await browser.open("about:blank");
await page.call("Emulation.setDefaultBackgroundColorOverride", {
  color: { r: 0, g: 0, b: 0, a: 0 },
});
for (const { name, size, viewBox, ground } of ICONS) {
  await page.resize(size, size);
  const { frameTree } = await page.call("Page.getFrameTree");
  const style = `body { margin: 0; background: ${ground} } svg { display: block }`;
  const html = `<style>${style}</style>${drawing.replace(WHOLE.viewBox, viewBox)}`;
  await page.call("Page.setDocumentContent", { frameId: frameTree.frame.id, html });
  await Deno.writeFile(`${FOLDER}/${name}`, await page.screenshot());
}
