// deno-lint-ignore-file no-explicit-any
/** The frame: elements, texts, sign-in, questions and acts. */

type Areas = import("../lang/areas.d.ts").Areas;

type Shell = typeof import("../lang/en.js").default;

type AreaSentence = { [Area in keyof Areas]: keyof Areas[Area] }[keyof Areas];

type Sentence = keyof Shell["sentences"] | AreaSentence;

/** `formatOf(Intl.NumberFormat, options)`. */
type FormatOf = <Format, Options>(
  Format: new (locale: string, options?: Options) => Format,
  options?: Options,
) => Format;

type Child = string | number | Node | null | undefined | false;

type Children = readonly (Child | readonly Child[])[];

type Attribute = string | number | boolean | null | undefined | ((event: any) => unknown);

/** The attributes may come first. */
type Parts = Children | readonly [Readonly<Record<string, Attribute>>, ...Children];

type BuildElement = <Tag extends keyof HTMLElementTagNameMap>(
  selector: Tag | `${Tag}.${string}`,
  ...parts: Parts
) => HTMLElementTagNameMap[Tag];

interface Session {
  account: { accountId: string; email: string; displayName: string; role: string };
  permissions: readonly string[];
  /** True if the account requires a code. */
  secondFactor: boolean;
}

type Place = keyof typeof import("../core/names.js").PLACES;

interface PasswordQuestion<Result> {
  title: string;
  text: readonly Child[];
  action: string;
  /** True if the account requires a code. Otherwise it is asked for after a failure. */
  takesCode: boolean;
  use: (password: string, code: string) => Promise<Result>;
  /** Offers a passkey instead. */
  offer: (
    answer: (result: Result) => void,
    passkeys: typeof import("../core/passkeys.js"),
    place: Element,
  ) => unknown;
  /** The words for a failure; null closes the dialog and throws it. */
  refusal: (error: import("../core/base/api.js").ApiError) => readonly Child[] | null;
}

type Purpose =
  | "RELATIONSHIP_EVALUATION_CONFIRM"
  | "MEMORY_PRIVACY_DOWNGRADE"
  | "MEMORY_SECRET_EXPORT"
  | "IDENTITY_LEGACY_DRILL"
  | "IDENTITY_PUBLISH"
  | "ACCOUNT_EXPORT"
  | "TOKEN_CREATE"
  | "SECOND_FACTOR_CHANGE"
  | "PASSKEY_CHANGE"
  | "RELATIONSHIP_EXPORT"
  | "IMPORT_WITHDRAW"
  | "ASSISTANT_ALLOW";

type ProvenSend = (
  method: string,
  path: string,
  what: { body?: unknown; proof?: string },
) => Promise<Answer>;

interface ProvenAct {
  purpose: Purpose;
  /** The dialog's title: "Create a token". */
  what: string;
  thing?: string | undefined;
  /** If the proof is bound to an object. */
  targetId?: string;
}

interface Question {
  title: string;
  text?: string;
  action: string;
  fields?: readonly Field[];
}

interface WatchedForm {
  isUnsaved: () => boolean;
  /** Saves the fields that can be saved. */
  save?: () => unknown;
  /** Cancels a pending save. */
  cancel?: () => void;
}

interface Act {
  path: string;
  /** Default POST. */
  method?: "POST" | "PATCH";
  name: string;
  /** Before the name. */
  symbol?: Parameters<typeof import("../core/base/icons.js").icon>[0];
  /** Or a function that makes it when the button is pressed. */
  body?: unknown;
  done: string;
  /** Shown afterwards; default the present page. */
  page?: string;
  /** The button's accessible name, if other buttons on the page have the same text. */
  label?: string | undefined;
  /** Called afterwards, instead of drawing the page again. */
  then?: () => void;
  /** True for the page's first action. */
  isMain?: boolean;
  /** True if it cannot be undone. */
  isGrave?: boolean;
}

interface Asked {
  title: string;
  text?: string;
}

interface Undoable {
  act: () => UndoableStep | Promise<UndoableStep>;
  name: string;
  label: string;
  done: string;
  undone: string;
  title: string;
  /** Called after each step with its answer. */
  then?: (data: any) => void;
  /** The class of a line while it is done; "done" unless stated. */
  mark?: string;
  /** The chosen variant of the act: another one is another request. */
  choice?: () => string;
  /** Draws the button instead of its name and "Undo". */
  symbol?: (isDone: boolean) => Child;
}

/** A row of settings. */
interface Setting {
  readonly symbol?: Parameters<typeof import("../core/base/icons.js").icon>[0];
  readonly name: Child;
  /** The page that its row opens. */
  readonly href?: string;
  readonly value?: string;
  readonly facts?: readonly Child[];
}

interface Row {
  /** A picture, a date, a value, a symbol or a box to tick. */
  anchor?: Child;
  name: Child | readonly Child[];
  /** The kind of thing, then its time. */
  facts: readonly Child[];
  more?: readonly Child[];
  /** At most two. */
  acts?: readonly Child[];
}

interface UndoableStep {
  method: string;
  path: string;
  body: unknown;
  undo?: (data: any) => UndoableStep | Promise<UndoableStep>;
}

interface Goal {
  path: string;
  text: string;
  /** The kind of a found record. */
  note?: string;
  /** Other words that find it. */
  words?: string;
}
