export interface TestArguments {
  /** Files and folders; empty for all. */
  readonly paths: readonly string[];
  readonly matrix: boolean;
  /** Whether to write the map of the tests. */
  readonly map: boolean;
  /** Handed on to `deno test`. */
  readonly flags: readonly string[];
}

/** @throws if a path does not exist, so that a typing error does not pass. */
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
  const [project, path] = await Promise.all([Deno.realPath("."), Deno.realPath(word)]);
  if (!path.startsWith(`${project}/`)) throw new Error(`${word} is not a path of this project`);
  return path.slice(project.length + 1);
}
