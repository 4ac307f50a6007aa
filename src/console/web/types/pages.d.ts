// deno-lint-ignore-file no-explicit-any
/** Pages, their lists and parts. */

interface Visit {
  /** Named segments of the path. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
}

interface Content {
  title: string;
  /** If more belongs in it than in the title, which browsers store in their history. */
  heading?: Children[0];
  body: readonly Child[];
  /** Sets the initial focus, if not on the heading. */
  focus?: () => void;
}

type Page = (visit: Visit) => Promise<Content>;

type SyncPage = (visit: Visit) => Content;

/** The exports of a module that are pages. */
type PageName<Module> = {
  [Name in keyof Module & string]: Module[Name] extends Page | SyncPage ? Name : never;
}[keyof Module & string];

interface PageEntry {
  path: string;
  load: () => Promise<Page | SyncPage>;
  /** Marked in the navigation; null for none. */
  place: Place | null;
  /** Texts in addition to those of records. */
  areas: readonly (keyof Areas)[];
  link: AccountLink | null;
}

/** A link on the account's page. */
interface AccountLink {
  name: Sentence;
  group: Sentence;
  /** Required to see it. */
  permission?: string;
}

interface Titled {
  moduleCode: string;
  recordId: string;
  title: string;
}

interface Tagged {
  moduleCode: string;
  recordId: string;
}

interface ListFilter {
  name: string;
  views: readonly { value: string; text: string }[];
  /** True if the views other than the first are in the menu of the list. */
  isInMenu?: boolean;
}

interface Listed {
  title: string;
  /** Default the present page. */
  page?: string;
  api: string;
  /** The parameter of the views, by default the first; empty selects all. */
  filter?: ListFilter;
  /** Further parameters of the address, kept from view to view. */
  narrowed?: Readonly<Record<string, string>>;
  /** Further parameters for the API. */
  alsoAsked?: Readonly<Record<string, string>>;
  /** Alternatives of further parameters: items match at least one of them. */
  either?: readonly Readonly<Record<string, string>>[];
  /** Leaves out items that the API cannot. */
  fits?: (item: any) => boolean;
  /** By default the first one; without any the order of the API. */
  orders?: readonly ListOrder[];
  /** For an empty list. The text of a module also states its purpose. */
  none?: string;
  /** Before the views. */
  beside?: readonly (Element | false)[];
  /** The target of the line above the list. */
  add?: AddedTo | false;
  /** Links go into the menu of the list, everything else into the panel of its filters. */
  after?: readonly Element[];
  /** True if a line has more than a title and facts. */
  isLong?: boolean;
  above?: (items: readonly any[], order: ListOrder | undefined) => Element | false;
  /** After the lines that were read. */
  below?: (items: readonly any[]) => Element | false;
  line: (item: any, index: number) => Element;
}

interface PlacedLine {
  item: any;
  line: Element;
}

interface LineGroups {
  /** Without a heading. */
  first: HTMLElement;
  element: HTMLElement;
  /** Removes all lines except those on their way. */
  begin: (order: ListOrder | undefined) => void;
  append: (item: any, line: Element) => void;
  /** Moves a new line under its heading. `isWhole` is true if all pages were read. */
  add: (item: any, line: Element, isWhole: boolean) => void;
}

interface ListReading {
  /** Undefined for that of the API. */
  order: ListOrder | undefined;
  reader: { next: () => Promise<readonly any[]>; hasMore: () => boolean; moreText: () => string };
  pages: number;
  items: any[];
}

type BegunList = ListReading & {
  /** True while the service prepares the order. */
  isUnordered: boolean;
};

type KeepOrder = (page: string, query: URLSearchParams, order: ListOrder) => void;

interface SectionParts {
  add?: Element | false;
  /** True if a line has more than a title and facts. */
  isLong?: boolean;
  line: (item: any, index: number) => Element;
}

interface BarTexts {
  columns: readonly [string, string];
  valueText?: (value: number) => string;
}

interface SearchQuery {
  q: string;
  order: string;
  archived: string;
  modules?: readonly string[];
}

interface FoundRecords {
  query: SearchQuery;
  items: readonly SearchResult[];
  nextCursor: string | null;
  /** True while the service prepares the best-first order. */
  isUnordered?: boolean;
}

interface SearchState extends FoundRecords {
  accountId: string;
}

interface SearchQuestions {
  /** Aborted when the person leaves. */
  here: AbortSignal;
  status: HTMLElement;
  query: () => SearchQuery;
  show: (found: FoundRecords | null) => void;
}

interface SearchActs {
  modules: readonly CatalogModule[];
  /** Asks for the next page of a former answer, or else for the first one. */
  ask: (query: SearchQuery, before?: Partial<FoundRecords>) => Promise<void>;
  only: (codes: readonly string[]) => Promise<void>;
}

interface DraftLineParts {
  look?: "words";
  /** If other links have the same name. */
  label?: string;
  /** The kind of a draft with a title. */
  what?: string;
  words?: Element | false;
}

interface SearchQuestion {
  query: SearchQuery;
  before: Partial<FoundRecords>;
}

type DrawValue = typeof import("../fields/shown/values.js").plainValue;

/** Draws a person's text with classes. */
type DrawText = (text: string, look: string) => HTMLElement;

/** A row of a table. */
type Cells = readonly (string | number | Element)[];

interface FigureParts<Asked, Answer> {
  title: string;
  /** A module. */
  kind: string;
  read: (asked: Asked, signal: AbortSignal) => Promise<Answer>;
  content: (answer: Answer, asked: Asked) => readonly Child[];
  controls?: readonly Child[];
}
