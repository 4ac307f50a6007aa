/** Stored objects that are locked, and their changes. */

import type { NewRow } from "./targets.ts";

export interface WrittenRevision {
  readonly moduleCode: string;
  readonly subjectId: string;
  readonly revision: number;
}

/** A change of a stored object. */
export interface ObjectChange {
  /** Its new content; null to leave that as it is. */
  readonly content: NewRow | null;
  readonly isArchived: boolean;
  /**
   * A test for revisions of a person that earlier items of the same key wrote; null if this is the first one:
   * its experiences and contacts come in as well.
   */
  readonly own?: ((revision: number) => boolean) | null;
  /** Whether links stay, because they are resolved later. */
  readonly keepsLinks?: boolean;
  /** How many links the item adds later. */
  readonly laterLinks?: number;
  /** Whether only links are compared. */
  readonly onlyLinks?: boolean;
}

/** A stored object that is locked: its revision, and how it changes. */
export interface LockedObject {
  readonly revision: number;
  readonly isArchived: boolean;
  /** Writes the change, and returns the revisions that it made. */
  readonly write: (change: ObjectChange, now: Date) => Promise<WrittenRevision[]>;
  /** The rule that forbids the change, if only the locked object can tell. */
  readonly refusal?: (change: ObjectChange) => Promise<string | null>;
}
