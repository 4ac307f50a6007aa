import { findTestFiles } from "./test_plan.ts";

export interface TestArguments {
  /** Files and folders; empty for all. */
  readonly paths: readonly string[];
  readonly matrix: boolean;
  /** Whether to write the map of the tests. */
  readonly map: boolean;
  /** Handed on to `deno test`. */
  readonly flags: readonly string[];
}

/** The message gives the reason. */
export class ArgumentError extends Deno.errors.NotFound {
  override readonly name = "ArgumentError";
}

/** @throws ArgumentError if a path does not exist or has no tests, so that a typing error does not pass. */
export async function readArguments(words: readonly string[]): Promise<TestArguments> {
  const paths: string[] = [];
  const flags: string[] = [];
  for (const [index, word] of words.entries()) {
    // The only flag whose value is usually a separate argument.
    if (word.startsWith("-") || words[index - 1] === "--filter") flags.push(word);
    else paths.push(await relativePath(word));
  }
  const [matrix, map] = [flags.includes("--matrix"), flags.includes("--map")];
  const handedOn = flags.filter((flag) => flag !== "--matrix" && flag !== "--map");
  return { paths, matrix, map, flags: handedOn };
}

async function relativePath(word: string): Promise<string> {
  const [project, path] = await Promise.all([
    Deno.realPath("."),
    Deno.realPath(word).catch(() => ""),
  ]);
  if (!path.startsWith(`${project}/`)) {
    throw new ArgumentError(
      `${word} is not a file or folder of this project. A part of a test's name follows --filter`,
    );
  }
  const inside = path.slice(project.length + 1);
  const files = await findTestFiles(inside);
  if (files.some((file) => file.endsWith("_test.ts"))) return inside;
  throw new ArgumentError(`${word} has no tests: their files end in _test.ts`);
}
