/**
 * Runs the program's `erase` with the permissions of `deno task run`, and for `--into FOLDER` with
 * that folder too: permissions cannot be widened after the program has read its arguments.
 *
 * @module
 */

/** The folder of `--into`; null if there is none, or its name could be read as several. */
function folderOf(words: readonly string[]): string | null {
  const folder = words[words.indexOf("--into") + 1];
  if (!words.includes("--into") || folder === undefined || folder === "") return null;
  return folder.includes(",") ? null : folder;
}

if (import.meta.main) {
  const [deno = "deno", ...words] = Deno.args;
  const folder = folderOf(words);
  const { code } = await new Deno.Command(deno, {
    args: ["task", "--quiet", "run", "erase", ...words],
    env: { ERASE_FOLDER: folder ?? "" },
  }).spawn().status;
  Deno.exitCode = code;
}
