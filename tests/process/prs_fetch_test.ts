// engines: none
/** `prs fetch monica` as a process with its own permissions, killed between two pages. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { dirname } from "node:path";
import { MonicaPlace } from "../support/monica_place.ts";
import { PROJECT } from "../support/server_process.ts";

Deno.test("prs fetch monica continues after kill -9, and may do what its words need", async () => {
  await using place = new MonicaPlace();
  const { file } = await place.run();
  const folder = `${place.home}/new folder/monica`;
  const spawn = () =>
    new Deno.Command("sh", {
      args: [
        `${PROJECT}/scripts/prs.sh`,
        ..."fetch monica --token-file token --from".split(" "),
        place.server.origin,
        "--out",
        folder,
      ],
      cwd: place.home,
      clearEnv: true,
      env: { HOME: place.home, PATH: `${dirname(Deno.execPath())}:/usr/bin:/bin`, NO_COLOR: "1" },
      stdout: "piped",
      stderr: "piped",
    }).spawn();

  const killed = spawn();
  place.server.fault = async (path) => {
    if (!path.includes("/notes?limit=100&page=2")) return null;
    killed.kill("SIGKILL");
    return await Promise.resolve(new Response("", { status: 500 }));
  };
  const { signal } = await killed.output();
  assertEquals(signal, "SIGKILL");
  const pages = [...Deno.readDirSync(`${folder}/pages`)].map(({ name }) => name);
  assertEquals(pages.toSorted(), ["contacts-1-1.json", "notes-1-1.json", "source.json"]);

  place.server.fault = () => null;
  place.server.requests.length = 0;
  const { code, stdout, stderr } = await spawn().output();
  const [out, error] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assertEquals([code, out], [0, `${folder}/monica-4.json\n`], error);
  assertStringIncludes(place.server.requests[1] ?? "", "/notes?limit=100&page=2");
  assertEquals(await Deno.readTextFile(`${folder}/monica-4.json`) === file, true);
});
