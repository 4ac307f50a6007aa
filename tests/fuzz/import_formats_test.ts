// engines: none
/**
 * Compares the readers of imports with other programs: rows with Python's `csv`, archives with its
 * `zipfile` and Info-ZIP, front matter with `pandoc`. Skipped, with a note, if a program is absent.
 */

import { assert, assertEquals } from "@std/assert";
import { countUnpacked } from "../../src/imports/archive/archive.ts";
import { FileSource } from "../../src/imports/archive/file_source.ts";
import { readZip } from "../../src/imports/archive/zip.ts";
import { csvRows, isEmptyRow } from "../../src/imports/converters/csv_rows.ts";
import { readFrontMatter } from "../../src/imports/converters/front_matter.ts";
import { FileRefusal } from "../../src/imports/refusal.ts";
import { seededRandom } from "../support/random.ts";

const SEED = 20_261_125;
const random = seededRandom(SEED);

/** True if the program is installed. */
function has(program: string): boolean {
  try {
    return new Deno.Command(program, { args: ["--version"], stdout: "null", stderr: "null" })
      .outputSync().code < 127;
  } catch {
    return false;
  }
}

/** A comparison with other programs, skipped with a note if one of them is absent. */
function compare(name: string, programs: readonly string[], fn: () => Promise<void>): void {
  const absent = programs.filter((program) => !has(program));
  const note = absent.length === 0 ? "" : ` (skipped: without ${absent.join(" and ")})`;
  Deno.test({ name: name + note, ignore: absent.length > 0, fn });
}

