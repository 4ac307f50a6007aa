/** Whether a path has a part that systems hide, or that macOS adds. */
export function isHiddenName(path: string): boolean {
  return path.split("/").some((part) => part.startsWith(".") || part === "__MACOSX");
}

/** The folder of a path, which ends with `/`; empty at the top. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

/** The last part of a path. */
export function baseNameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
