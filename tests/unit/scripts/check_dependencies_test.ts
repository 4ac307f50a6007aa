import { assertEquals } from "@std/assert";
import { checkProject, findExcess } from "../../../scripts/check_dependencies.ts";

const PROJECT = new URL("../../..", import.meta.url).pathname;
const MANIFEST = await Deno.readTextFile(`${PROJECT}/deno.json`);
const LOCK = await Deno.readTextFile(`${PROJECT}/deno.lock`);

function excessWith(altered: "manifest" | "lock", from: string | RegExp, to: string): string[] {
  const before = altered === "manifest" ? MANIFEST : LOCK;
  const after = before.replace(from, to);
  assertEquals(after === before, false, "Nothing was altered");
  const [manifest, lock] = altered === "manifest" ? [after, LOCK] : [MANIFEST, after];
  return findExcess(JSON.parse(manifest), JSON.parse(lock), new Map());
}

const ENTRY = '"postgres@3.4.9": {';
const LOCKS: readonly [string, string | RegExp, string, string][] = [
  [
    "another package",
    ENTRY,
    `"left-pad@1.3.0": {"integrity":"sha512-${"A".repeat(86)}=="},${ENTRY}`,
    "deno.lock npm: holds left-pad@1.3.0",
  ],
  [
    "a dependency of a package",
    ENTRY,
    `${ENTRY}"dependencies":["left-pad"],`,
    "deno.lock: postgres@3.4.9 depends on left-pad",
  ],
  [
    "an install script",
    ENTRY,
    `${ENTRY}"scripts":true,`,
    "deno.lock postgres@3.4.9: holds scripts",
  ],
  ["a shorter checksum", /sha512-\w/, "sha512-", "deno.lock: @electric-sql/pglite"],
  [
    "another kind of checksum",
    "sha512-",
    "sha1-",
    "deno.lock: @electric-sql/pglite",
  ],
  ["a JSR package", '"npm": {', '"jsr": {}, "npm": {', "deno.lock: holds jsr"],
  ["a module by its URL", '"npm": {', '"remote": {}, "npm": {', "deno.lock: holds remote"],
  [
    "another specifier",
    '"specifiers": {',
    '"specifiers": {"npm:a@1":"1",',
    "specifiers: holds npm",
  ],
];

for (const [what, from, to, sentence] of LOCKS) {
  Deno.test(`findExcess() finds ${what} in deno.lock`, () => {
    const found = excessWith("lock", from, to);
    assertEquals(found.length, 1, found.join("\n"));
    assertEquals(found[0]?.includes(sentence), true, found[0]);
  });
}

Deno.test("findExcess() finds a locked version that is not pinned", () => {
  const found = excessWith("lock", ENTRY, '"postgres@3.4.8": {');
  assertEquals(found, [
    "deno.lock npm: holds postgres@3.4.8",
    "deno.lock npm: lacks postgres@3.4.9",
  ]);
});

const MANIFESTS: readonly [string, string | RegExp, string, string][] = [
  ["another package", '"postgres":', '"a": "npm:a@1.0.0", "postgres":', "maps a to npm:a@1.0.0"],
  ["a module by its URL", '"postgres":', '"a": "https://a.org/a.ts", "postgres":', "maps a to"],
  ["a range of versions", "npm:postgres@3", "npm:postgres@^3", "postgres has no exact version"],
  ["another package's name", "npm:postgres@3", "npm:postgras@3", "postgres has no exact version"],
];

for (const [what, from, to, sentence] of MANIFESTS) {
  Deno.test(`findExcess() finds ${what} in deno.json`, () => {
    const [found = ""] = excessWith("manifest", from, to);
    assertEquals(found.startsWith("deno.json: ") && found.includes(sentence), true, found);
  });
}

Deno.test("findExcess() finds a source that imports anything else", () => {
  const found = (line: string) =>
    findExcess(JSON.parse(MANIFEST), JSON.parse(LOCK), new Map([["tests/a.ts", line]]));
  for (
    const name of ["left-pad", "npm:a@1", "jsr:@std/ulid@1", "https://a.org/a.ts", "postgres2"]
  ) {
    assertEquals(found(`import a from "${name}";`), [`tests/a.ts: imports "${name}"`]);
  }
  for (
    const name of ["postgres", "@electric-sql/pglite/nodefs", "@std/ulid", "node:fs", "./b.ts"]
  ) {
    assertEquals(found(`import a from "${name}";`), []);
  }
});

Deno.test("checkProject() finds nothing beyond the budget in this tree", async () => {
  assertEquals(await checkProject(PROJECT), []);
});
