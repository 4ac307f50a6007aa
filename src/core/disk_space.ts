import { statfsSync } from "node:fs";

export interface DiskSpace {
  /** Bytes available to an ordinary user. */
  readonly free: number;
  readonly total: number;
}

/** Returns null if the system does not report it. */
export type ReadDiskSpace = () => DiskSpace | null;

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
