// deno-lint-ignore-file no-explicit-any
/** Types of lines on their way to the service. */

/** A write of a typed line; `words` are the part of the line from which it was made. */
type LineWrite = Pick<Write, "method" | "path" | "body"> & { readonly words?: string };

interface LineParts {
  /** The `ul` in which it stands; it must stay in the page. */
  list: Element;
  /** The line that replaces it, from the answers to its writes; the last may be missing. */
  made: (answers: readonly any[]) => Element;
  /**
   * Returns the words to the person: all of them, or those of the writes that were not done. False
   * if the browser could not store them.
   */
  refused: (
    error: import("../core/base/api.js").ApiError,
    words: string,
    rest: readonly Write[],
  ) => boolean | void;
}

interface SentLine extends LineParts {
  title: string;
  /** As typed, if not the title. */
  words?: string;
  writes: readonly LineWrite[];
  /** The address of the page with the line, which shows it again after a reload. */
  page: string;
  /** True for sensitive words, which must not outlive the tab. */
  brief?: boolean;
}

interface LineProgress {
  /** Those that are not done. */
  writes: readonly Write[];
  /** To those that are. */
  answers: any[];
}

interface ShownLine {
  element: HTMLElement;
  say: (state: string) => void;
}

type GiveBack = (
  shown: ShownLine,
  rest: LineProgress,
  parts: LineParts,
  error: import("../core/base/api.js").ApiError,
) => Promise<void>;
