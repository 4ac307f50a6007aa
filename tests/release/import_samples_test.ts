// engines: embedded

/**
 * Public samples of other products: each file of an archive becomes a note or an entry, is linked
 * from one, is refused, or is counted. Python lists the files of the archive. Ignored if
 * `IMPORT_SAMPLES` does not name a folder with a folder of archives for each format, for example
 * `markdown/notion.zip`, of obsidian-importer, notesnook-importer, jimmy-test-data and
 * day-one-to-wp.
 */

import { assert, assertEquals } from "@std/assert";
import { planned, ran } from "../http/imports.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { allItems, linkedDigests } from "./imported_samples.ts";

const world = sharedWorld();
const SAMPLES = Deno.env.get("IMPORT_SAMPLES");

/** Prints the files of a zip with their digests, those of its parts too, and Day One's entries. */
const LISTER = `
import hashlib, io, json, posixpath, sys, zipfile

def is_hidden(name):
    return any(part.startswith('.') or part == '__MACOSX' for part in name.split('/'))

def is_part(name, data):
    lower = name.lower()
    if lower.endswith('.textpack'):
        return zipfile.is_zipfile(io.BytesIO(data))
    if not lower.endswith('.zip') or not zipfile.is_zipfile(io.BytesIO(data)):
        return False
    stem = lower[:-4]
    if '-' in stem and stem.rsplit('part-', 1)[-1].isdigit() and 'part-' in stem:
        return True
    names = zipfile.ZipFile(io.BytesIO(data)).namelist()
    return name.count('/') < 2 and any(each.lower().endswith(('.md', '.markdown')) for each in names)

files, entries, infos = [], 0, 0
def walk(archive, has_parts):
    global entries, infos
    names = [info.filename for info in archive.infolist() if not info.is_dir()]
    for name in names:
        data = archive.read(name)
        if is_hidden(name):
            continue
        if has_parts and is_part(name, data):
            walk(zipfile.ZipFile(io.BytesIO(data)), False)
            continue
        files.append(hashlib.sha256(data).hexdigest())
        folder = posixpath.dirname(name)
        if posixpath.basename(name) == 'info.json' and any(
                posixpath.dirname(other) == folder and posixpath.basename(other).startswith('text.')
                for other in names):
            infos += 1
        if name.lower().endswith('.json'):
            try:
                journal = json.loads(data.decode('utf-8-sig'))
                if isinstance(journal, dict) and isinstance(journal.get('entries'), list):
                    entries += len(journal['entries'])
            except ValueError:
                pass

walk(zipfile.ZipFile(sys.argv[1]), sys.argv[2] == 'markdown')
print(json.dumps({'files': files, 'entries': entries, 'infos': infos}))
`;

interface Listing {
  /** SHA-256 of each file that is not hidden. */
  readonly files: readonly string[];
  readonly entries: number;
  /** Files that describe bundles. */
  readonly infos: number;
}

async function listFiles(path: string, format: string): Promise<Listing> {
  const { stdout, success } = await new Deno.Command("python3", {
    args: ["-I", "-c", LISTER, path, format],
  }).output();
  assert(success, path);
  return JSON.parse(new TextDecoder().decode(stdout));
}

/** Names of files that were left out. */
const LEFT_OUT = /^(?:file\.(?!hidden)|folder\.left|item\.repeated)/;

async function assertAccounted(caller: Caller, path: string, format: string): Promise<void> {
  const bytes = await Deno.readFile(path);
  const plan = await planned(caller, format, bytes, { name: "Samples", keepOriginal: "false" });
  assertEquals(plan.state, "PLANNED", path);
  const done = await ran(caller, plan);
  const items = await allItems(caller, done.importId);
  const { files, entries, infos } = await listFiles(path, format);
  const counted = done.unmapped.filter(({ name }: Json) => LEFT_OUT.test(name))
    .reduce((sum: number, { count }: Json) => sum + count, 0);
  const own = items.filter(({ key }) => !/#part\d+$/.test(key));
  const linked = await linkedDigests(caller, items);
  const linkedFiles = files.filter((digest) => linked.has(digest));
  if (format === "day-one") {
    const repeated = done.unmapped.find(({ name }: Json) => name === "item.repeated")?.count ?? 0;
    assertEquals(own.length + repeated, entries, path);
  } else {
    const known = own.length + counted + infos;
    // Files of equal bytes are one attachment, and pictures inside texts are not listed.
    const distinct = new Set(linkedFiles).size;
    assert(known + distinct <= files.length, `${path}: ${known} and ${distinct}`);
    assert(known + linkedFiles.length >= files.length, `${path}: ${known}`);
  }
  const again = await planned(caller, format, bytes, { name: "Samples", keepOriginal: "false" });
  for (const of of Object.values<Json>(again.counts)) {
    assertEquals([of.new, of.changed], [0, 0], path);
  }
}

for (const format of ["markdown", "day-one"]) {
  Deno.test({
    name: `Samples of ${format} come in with every note and file accounted for`,
    ignore: SAMPLES === undefined,
    async fn(context) {
      for await (const { name } of Deno.readDir(`${SAMPLES}/${format}`)) {
        await context.step(name, async () => {
          const caller = await world().createCaller();
          await assertAccounted(caller, `${SAMPLES}/${format}/${name}`, format);
        });
      }
    },
  });
}
