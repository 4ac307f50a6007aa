/**
 * The files that browsers load: files of `web/`, and folders that are served as one file, so that a
 * page needs few requests. `PARTS` lists the parts of these in the order in which they are joined;
 * imports between parts are left out, and paths lead to the served files.
 */

import { PARTS, PICTURES as ENCODED, SOURCES } from "./files.ts";

const IMPORT = /^(import|export) (?:\{([^}]*)\}|(\* as \w+)) from "(\.[^"]+)";\n/gm;
const STYLE_IMPORT = /^@import "[^"]+";\n/gm;
const DYNAMIC_IMPORT = /\bimport\(("|`)(\.[^"`]+)\1\)/g;

/** The served file of each part. */
const fileOfPart = new Map(
  Object.entries(PARTS).flatMap(([file, parts]) => parts.map((part) => [part, file] as const)),
);

/** Every served file by its name. */
export const FILES: Readonly<Record<string, string>> = Object.fromEntries([
  ...Object.keys(SOURCES).filter((name) => !fileOfPart.has(name)).map((name) => [name, [name]]),
  ...Object.entries(PARTS),
].map(([file, parts]) => [file, join(file as string, parts as readonly string[])]));

/** The bytes of every served picture by its name. */
export const PICTURES: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = Object.fromEntries(
  Object.entries(ENCODED).map(([name, text]) => [name, Uint8Array.fromBase64(text)]),
);

function join(file: string, parts: readonly string[]): string {
  const texts = parts.map((part) => SOURCES[part] ?? "");
  return file.endsWith(".js")
    ? joinScripts(file, parts, texts)
    : texts.join("").replace(STYLE_IMPORT, "");
}

/** Collects the imports of all parts, because a name can be imported only once. */
function joinScripts(file: string, parts: readonly string[], texts: readonly string[]): string {
  const own = servedPath(file, file);
  const collected = new Map<string, Set<string>>();
  const bodies = texts.map((text, index) => {
    const served = (path: string) => servedPath(file, resolve(parts[index] ?? file, path));
    return text
      .replace(IMPORT, (_, keyword, names, namespace, path) => {
        const target = served(path);
        if (target === own) return "";
        if (namespace !== undefined) return `${keyword} ${namespace} from "${target}";\n`;
        const key = `${keyword} ${target}`;
        const before = collected.get(key) ?? [];
        collected.set(key, new Set([...before, ...names.match(/[^,\s][^,]*[^,\s]|\w/g)]));
        return "";
      })
      .replace(DYNAMIC_IMPORT, (_, quote, path) => `import(${quote}${served(path)}${quote})`);
  });
  const imports = [...collected].map(([key, names]) => {
    const [keyword, target] = key.split(" ");
    return `${keyword} { ${[...names].join(", ")} } from "${target}";\n`;
  });
  return imports.join("") + bodies.join("\n");
}

/** The path from a served file to the one that serves another source. */
function servedPath(file: string, name: string): string {
  const up = "../".repeat(file.split("/").length - 1);
  return `${up === "" ? "./" : up}${fileOfPart.get(name) ?? name}`;
}

/** Without `URL`, because paths of languages have a placeholder. */
function resolve(part: string, path: string): string {
  const segments = part.split("/").slice(0, -1);
  for (const segment of path.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== ".") segments.push(segment);
  }
  return segments.join("/");
}
