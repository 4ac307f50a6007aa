import type { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import { fsyncSync } from "node:fs";

/** Emscripten's number for an input/output error. */
const EIO = 29;

type EngineOptions = Parameters<NodeFS["init"]>[1];

interface HostModule {
  readonly NODEFS?: { readonly stream_ops: { fsync?: (stream: HostStream) => number } };
  readonly FS: { readonly ErrnoError: new (errno: number) => Error };
}

interface HostStream {
  /** The file descriptor of the host system. */
  readonly nfd: number;
}

/**
 * A file system whose fsync reaches the disk; PGlite's own does nothing. Active before the engine
 * starts, so that crash recovery is durable too.
 */
export class DurableFiles extends NodeFS {
  #hasSynced = false;

  /** True after the first fsync. Every start makes one, unless the engine is not durable. */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  override async init(
    engine: PGlite,
    options: EngineOptions,
  ): Promise<{ emscriptenOpts: EngineOptions }> {
    const { emscriptenOpts } = await super.init(engine, options);
    const preRun = [
      ...emscriptenOpts.preRun ?? [],
      (module: object) => this.#install(module as HostModule),
    ];
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }

  #install({ NODEFS, FS }: HostModule): void {
    if (NODEFS === undefined) return;
    NODEFS.stream_ops.fsync = (stream) => {
      this.#hasSynced = true;
      try {
        fsyncSync(stream.nfd);
        return 0;
      } catch {
        // Only this error makes PostgreSQL stop instead of trusting the disk again.
        throw new FS.ErrnoError(EIO);
      }
    };
  }
}
