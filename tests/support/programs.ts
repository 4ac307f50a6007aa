/** Foreign programs that tests use if they are installed. */

/** The path of a program, or undefined. */
export function findProgram(name: string): string | undefined {
  return [...(Deno.env.get("PATH") ?? "").split(":"), "/usr/sbin"]
    .map((folder) => `${folder}/${name}`)
    .find(isFile);
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
