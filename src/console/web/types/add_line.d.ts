// deno-lint-ignore-file no-explicit-any
/** Types of the line that adds a record. */

type LineReader =
  & Pick<typeof import("../logic/add_line/understand.js"), "understand">
  & Pick<typeof import("../logic/add_line/shown.js"), "shownParts" | "problemSentence">;

/** The list that a line adds to. */
interface LinePlace {
  /** The code of the module. */
  list: string;
  /** The kind and the last unit of a list that shows one kind of measurement. */
  measure?: (() => ListMeasure) | undefined;
}

/** The shown list that gets the new records. */
interface MadeIn {
  /** Gets new lines first. */
  lines: Element;
  lineOf: (made: any) => Element;
}

/** Without `putBack`, the message of Add. */
type ShownList = LinePlace & MadeIn & { putBack: PutBack | null };

type ReadLine = Understood & {
  /** Null for a part for which nothing was typed. */
  shown: readonly { text: string; words: string | null }[];
};

type ReadAs = (
  reader: LineReader,
  place: LinePlace,
  text: string,
  kept: Iterable<string>,
) => ReadLine;

/** Returns refused words to the box, above newer text, with the reason. */
type PutBack = (words: string, sentence: string, files?: readonly FileName[]) => void;

interface EnteredLine {
  understood: ReadLine;
  text: string;
  /** Also in its records. */
  files: readonly FileName[];
}

interface LineOptions {
  place: () => LinePlace;
  send: (entered: EnteredLine) => void;
  /** Called before the full form opens. */
  left?: () => void;
  /** Called once its text was sent or left. */
  emptied?: () => void;
}

interface AddedTo {
  /** The code of the module. */
  list: string;
  /** The measurement that an amount alone means. */
  measureOf?: (items: readonly any[]) => ListMeasure;
}
