/**
 * The cases of `contact_cases/`: cards, Monica's files and calendars as people have them, with the
 * right results. The name of a test has the case and its points of the contract.
 */

import { sharedWorld } from "../support/world.ts";
import { runCase } from "./contact_cases.ts";

const world = sharedWorld();
const CASES = new URL("./contact_cases/", import.meta.url);

for (const name of [...Deno.readDirSync(CASES)].map(({ name }) => name).toSorted()) {
  if (name === "tables") continue;
  const folder = new URL(`${name}/`, CASES);
  const { title, points } = JSON.parse(Deno.readTextFileSync(new URL("expected.json", folder)));
  const places = points.map((point: number) => `[${point}]`).join("");
  Deno.test(`${name} ${places}: ${title}`, async () => {
    await runCase(world(), await world().createCaller(), folder);
  });
}
