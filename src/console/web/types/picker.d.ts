// deno-lint-ignore-file no-explicit-any
/** Types of references to stored things, and of their pickers. */

/** A stored thing as a person knows it. */
interface Named {
  /** As it is stored: an identifier, a code or a name. */
  value: string;
  text: string;
  /** Missing if the object is hidden, erased or unknown. */
  href?: string | undefined;
  /** Its kind, if a list has several. */
  note?: string | undefined;
  moduleCode?: string;
}

interface Reference {
  /** The module whose records have the field. */
  of?: string;
  /** The module of the named record; any, if not given. */
  to?: string;
  /** True if it holds a person's name instead of an identifier. */
  isName?: boolean;
  /** True if it may hold other words. */
  isText?: boolean;
  /** True if it names a module. */
  isModule?: boolean;
}

/** Draws a value of a field that may name something stored. */
type DrawNamed = (field: Pick<CatalogField, "name" | "edit"> & Bounds, value: any) => Element;

/** A source of a picker's options. */
interface PickerSource {
  /** The whole list, if it is short: shown without a question. */
  all?: () => readonly Named[];
  /** Asked with two letters or more. */
  find?: (words: string, signal: AbortSignal) => Promise<readonly Named[]>;
  nameOf: (value: string) => Promise<Named>;
  /** True if words that fit no option are a value, too. */
  isText?: boolean;
}

type PickerRow = FieldRow & {
  /** True for several values; its text is a JSON array then. */
  isSeveral?: boolean;
};

type PickerField = Field & { chosen: () => readonly Named[] };

interface OptionList<Option> {
  element: HTMLElement;
  isOpen: () => boolean;
  /** @param at The active one; -1 for none, and the same place if not given. */
  show: (options: readonly Option[], at?: number) => void;
  close: () => void;
  move: (step: number) => void;
  active: () => Option | undefined;
}

/** A detail of a person on the page. */
interface DetailPlace {
  /** The path of the details in the API. */
  api: string;
  /** The person's. */
  page: string;
  /** Part of the names of its buttons. */
  name: string;
  /** Its kind and place in the section: distinguishes its controls from others. */
  when: string;
}

type LinkedText = (detail: { kind: string; value: Values }, text: string) => Element | string;

/** The newest entries of a person. */
type Happened = Record<"contacts" | "experiences" | "timeline", Data>;
