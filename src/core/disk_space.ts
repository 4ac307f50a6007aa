import { statfsSync } from "node:fs";

/** The size of a file system, in bytes. */
export interface DiskSpace {
  /** Bytes that an ordinary user may still write. */
  readonly free: number;
  readonly total: number;
}

/** Reads the space of one file system; returns null if the system does not report it. */
export type ReadDiskSpace = () => DiskSpace | null;

/** Reads the space of the file system that holds `path`. */
export function diskSpaceOf(path: string): ReadDiskSpace {
  return () => {
    try {
      const { bsize, bavail, blocks } = statfsSync(path);
      return { free: bavail * bsize, total: blocks * bsize };
    } catch {
      return null;
    }
  };
}
