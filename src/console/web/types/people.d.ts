// deno-lint-ignore-file no-explicit-any
/** People, the profile and their entries. */

interface EntryControls {
  /** The path of the entries in the API. */
  api: string;
  /** The entry's. */
  id: string;
  /** Distinguishes its buttons from those of other entries. */
  when: string;
}

interface EntryPlace {
  /** The path of the entries in the API. */
  api: string;
  /** True if the person accepts entries. */
  isOpen: boolean;
  /** True in a list of several kinds. */
  isNamed?: boolean;
  /** True if it was written since the page was loaded. */
  isFresh?: boolean;
}

/** A link that another program opens. */
interface WayLink {
  href: string;
  symbol: "phone" | "message" | "mail" | "map";
  word: string;
  /** With the number or the address. */
  name: string;
}

/** A number or an address with its links. */
interface FoundWay {
  detail: any;
  text: string;
  links: readonly WayLink[];
}

interface Way extends FoundWay {
  /** True for the first of its kind, whose links are round symbols. */
  isFirst: boolean;
}

interface CardParts {
  ways: readonly Way[];
  lineOf: (detail: any, way?: Way) => Element;
}

type FoldedLines = (
  lines: readonly any[],
  listOf: (details: readonly any[]) => Element,
) => Element;

type LedgerName = "contacts" | "experiences" | "evidence";

interface Ledger {
  title: string;
  one: string;
  idName: string;
  add: string;
  fields: readonly CatalogField[];
  first: Texts;
  /** Null for a time in words. */
  at: (entry: any) => string | null;
  /** In the person's words. */
  heading?: (entry: any) => string;
  words: (entry: any) => string | null;
  facts: (entry: any) => readonly (string | null)[];
}

interface Move {
  from: readonly string[];
  /** Undefined for archiving and restoring, which have paths of their name. */
  status?: string;
  name: "pause" | "resume" | "archive" | "restore" | "seal";
  title: Sentence;
  text: Sentence;
  done: Sentence;
}

interface ProfilePart {
  title: string;
  one: string;
  add: string;
  idName: string;
  fields: readonly CatalogField[];
  isArchivable?: boolean;
  line: (thing: any) => Element;
}
