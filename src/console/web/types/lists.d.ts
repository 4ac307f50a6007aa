// deno-lint-ignore-file no-explicit-any
/** Lists: their pages, order, filters and facts. */

interface FilterCondition {
  /** In the addresses of the page and of the API. */
  name: string;
  field: string;
  comparison: "equals" | "from" | "to";
  edit: "select" | "boolean" | "text" | "tags" | "number" | "datetime";
  options: readonly string[];
}

interface ModuleView {
  /** Fields in a line. */
  facts: readonly string[];
  /** When it is due, or happened. */
  time: string | undefined;
  /** A field, and its values while something is not done. */
  open: { field: string; values: readonly string[] } | undefined;
  /** True if open records can be overdue. */
  isDue: boolean;
}

/** How an object's values are read and changed. */
interface ValuesForm {
  valuesOf: (data: any) => any;
  bodyOf: (changes: { payload?: object; payloadRemove?: readonly string[] }) => object;
}

interface ListPage {
  items: readonly any[];
  nextCursor: string | null;
}

type Order = (one: any, other: any) => number;

type ReadPage = (cursor: string | null) => Promise<ListPage>;

/** A list that is read page by page. */
interface ListState {
  read: ReadPage;
  /** Read, but not shown yet. */
  items: any[];
  cursor: string | null;
  isOver: boolean;
}

/** Lists that are read as one. */
interface ListPart {
  either: readonly Texts[];
  asked: Texts;
  compare?: Order;
}

/** An order that a list offers. */
interface ListOrder {
  /** In addresses, and in the device's storage. */
  value: string;
  text: string;
  /** Its parameters for the API. */
  asked: Texts;
  /** If the list has alternatives. */
  compare?: Order;
  headings?: Headings;
  /** Read first, instead of all alternatives of the list. */
  first?: Pick<ListPart, "either">;
  /** Read after everything else. */
  rest?: ListPart & { text: string };
  /** Leaves out items that the API cannot. */
  fits?: (item: any) => boolean;
  /** Lines of a page if there are more, default 1. */
  atLeast?: number;
}

/** Headings over the lines of a list. */
interface Headings {
  headingOf: (item: any) => string | undefined;
  /** Increases along the list. Without it, new lines stay on top. */
  placeOf?: (item: any) => any;
}
