/** The console as an app of a device. */

import { assert, assertEquals } from "@std/assert";
import { ORIGIN, sharedWorld } from "../support/world.ts";

const world = sharedWorld();

const get = (path: string) => world().app.fetch(new Request(`${ORIGIN}${path}`));

/** Read from the header of a PNG. */
async function widthAndHeight(response: Response): Promise<string> {
  assertEquals(response.headers.get("Content-Type"), "image/png");
  const view = new DataView(await response.arrayBuffer());
  assertEquals(view.getUint32(0), 0x89504e47);
  return `${view.getUint32(16)}x${view.getUint32(20)}`;
}

Deno.test("The manifest names the app, its icons, its shortcuts and how others share", async () => {
  const response = await get("/console/app.webmanifest");
  assertEquals(response.headers.get("Content-Type"), "application/manifest+json");
  const { icons, shortcuts, share_target, ...named } = await response.json();
  assertEquals(named, {
    name: "Personal Records",
    short_name: "Records",
    id: "/",
    start_url: "/",
    scope: "/",
    display: "standalone",
    theme_color: "#fcfaf6",
    background_color: "#fcfaf6",
  });
  for (const { src, sizes } of icons) assertEquals(await widthAndHeight(await get(src)), sizes);
  assertEquals(
    icons.map(({ sizes, purpose = "any" }: Record<string, string>) => `${sizes} ${purpose}`),
    ["192x192 any", "512x512 any", "512x512 maskable"],
  );
  assertEquals(shortcuts.map(({ name }: { name: string }) => name), ["Capture", "Today"]);
  assertEquals([share_target.action, share_target.enctype], [
    "/console/share",
    "multipart/form-data",
  ]);
});

Deno.test("The shell names the manifest, a colour for each scheme and an icon for iOS", async () => {
  const shell = await (await get("/")).text();
  for (const scheme of ["light", "dark"]) {
    assert(
      new RegExp(`name="theme-color" .* media="\\(prefers-color-scheme: ${scheme}\\)"`)
        .test(shell),
      scheme,
    );
  }
  assert(shell.includes(`<link rel="manifest" href="/console/app.webmanifest">`));
  const icon = /rel="apple-touch-icon" href="([^"]+)"/.exec(shell)?.[1] ?? "";
  assertEquals(await widthAndHeight(await get(icon)), "512x512");
});
