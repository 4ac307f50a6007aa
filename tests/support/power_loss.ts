/**
 * A file system that records changes (`recorded_files.c`), and the state of a disk after a power loss at a
 * given point of the record.
 *
 * The assumed disk keeps the bytes of a file as of its last fsync, and the names in a folder as of the last
 * fsync of that folder. POSIX guarantees no more. Later changes are lost, or a part of them is kept: any
 * number of the earliest changes of each file and folder.
 *
 * PostgreSQL also relies on a property of ext4, XFS and Btrfs: an fsync of a file also persists the name
 * that it was created with. This disk does so in PostgreSQL's own folder, and nowhere else.
 */

import { ignoreNotFound } from "../../src/core/files.ts";
import { PROJECT } from "./server_process.ts";

/** A folder whose changes are recorded while it is mounted. */
export interface RecordedFiles extends AsyncDisposable {
  readonly path: string;
  /** The moment after everything that was done so far. */
  now(): number;
  /** Ends the recording, and returns the record. */
  end(): Promise<Uint8Array>;
}

/** The path of the compiled program; null if this machine cannot compile or mount it. */
let program: Promise<string | null> | undefined;

/** True if this machine has FUSE and a C compiler, and this user may mount. */
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
    ...["sh", output, source],
  ]);
  return isDone ? output : null;
}

async function run(command: string, args: readonly string[]): Promise<boolean> {
  const { success } = await new Deno.Command(command, { args: [...args] }).output()
    .catch(() => ({ success: false }));
  return success;
}

/**
 * Mounts a recorded folder under a folder.
 *
 * @throws Error if it cannot be mounted.
 */
export async function recordFiles(folder: string): Promise<RecordedFiles> {
  const [behind, record, path] = ["behind", "record", "mounted"].map((name) => `${folder}/${name}`);
  if (behind === undefined || record === undefined || path === undefined) throw new Error();
  await Deno.mkdir(behind);
  await Deno.mkdir(path);
  // It returns after the folder is mounted, and serves it from a separate process.
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

/** Returns how many of an object's changes since its last sync are kept: the earliest ones. */
export type Rest = (changes: number) => number;

interface Write {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** A file: the bytes that are on the disk, and the changes that may not be. */
class File {
  readonly #changes: (Write | number)[] = [];
  #bytes = new Uint8Array();
  readonly #syncName: () => unknown;

  /** `syncName` persists the name that it was created with, if an fsync does. */
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

/** The bytes after changes, which are writes and new sizes. They may be those of before, changed. */
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

/** A folder: the names that are on the disk, all names, and the changes between both. */
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

  /** Persists one change if it is not persistent yet. */
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

/** One operation of a record. */
export interface Operation {
  readonly name: string;
  readonly fields: readonly string[];
  readonly bytes: Uint8Array;
  /** The moment before it, and the one after it. */
  readonly from: number;
  readonly to: number;
}

/** The operations of a record, in their order. */
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

/** The disk at a point of a record, which only moves forward. */
export class Disk {
  readonly #root = new Folder();
  readonly #files = new Map<string, File>();
  readonly #operations: Generator<Operation>;
  #next: IteratorResult<Operation, unknown>;

  constructor(record: Uint8Array) {
    this.#operations = readRecord(record);
    this.#next = this.#operations.next();
  }

  /** Moves on to a moment. */
  moveTo(moment: number): void {
    while (!this.#next.done && this.#next.value.to <= moment) {
      this.#carryOut(this.#next.value);
      this.#next = this.#operations.next();
    }
  }

  /** Writes the files that survive a power loss at this point to a new folder. */
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
    // The number of a file that is gone may come again.
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

  /** Within one folder it is one change, kept or lost as a whole. */
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

/** Removes a folder and all that is in it, if it is there. */
export async function removeFolder(path: string): Promise<void> {
  await Deno.remove(path, { recursive: true }).catch(ignoreNotFound);
}
