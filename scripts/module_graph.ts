/** The sources of the tree and their imports, read as text. */

/** Keyed by path from the project's folder. */
export type Sources = ReadonlyMap<string, string>;

export type Graph = ReadonlyMap<string, readonly string[]>;

/** Includes type imports. */
export function moduleGraph(sources: Sources): Graph {
  const graph = new Map<string, string[]>();
  for (const [path, text] of sources) {
    if (path.endsWith(".sql")) continue;
    const targets = importsOf(withoutComments(text)).map((specifier) => resolve(path, specifier));
    graph.set(path, targets.filter((target) => sources.has(target)));
  }
  return graph;
}

/** Cycles, by Tarjan's algorithm. */
export function findCircles(graph: Graph): string[][] {
  const numbers = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  /** Returns the lowest number of an open node that this one reaches. */
  const visit = (node: string, targets: readonly string[]): number => {
    const number = numbers.size;
    numbers.set(node, number);
    open.push(node);
    let lowest = number;
    for (const target of targets) {
      const known = numbers.get(target);
      if (known === undefined) lowest = Math.min(lowest, visit(target, graph.get(target) ?? []));
      else if (open.includes(target)) lowest = Math.min(lowest, known);
    }
    if (lowest < number) return lowest;
    const group = open.splice(open.indexOf(node));
    if (group.length > 1 || targets.includes(node)) circles.push(group.sort());
    return lowest;
  };
  for (const [node, targets] of graph) {
    if (!numbers.has(node)) visit(node, targets);
  }
  return circles;
}

export function importsOf(code: string): string[] {
  const patterns = [
    /^\s*(?:import|export)\b[^;"]*?\bfrom\s+"([^"]+)"/gm,
    /^\s*import\s+"([^"]+)"/gm,
    /\bimport\(\s*"([^"]+)"/g,
  ];
  return patterns.flatMap((pattern) =>
    Array.from(code.matchAll(pattern), ([, specifier]) => specifier ?? "")
  );
}

/** Files and packages imported directly or indirectly. */
export function loadedWith(sources: Sources, path: string): ReadonlySet<string> {
  const loaded = new Set<string>();
  const visit = (at: string) => {
    if (loaded.has(at)) return;
    loaded.add(at);
    const code = withoutTypeImports(withoutComments(sources.get(at) ?? ""));
    for (const specifier of importsOf(code)) visit(resolve(at, specifier));
  };
  visit(path);
  return loaded;
}

function withoutTypeImports(code: string): string {
  return code.replace(/^\s*(?:import|export) type\b[^;"]*\bfrom\s+"[^"]+"/gm, "");
}

/** Other specifiers are returned unchanged. */
export function resolve(path: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier;
  return new URL(specifier, `file:///${path}`).pathname.slice(1);
}

/** Examples may import anything. Line numbers stay. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}

export async function readSources(project: string): Promise<Sources> {
  const sources = new Map<string, string>();
  const read = async (path: string) => {
    sources.set(path, await Deno.readTextFile(`${project}/${path}`));
  };
  const walk = async (folder: string): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(`${project}/${folder}`)) {
      const path = `${folder}/${name}`;
      if (isDirectory) await walk(path);
      else if (/\.(ts|js|sql)$/.test(name)) await read(path);
    }
  };
  await read("main.ts");
  for (const folder of ["src", "scripts", "sql", "tests"]) await walk(folder);
  return sources;
}