async function run(program: string, args: readonly string[], input = ""): Promise<string> {
  const child = new Deno.Command(program, {
    args: [...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  // Read while the input is written: a full pipe would stop the program.
  const output = child.output();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input)).catch(() => {});
  await writer.close().catch(() => {});
  const { stdout, stderr, success } = await output;
  assert(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

/** A text of some characters. */
function textOf(characters: readonly string[], most: number): string {
  return Array.from({ length: random.integer(0, most) }, () => random.pick(characters)).join("");
}

/** The rows of a text, without blank ones; null if one of them is refused. */
async function ownRows(text: string): Promise<readonly (readonly string[])[] | null> {
  async function* lines() {
    for (const [index, line] of text.split(/(?<=\n)/).entries()) {
      if (line !== "") yield [{ place: index + 1, text: line }];
    }
  }
  const rows = (await Array.fromAsync(csvRows(lines, ","))).flat();
  if (rows.some(({ fault }) => fault !== undefined)) return null;
  return rows.filter((row) => !isEmptyRow(row)).map(({ cells }) => cells);
}

const PYTHON_CSV = `
import csv, io, json, sys
for line in sys.stdin:
    text = json.loads(line)
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), strict=True) if any(cell.strip() for cell in row)]
    except csv.Error:
        rows = None
    print(json.dumps(rows))
`;

compare("CSV rows are those of Python's csv, and texts with a refused row are refused there", [
  "python3",
], async () => {
  const texts = Array.from(
    { length: 10_000 },
    () => `a,b\n${textOf(['"', '"', ",", "\n", "\r\n", "x", "ü", " "], 14)}`,
  );
  const input = texts.map((text) => `${JSON.stringify(text)}\n`).join("");
  const theirs = (await run("python3", ["-c", PYTHON_CSV], input)).trim().split("\n");
  for (const [index, text] of texts.entries()) {
    // There blanks around quotes count.
    if (/ "|" /.test(text)) continue;
    const [own, their] = [await ownRows(text), JSON.parse(theirs[index] ?? "")];
    assertEquals(own && trimmed(own), their && trimmed(their), JSON.stringify(text));
  }
});

function trimmed(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return rows.map((row) => row.map((cell) => cell.trim()));
}

const PYTHON_ZIP = `
import hashlib, json, os, random, sys, zipfile
folder, count = sys.argv[1], int(sys.argv[2])
random.seed(${SEED})
def digest(z, info):
    try:
        return hashlib.sha256(z.read(info)).hexdigest()
    except Exception:
        return None
def contents(path):
    with zipfile.ZipFile(path) as z:
        return {i.filename: digest(z, i) for i in z.infolist() if not i.is_dir()}
result = []
for n in range(count):
    path = os.path.join(folder, f"{n}.zip")
    with zipfile.ZipFile(path, "w") as z:
        for m in range(random.randint(0, 5)):
            name = f"{random.choice(['a', 'ü', 'b/c', '日'])}{m}.txt"
            data = random.randbytes(random.choice([0, 1, 100, 70000])) + b"x" * random.choice([0, 10, 300000])
            info = zipfile.ZipInfo(name)
            info.compress_type = random.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
            with z.open(info, "w", force_zip64=random.random() < 0.3) as f:
                f.write(data)
    whole = contents(path)
    data = bytearray(open(path, "rb").read())
    for _ in range(random.randint(1, 3)):
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    broken = os.path.join(folder, f"{n}.broken")
    open(broken, "wb").write(data)
    try:
        read = contents(broken)
    except Exception:
        read = None
    result.append([whole, read])
print(json.dumps(result))
`;

/** The digests of an archive's readable files by their names; null if it is refused. */
async function ownDigests(path: string): Promise<Readonly<Record<string, string>> | null> {
  using source = await FileSource.open(path);
  try {
    const archive = await readZip(source);
    await archive.check(countUnpacked(source.size));
    for (const entry of archive.entries) await archive.readWhole(entry);
    return Object.fromEntries(archive.digests);
  } catch (error) {
    if (error instanceof FileRefusal) return null;
    throw error;
  }
}

compare("Zip archives are read as zipfile reads them, and damaged ones never otherwise", [
  "python3",
], async () => {
  const folder = await Deno.makeTempDir();
  try {
    const count = 150;
    const result = JSON.parse(await run("python3", ["-c", PYTHON_ZIP, folder, String(count)]));
    for (const [index, [whole, read]] of result.entries()) {
      assertEquals(await ownDigests(`${folder}/${index}.zip`), whole, `archive ${index}`);
      const broken = await ownDigests(`${folder}/${index}.broken`);
      // Damage that only one of both programs sees is accepted.
      for (const [name, digest] of Object.entries(broken ?? {})) {
        assertEquals(digest, read?.[name] ?? digest, `damaged archive ${index}`);
      }
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

compare(
  "Archives of Info-ZIP are read, also those that were streamed",
  ["zip", "unzip"],
  async () => {
    const folder = await Deno.makeTempDir();
    try {
      await Deno.mkdir(`${folder}/in/deep`, { recursive: true });
      await Deno.writeTextFile(`${folder}/in/deep/ü.md`, "text ".repeat(50_000));
      await Deno.writeTextFile(`${folder}/in/a.md`, "");
      const shell = "cd in && zip -qr ../plain.zip . && zip -qr - . | cat > ../streamed.zip";
      await run("sh", ["-c", `cd '${folder}' && ${shell}`]);
      for (const name of ["plain", "streamed"]) {
        const digests = await ownDigests(`${folder}/${name}.zip`);
        assertEquals(Object.keys(digests ?? {}).sort(), ["a.md", "deep/ü.md"], name);
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
);

/** A value of front matter as it is written. */
function yamlValue(): string {
  const words = ["one", "two words", "Ünï", "a-b", "2021", "x.y", "it's"];
  const word = () => random.pick(words);
  return random.pick([
    () => ` ${word()}`,
    () => ` "${word()} \\" \\u00e9"`,
    () => ` '${word().replaceAll("'", "''")}: #'`,
    () => ` [${word()}, "${word()}"]`,
    () => `\n  - ${word()}\n  - "${word()}"`,
    () => `\n- ${word()}`,
    () => ` [\n  ${word()}, # a comment\n  "${word()}",\n]`,
    () => ` ${word()}\n  ${word()}`,
    () => ` |\n  ${word()}\n  ${word()}`,
    () => ` >\n  ${word()}\n  ${word()}`,
    () => ` ${word()} # a comment`,
  ])();
}

compare("Front matter has the values that pandoc reads", ["pandoc"], async () => {
  const folder = await Deno.makeTempDir();
  try {
    const template = `${folder}/template.txt`;
    await Deno.writeTextFile(template, "$meta-json$");
    for (let round = 0; round < 12; round++) {
      const names = ["title", "tags", "created", "some name"].slice(0, random.integer(1, 4));
      const block = names.map((name) => `${name}:${yamlValue()}`).join("\n");
      const text = `---\n${block}\n---\nBody\n`;
      const matter = readFrontMatter(text);
      assert(matter?.isMap);
      assertEquals(matter.rest, "Body\n");
      const args = ["-f", "commonmark+yaml_metadata_block", "-t", "plain", "--wrap=none"];
      const theirs = await run("pandoc", [...args, `--template=${template}`], text);
      const plain = (value: unknown): unknown =>
        typeof value === "object" && value !== null
          ? Array.isArray(value)
            ? value.map(plain)
            : Object.fromEntries(Object.entries(value).map(([name, of]) => [name, plain(of)]))
          : String(value).replaceAll(/\s+/g, " ").trim();
      const ours = matter.members.map(({ name, value }) => [name, value]);
      assertEquals(plain(Object.fromEntries(ours)), plain(JSON.parse(theirs)), text);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
