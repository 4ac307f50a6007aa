/** The cases of `import_cases/`: files as people have them, with the right result of each. */

import { sharedWorld } from "../support/world.ts";
import { runCase } from "./import_cases.ts";

const world = sharedWorld();
const CASES = new URL("./import_cases/", import.meta.url);

for (const name of [...Deno.readDirSync(CASES)].map(({ name }) => name).toSorted()) {
  const folder = new URL(`${name}/`, CASES);
  const { about } = JSON.parse(Deno.readTextFileSync(new URL("expected.json", folder)));
  Deno.test(`${name}: ${about}`, async () => {
    await runCase(await world().createCaller(), folder);
  });
}
