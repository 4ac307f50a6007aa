/** The module that imports every file of the console by its name. */

const FOLDER = "src/console/web";
const LINE_WIDTH = 100;

/** Its text, as `deno fmt` writes it. */
export async function consoleFiles(): Promise<string> {
  const names = (await namesIn(FOLDER)).map((path) => path.slice(FOLDER.length + 1));
  const served = names.filter((name) => !name.endsWith(".json") && !name.endsWith(".d.ts"));
  const lines = [
    ...served.map(importLine),
    "",
    "/** Every file of `web/`, imported by its name so that a compiled program carries it. */",
    "export const FILES = {",
    ...served.map((name) => `  "${name}": ${identifier(name)},`),
    "} as const;",
    "",
  ];
  return lines.join("\n");
}

/** Where a line would be too long, its end is on lines of its own. */
function importLine(name: string): string {
  const start = `import ${identifier(name)} from "./web/${name}" with {`;
  const line = `${start} type: "text" };`;
  return line.length <= LINE_WIDTH ? line : `${start}\n  type: "text",\n};`;
}

/** `core/dom.js` is `coreDomJs`. */
function identifier(name: string): string {
  return name.replace(/[/._]([a-z])/g, (_, letter) => letter.toUpperCase());
}

async function namesIn(folder: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  const paths = await Promise.all(entries.map(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    return isDirectory ? namesIn(path) : [path];
  }));
  return paths.flat().sort();
}
