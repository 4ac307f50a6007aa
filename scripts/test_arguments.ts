import { OptionError } from "../tests/support/option_error.ts";
import { findTestFiles } from "./test_plan.ts";

interface TestArguments {
  /** Files and folders; empty for all. */
  readonly paths: readonly string[];
  readonly matrix: boolean;
  readonly oneByOne: boolean;
  /** Passed to `deno test`. */
  readonly flags: readonly string[];
}

/**
 * @throws OptionError if a path does not exist or has no tests, so that a typing error does not
 * pass.
 */
export async function readArguments(words: readonly string[]): Promise<TestArguments> {
  const paths: string[] = [];
  const flags: string[] = [];
  for (const [index, word] of words.entries()) {
    // The only flag whose value is usually a separate argument.
    if (word.startsWith("-") || words[index - 1] === "--filter") flags.push(word);
    else paths.push(await relativePath(word));
  }
  return {
    paths,
    matrix: flags.includes("--matrix"),
    oneByOne: flags.includes("--one-by-one"),
    flags: flags.filter((flag) => !["--matrix", "--one-by-one"].includes(flag)),
  };
}

async function relativePath(word: string): Promise<string> {
  const path = await Deno.realPath(word).catch(() => "");
  if (!path.startsWith(`${Deno.cwd()}/`)) {
    throw new OptionError(
      `${word} is not a file or folder of this project. A part of a test's name follows --filter`,
    );
  }
  const inside = path.slice(Deno.cwd().length + 1);
  const files = await findTestFiles(inside);
  if (files.some((file) => file.endsWith("_test.ts"))) return inside;
  throw new OptionError(`${word} has no tests: their files end in _test.ts`);
}
