import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  type EngineName,
  enginesOf,
  findTestFiles,
  LONG,
  planShards,
  readEngines,
} from "../../../scripts/test_plan.ts";
import { readArguments } from "../../../scripts/test_arguments.ts";
import { readCounts } from "../../../scripts/test_runs.ts";
import { OptionError } from "../../support/option_error.ts";
import { PROJECT } from "../../support/server_process.ts";
import { template } from "../../support/template.ts";

const BOTH: EngineName[] = ["embedded", "postgres"];
const SOURCES = await sourcesIn("tests");
const FILES = [...SOURCES.keys()].filter((path) => path.endsWith("_test.ts"));
const ENGINES = new Map(
  FILES.map((path) => [path, enginesOf(path, SOURCES.get(path)?.split("\n", 1)[0] ?? "")]),
);

/** Independent of the plan. */
async function sourcesIn(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const { name, isDirectory } of Deno.readDir(`${PROJECT}/${folder}`)) {
    const path = `${folder}/${name}`;
    if (isDirectory) { for (const each of await sourcesIn(path)) found.set(...each); }
    else if (name.endsWith(".ts")) found.set(path, await Deno.readTextFile(`${PROJECT}/${path}`));
  }
  return found;
}

/** Sorts each file's engines. */
function plannedRuns(
  options: Parameters<typeof planShards>[1],
): Map<string, (EngineName | null)[]> {
  const runs = new Map<string, (EngineName | null)[]>();
  for (const { engine, files } of planShards(ENGINES, options)) {
    for (const file of files) runs.set(file, [...runs.get(file) ?? [], engine].sort());
  }
  return runs;
}

Deno.test("The plan runs every test file once on exactly its engines", async () => {
  assertEquals((await findTestFiles("tests")).toSorted(), FILES.toSorted());
  const runs = plannedRuns({ available: BOTH });
  assertEquals([...runs.keys()].toSorted(), FILES.toSorted());
  for (const [file, planned] of runs) {
    const engines = ENGINES.get(file) ?? "both";
    const expected = engines === "none" ? [null] : engines === "both" ? BOTH : [engines];
    assertEquals(planned, expected, file);
  }
});

Deno.test("Without PostgreSQL every file runs once, and the matrix runs all on both", () => {
  for (const [file, planned] of plannedRuns({ available: ["embedded"] })) {
    assertEquals(planned, [ENGINES.get(file) === "none" ? null : "embedded"], file);
  }
  for (const [file, planned] of plannedRuns({ available: BOTH, matrix: true })) {
    assertEquals(planned, ENGINES.get(file) === "none" ? [null] : BOTH, file);
  }
});

Deno.test("A new file gets its engines from its folder", () => {
  const engines = ["unit/a/b", "http/b", "storage/b", "races/b", "attack/b", "process/b", "new/b"]
    .map((path) => enginesOf(`tests/${path}_test.ts`, "import"));
  assertEquals(engines, [
    "none",
    "postgres",
    "both",
    "postgres",
    "postgres",
    "postgres",
    "both",
  ]);
});

Deno.test("A file declares engines other than its folder's in its first line", async () => {
  assertEquals(await readEngines(FILES), ENGINES);
  for (const file of FILES) {
    const declarations = SOURCES.get(file)?.match(/^\s*\/\/\s*engines:.*$/gmi) ?? [];
    const differs = ENGINES.get(file) !== enginesOf(file, "");
    assertEquals(declarations, differs ? [`// engines: ${ENGINES.get(file)}`] : [], file);
  }
});

Deno.test("A declaration in the first line takes precedence over the folder", () => {
  for (const engines of ["none", "both", "postgres", "embedded"] as const) {
    assertEquals(enginesOf("tests/new/b_test.ts", `// engines: ${engines}`), engines);
  }
});

Deno.test("A malformed or unknown declaration is rejected", () => {
  const wrong = ["// engines: sqlite", "// engines:", "//engines: both", "// Engines: both"];
  for (const line of [...wrong, "// engines: both, which", "// engines both"]) {
    assertThrows(() => enginesOf("tests/new/b_test.ts", line), Error, "tests/new/b_test.ts", line);
  }
});

