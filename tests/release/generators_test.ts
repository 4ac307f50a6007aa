// engines: embedded

/**
 * Clients generated from the OpenAPI document, type-checked. Ignored if `API_GENERATORS` does not
 * name the folder `node_modules` with npm's `orval`, `@hey-api/openapi-ts`, `openapi-typescript`
 * and `typescript`.
 */

import { assert } from "@std/assert";
import { sharedWorld } from "../support/world.ts";

const world = sharedWorld();
const PACKAGES = Deno.env.get("API_GENERATORS");

const CHECK = [
  "--noEmit",
  "--strict",
  "--skipLibCheck",
  "--target",
  "es2022",
  "--lib",
  "es2022,dom,dom.iterable",
  "--module",
  "esnext",
  "--moduleResolution",
  "bundler",
];

/** Runs a program of the packages, and shows its output if it fails. */
async function run(folder: string, program: string, ...args: string[]): Promise<void> {
  const { success, stdout, stderr } = await new Deno.Command(`${PACKAGES}/.bin/${program}`, {
    args,
    cwd: folder,
    stdin: "null",
  }).output();
  const [out, errors] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assert(success, `${program} ${args.join(" ")}\n${out}${errors}`.slice(0, 4_000));
}

/** @param client The kind of client that orval writes. */
function orvalOf(client: string): readonly [string, (folder: string) => Promise<void>] {
  return [`orval, ${client}`, async (folder) => {
    const api = { input: { target: "./openapi.json" }, output: { target: "./index.ts", client } };
    await Deno.writeTextFile(
      `${folder}/orval.cjs`,
      `module.exports = ${JSON.stringify({ api })};\n`,
    );
    await run(folder, "orval", "--config", "./orval.cjs");
  }];
}

const GENERATORS = [
  [
    "openapi-typescript",
    (folder: string) => run(folder, "openapi-typescript", "openapi.json", "--output", "index.ts"),
  ],
  ["hey-api", (folder: string) => run(folder, "openapi-ts", "-i", "openapi.json", "-o", ".")],
  orvalOf("fetch"),
] as const;

for (const [name, generate] of GENERATORS) {
  Deno.test({
    name: `The types that ${name} writes from the document compile`,
    ignore: PACKAGES === undefined,
    async fn() {
      const { text } = await world().call("GET", "/api/v2/openapi.json");
      const folder = await Deno.makeTempDir({ prefix: "prs-generated-" });
      try {
        await Deno.writeTextFile(`${folder}/openapi.json`, text);
        await generate(folder);
        await run(folder, "tsc", ...CHECK, "index.ts");
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    },
  });
}
