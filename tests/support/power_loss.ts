/**
 * A file system that records changes (`recorded_files.c`), and the disk's state after a power loss
 * at any point.
 *
 * As POSIX guarantees, a file's bytes survive as of its last fsync, and a folder's names as of the
 * folder's last fsync. Any number of the earliest later changes of each file and folder survives
 * too.
 *
 * PostgreSQL also relies on ext4, XFS and Btrfs persisting a file's created name with its fsync.
 * This disk does so only in PostgreSQL's folder.
 */

import { ignoreNotFound } from "../../src/core/files.ts";
import { PROJECT } from "./server_process.ts";

/** Records changes while mounted. */
export interface RecordedFiles extends AsyncDisposable {
  readonly path: string;
  /** The moment after everything done so far. */
  now(): number;
  /** Unmounts, and returns the recorded changes. */
  end(): Promise<Uint8Array>;
}

/** The compiled program; null if it cannot be compiled or mounted here. */
let program: Promise<string | null> | undefined;

/** Requires FUSE, a C compiler, and permission to mount. */
export async function canRecordFiles(): Promise<boolean> {
  program ??= compile();
  if (await program === null) return false;
  const folder = await Deno.makeTempDir({ prefix: "prs-recorded-" });
  try {
    await using _files = await recordFiles(folder);
    return true;
  } catch {
    return false;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function compile(): Promise<string | null> {
  const folder = await Deno.makeTempDir({ prefix: "prs-recorder-" });
  globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
  const output = `${folder}/recorded_files`;
  const source = `${PROJECT}/tests/support/recorded_files.c`;
  const isDone = await run("sh", [
    "-c",
    'test -e /dev/fuse && command -v fusermount3 && exec gcc -O1 -D_FILE_OFFSET_BITS=64 \
      -I/usr/include/fuse3 -o "$1" "$2" -lfuse3',
    "sh",
    output,
    source,
  ]);
  return isDone ? output : null;
}

async function run(command: string, args: readonly string[]): Promise<boolean> {
  const { success } = await new Deno.Command(command, { args: [...args] }).output()
    .catch(() => ({ success: false }));
  return success;
}

/** @throws if it cannot be mounted. */
export async function recordFiles(folder: string): Promise<RecordedFiles> {
  const [behind, record, path] = ["behind", "record", "mounted"].map((name) => `${folder}/${name}`);
  if (behind === undefined || record === undefined || path === undefined) throw new Error();
  await Deno.mkdir(behind);
  await Deno.mkdir(path);
  // Returns after mounting, and serves from a separate process.
  if (!await run(await program ?? "", [behind, record, path, "-s"])) {
    throw new Error("The file system cannot be mounted");
  }
  let isMounted = true;
  const unmount = async () => {
    if (isMounted) await run("fusermount3", ["-u", path]);
    isMounted = false;
  };
  return {
    path,
    now: () => Deno.statSync(record).size,
    async end() {
      await unmount();
      return await Deno.readFile(record);
    },
    [Symbol.asyncDispose]: unmount,
  };
}

const POSTGRES_FOLDER = /\/postgres\//;

/** How many of an object's earliest unsynced changes survive. */
export type Rest = (changes: number) => number;

interface Write {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** Synced bytes and unsynced changes. */
class File {
  readonly #changes: (Write | number)[] = [];
  #bytes = new Uint8Array();
  readonly #syncName: () => unknown;

  /** `syncName` persists the created name, if an fsync does. */
  constructor(syncName: () => unknown) {
    this.#syncName = syncName;
  }

  change(change: Write | number): void {
    this.#changes.push(change);
  }

  sync(): void {
    this.#syncName();
    this.#bytes = applied(this.#bytes, this.#changes.splice(0));
  }

  write(path: string, rest: Rest): void {
    const kept = this.#changes.slice(0, rest(this.#changes.length));
    Deno.writeFileSync(path, kept.length === 0 ? this.#bytes : applied(this.#bytes.slice(), kept), {
      mode: 0o600,
    });
  }
}

/** Applies writes and truncations, possibly in place. */
function applied(
  bytes: Uint8Array<ArrayBuffer>,
  changes: readonly (Write | number)[],
): Uint8Array<ArrayBuffer> {
  const endOf = (change: Write | number) =>
    typeof change === "number" ? change : change.offset + change.bytes.length;
  let [size, whole] = [bytes.length, bytes];
  const most = Math.max(size, ...changes.map(endOf));
  if (most > size) {
    whole = new Uint8Array(most);
    whole.set(bytes);
  }
  for (const change of changes) {
    if (typeof change !== "number") whole.set(change.bytes, change.offset);
    else if (change < size) whole.fill(0, change);
    size = typeof change === "number" ? change : Math.max(size, endOf(change));
  }
  return size === whole.length ? whole : whole.slice(0, size);
}

type Names = Map<string, File | Folder>;
type NameChange = (names: Names) => void;

/** Synced names, all names, and the changes in between. */
class Folder {
  readonly names: Names = new Map();
  readonly #stored: Names = new Map();
  #changes: NameChange[] = [];

  change(change: NameChange): void {
    change(this.names);
    this.#changes.push(change);
  }

  sync(): void {
    for (const change of this.#changes) change(this.#stored);
    this.#changes = [];
  }

  /** Persists one pending change. */
  syncChange(change: NameChange): void {
    if (this.#changes.includes(change)) change(this.#stored);
    this.#changes = this.#changes.filter((other) => other !== change);
  }

  write(path: string, rest: Rest): void {
    Deno.mkdirSync(path, { mode: 0o700 });
    const names = new Map(this.#stored);
    for (const change of this.#changes.slice(0, rest(this.#changes.length))) change(names);
    for (const [name, node] of names) node.write(`${path}/${name}`, rest);
  }
}

export interface Operation {
  readonly name: string;
  readonly fields: readonly string[];
  readonly bytes: Uint8Array;
  /** Moments before and after the operation. */
  readonly from: number;
  readonly to: number;
}

/** Reads the operations in order. */
export function* readRecord(record: Uint8Array): Generator<Operation> {
  for (let from = 0; from < record.length;) {
    const start = record.indexOf(10, from) + 1;
    const [name = "", ...fields] = new TextDecoder().decode(record.subarray(from, start - 1))
      .split("\t");
    const to = start + (name === "write" ? Number(fields[2]) : 0);
    yield { name, fields, bytes: record.subarray(start, to), from, to };
    from = to;
  }
}

/** The disk as of a moment, which only moves forward. */
export class Disk {
  readonly #root = new Folder();
  readonly #files = new Map<string, File>();
  readonly #operations: Generator<Operation>;
  #next: IteratorResult<Operation, unknown>;

  constructor(record: Uint8Array) {
    this.#operations = readRecord(record);
    this.#next = this.#operations.next();
  }

  moveTo(moment: number): void {
    while (!this.#next.done && this.#next.value.to <= moment) {
      this.#carryOut(this.#next.value);
      this.#next = this.#operations.next();
    }
  }

  /** Writes the files that survive a power loss at this point. */
  write(path: string, withRest: Rest = () => 0): void {
    this.#root.write(path, withRest);
  }

  #carryOut({ name, fields: [first = "", second = ""], bytes }: Operation): void {
    switch (name) {
      case "create":
        return this.#create(first, second);
      case "folder":
        return this.#add(first, new Folder());
      case "remove":
        return this.#remove(first);
      case "rename":
        return this.#rename(first, second);
      case "link":
        return this.#add(second, this.#find(first));
      case "write":
        return this.#files.get(first)?.change({ offset: Number(second), bytes });
      case "size":
        return this.#files.get(first)?.change(Number(second));
      case "sync":
        return this.#files.get(first)?.sync();
      case "sync-folder":
        return this.#folder(first === "." ? "" : first).sync();
    }
  }

  #create(inode: string, path: string): void {
    const { folder, name } = this.#place(path);
    const change: NameChange = (names) => names.set(name, file);
    const file = new File(() => POSTGRES_FOLDER.test(path) && folder.syncChange(change));
    // Inode numbers are reused.
    this.#files.set(inode, file);
    folder.change(change);
  }

  #add(path: string, node: File | Folder | undefined): void {
    // Sockets are not recorded.
    if (node === undefined) return;
    const { folder, name } = this.#place(path);
    folder.change((names) => names.set(name, node));
  }

  #remove(path: string): void {
    const { folder, name } = this.#place(path);
    folder.change((names) => names.delete(name));
  }

  /** Atomic within one folder. */
  #rename(from: string, to: string): void {
    const node = this.#find(from);
    const [source, target] = [this.#place(from), this.#place(to)];
    if (node === undefined) return;
    if (source.folder !== target.folder) {
      this.#add(to, node);
      return this.#remove(from);
    }
    source.folder.change((names) => {
      names.delete(source.name);
      names.set(target.name, node);
    });
  }

  #find(path: string): File | Folder | undefined {
    const { folder, name } = this.#place(path);
    return folder.names.get(name);
  }

  #place(path: string): { readonly folder: Folder; readonly name: string } {
    const cut = path.lastIndexOf("/");
    return { folder: this.#folder(path.slice(0, Math.max(cut, 0))), name: path.slice(cut + 1) };
  }

  #folder(path: string): Folder {
    if (path === "") return this.#root;
    const found = this.#find(path);
    if (!(found instanceof Folder)) throw new Error(`The record has no folder ${path}`);
    return found;
  }
}

/** Ignores a missing folder. */
export async function removeFolder(path: string): Promise<void> {
  await Deno.remove(path, { recursive: true }).catch(ignoreNotFound);
}