Deno.test("The plan names only existing files", async () => {
  const plan = await Deno.readTextFile(`${PROJECT}/scripts/test_plan.ts`);
  const named = Array.from(plan.matchAll(/"(tests\/[^"]*)"/g), ([, path]) => path);
  assert(named.length > 10);
  for (const path of named) await Deno.lstat(`${PROJECT}/${path}`);
});

Deno.test("A test for one engine is in a file that runs on it", () => {
  const only = {
    embedded: /ignore: .*ENGINE !== "embedded"/,
    postgres: /ignore: .*ENGINE (?:!== "postgres"|=== "embedded")/,
  };
  let found = 0;
  for (const file of FILES.filter((file) => file !== "tests/unit/scripts/test_plan_test.ts")) {
    for (const engine of BOTH) {
      if (!only[engine].test(SOURCES.get(file) ?? "")) continue;
      found++;
      assert(["both", engine].includes(ENGINES.get(file) ?? ""), file);
    }
  }
  assert(found >= 10);
});

Deno.test("Only a file named as one defines tests", () => {
  for (const [path, text] of SOURCES) {
    if (/^Deno\.test\(/m.test(text)) assert(path.endsWith("_test.ts"), path);
  }
});

Deno.test("A test planned without a database cannot open one", () => {
  assertThrows(() => template(), Error, "scripts/test_plan.ts");
});

Deno.test("A run without counts has failed", () => {
  const nothing = { passed: 0, failed: 1, failures: [] };
  assertEquals(readCounts("", true), nothing);
  assertEquals(readCounts("", false), nothing);
  assertEquals(readCounts("ok | 4 passed | 0 failed (1s)", true), {
    ...nothing,
    passed: 4,
    failed: 0,
  });
  assertEquals(readCounts("ok | 4 passed (2 steps) | 0 failed (1s)", false), {
    ...nothing,
    passed: 4,
  });
  assertEquals(readCounts("FAILED | 1 passed | 2 failed | 1 ignored (1s)", false), {
    ...nothing,
    passed: 1,
    failed: 2,
  });
});

Deno.test("A run names its failed tests, whatever they are called", () => {
  const output = [
    "9 passed | 9 failed ... FAILED (1ms)",
    "",
    " FAILURES ",
    "",
    "9 passed | 9 failed => ./a_test.ts:2:6",
    "a ... b => ./a_test.ts:3:4",
    "",
    "FAILED | 1 passed | 2 failed (1 step) (104ms)",
    "",
  ].join("\n");
  assertEquals(readCounts(output, false), {
    passed: 1,
    failed: 2,
    failures: ["9 passed | 9 failed => ./a_test.ts:2:6", "a ... b => ./a_test.ts:3:4"],
  });
});

Deno.test("A file that cannot be loaded is a failed test of its shard", async () => {
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      "test",
      "--no-check",
      "--no-prompt",
      "--allow-env",
      "--allow-read",
      "tests/support/shard.ts",
    ],
    cwd: PROJECT,
    env: { TEST_FILES: '["tests/no_such_test.ts"]', TEST_COSTS: "", NO_COLOR: "1" },
    stderr: "null",
  }).output();
  const { passed, failed } = readCounts(new TextDecoder().decode(stdout), success);
  // The heading of the file passes.
  assertEquals({ passed, failed }, { passed: 1, failed: 1 });
});

Deno.test("Arguments are paths of test files, except flags and a filter's value", async () => {
  assertEquals(
    await readArguments(["./tests/http/", "--filter", "list", "--fail-fast", "--matrix"]),
    {
      paths: ["tests/http"],
      matrix: true,
      oneByOne: false,
      flags: ["--filter", "list", "--fail-fast"],
    },
  );
  assertEquals((await readArguments([LONG[0]?.slice(0, 5) ?? ""])).paths, ["tests"]);
  const { oneByOne, flags } = await readArguments(["tests/release", "--one-by-one"]);
  assertEquals({ oneByOne, flags }, { oneByOne: true, flags: [] });
  for (
    const word of [
      "WRONG",
      "tests/htpp",
      "/",
      "tests/no_test.ts",
      "deno.json",
      "src",
      "sql/README.md",
    ]
  ) {
    const error = await assertRejects(() => readArguments([word]), OptionError);
    assert(error.message.startsWith(`${word} `), error.message);
  }
});
