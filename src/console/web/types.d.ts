// deno-lint-ignore-file no-explicit-any
/**
 * The console's own types, global in all of its modules, because `deno.json` names this file. Only
 * the type check reads it. Types of the API's answers are in `src/client/wire.ts`, those without a
 * browser in `logic/types.d.ts`.
 */

// From other files

type Areas = import("./lang/areas.d.ts").Areas;
type AccountStorage = import("../../client/wire.ts").StorageUsage;
type Analysis = import("../../client/wire.ts").DecisionAnalysis;
type AuditProof = import("../../client/wire.ts").AuditEntryProof;
type BackupStatus = import("../../client/wire.ts").BackupStatus;
type CalendarFeed = import("../../client/wire.ts").CalendarFeed;
type Calibration = import("../../client/wire.ts").Calibration;
type CatalogFeature = import("../../client/wire.ts").CatalogFeature;
type Import = import("../../client/wire.ts").Import;
type ImportQuestion = import("../../client/wire.ts").ImportQuestion;
type LegacyDrill = import("../../client/wire.ts").LegacyDrill;
type OverloadAnalysis = import("../../client/wire.ts").OverloadAnalysis;
type PersonProposal = import("../../client/wire.ts").PersonProposal;
type RecordChange = import("../../client/wire.ts").RecordChange;
type SearchResult = import("../../client/wire.ts").FoundRecord;
type Simulation = import("../../client/wire.ts").DecisionSimulation;
type TaxonomyUsage = import("../../client/wire.ts").TermUsage;

// The frame and the API

type ProvenSend = (
  method: string,
  path: string,
  what: { body?: unknown; proof?: string },
) => Promise<Answer>;

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
    passkeys: typeof import("./core/passkeys.js"),
    place: Element,
  ) => unknown;
  /** The text for a failure; null closes the dialog and throws it. */
  refusal: (error: import("./core/base/api.js").ApiError) => string | null;
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
  | "IMPORT_WITHDRAW";

interface ProvenAct {
  purpose: Purpose;
  /** The dialog's title: "Create a token". */
  what: string;
  thing?: string | undefined;
  /** If the proof is bound to an object. */
  targetId?: string;
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

interface Goal {
  path: string;
  text: string;
  /** The kind of a found record. */
  kind?: string;
  /** Other words that find it. */
  words?: string;
}

interface TrailLook {
  audit: TrailHead | null;
  access: TrailHead | null;
}

interface Happening {
  name: Sentence;
  count: number;
  /** True if shown at the next sign-in. */
  isNotable: boolean;
}

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

type Shell = typeof import("./lang/en.js").default;

type AreaSentence = { [Area in keyof Areas]: keyof Areas[Area] }[keyof Areas];

type Sentence = keyof Shell["sentences"] | AreaSentence;

/** `formatOf(Intl.NumberFormat, options)`. */
type FormatOf = <Format, Options>(
  Format: new (locale: string, options?: Options) => Format,
  options?: Options,
) => Format;

interface CheckedTrail {
  fault: TrailFault | null;
  /** To be stored; null without a seal, or if the trail does not hold. */
  head: TrailHead | null;
  /** Number checked, as `entries`. */
  seals: number;
  entries: number;
  /** Number of entries before the last check that were not recomputed. */
  unchecked: number;
}

interface Merged {
  theirs: Record<string, string>;
  taken: string[];
  contested: string[];
}

type Place = keyof typeof import("./core/names.js").PLACES;

/** Options that the catalog does not have. */
interface FieldOptions {
  /** If the field's name is not clear enough. */
  label?: string;
  hint?: string;
  choices?: Choices;
  /** For fields without an edit type. */
  make?: (row: FieldRow) => Field;
}

type CatalogField = WireField & FieldOptions;

// Fields

interface Field {
  name: string;
  row: FieldRow;
  element: HTMLElement;
  text: () => string;
  setText: (text: string) => void;
  required: boolean;
  /** Why it cannot be sent; empty if it can. */
  problem: () => string;
  /** Shows an error; an empty text clears it. */
  refuse: (text: string) => void;
  focus: () => void;
}

type MakeRow = (row: FieldRow, control: FieldControl) => Field;

type MakeChoice = (name: string, choices: Choices) => FieldControl;

type MakeField = (
  name: string,
  edit: CatalogField["edit"],
  more?: Partial<CatalogField>,
) => CatalogField;

type Bounds = Pick<CatalogField, "minimum" | "maximum">;

/** What a field accepts, and the limit that a refusal names. */
interface Limits {
  minimum?: number | undefined;
  maximum?: number | undefined;
  /** In characters. */
  maximumLength?: number | undefined;
  limit?: number | undefined;
}

interface FieldControl {
  /** Shown between hint and error; default the target. */
  element?: HTMLElement;
  /** Gets the label and the focus. */
  target: HTMLElement;
  /** Shown after the target; the element of the id describes it. */
  note?: { element: HTMLElement; id: string };
  text: () => string;
  setText: (text: string) => void;
  /** Why its input is not a value yet. */
  problem?: () => string;
}

interface FormParts {
  /** Before the button. */
  before?: readonly Element[];
  /** Next to it. */
  beside?: readonly Element[];
  /** Allows typing while it is sent. */
  staysOpen?: boolean;
  /** The fields before "More", on two columns; default all, on one. */
  shown?: number;
}

interface FieldRow {
  /** Stated when the service refuses the value. */
  limits?: Limits;
  /** Words for no choice, if they are not "Not set". */
  none?: string;
  /** True for a list also of few choices. */
  isList?: boolean;
  name: string;
  label: string;
  hint?: Child;
  required?: boolean;
  /** Keeps its text from spelling and translation services. */
  sensitive?: boolean;
  /** The text it begins with. */
  initial?: string;
}

type LineRow = FieldRow & {
  type?: string;
  autocomplete?: string;
  inputmode?: string;
  words?: boolean;
};

interface TextHolder {
  text: () => string;
  setText: (text: string) => void;
}

type Choices = readonly { value: string; label: string }[];

interface ComparedField {
  name: string;
  /** If the name is not clear enough. */
  label?: string;
  /** The exact value; empty for none. */
  text: (state: any) => string;
  /** The readable value; two values may share one. */
  shown?: (state: any) => string;
  /** True if a model wrote the text. */
  byModel?: boolean;
  /** True if shown only on request. */
  sensitive?: boolean;
}

type LabelledField = Pick<CatalogField, "name" | "edit" | "label" | "sensitive">;

interface Filter {
  /** In the address. */
  name: string;
  label: string;
  options?: Choices;
  /** For inputs without options; default date. */
  type?: string;
  none?: string;
}

/** Passed to the controls of forms: the page of the sign-in does without this module. */
type LocalTimes = typeof import("./logic/local_time.js");

interface TimeInputs {
  parts: readonly Element[];
  moment: () => string;
}

type TypedField = Pick<CatalogField, "name" | "edit">;

interface ShownOnce {
  text: string;
  secrets: readonly string[];
  /** Labels the button that continues. */
  stored: string;
  /** The next page. */
  page: string;
}

// Pages

interface Visit {
  /** Named segments of the path. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
}

interface Content {
  title: string;
  /** If it must not be in the title, which browsers store in their history. */
  heading?: string;
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
  /** Texts in addition to those of records. */
  areas: readonly (keyof Areas)[];
}

// Parts of pages

interface PartPaths {
  /** The path of creation. */
  list: string;
  /** Null for a new object. */
  one: string | null;
  idName: string;
}

interface Titled {
  moduleCode: string;
  recordId: string;
  title: string;
}

/** With a text for a field whose form in answers differs. */
type ThingField = CatalogField & { text?: (state: any) => string };

/** A simulation's factor, with the parameters of its distribution. */
interface Factor {
  name: string;
  weight: number;
  distribution: string;
  [parameter: string]: any;
}

interface ThingKind {
  /** Names one, also its id. */
  one: Sentence;
  add: Sentence;
  fields: readonly CatalogField[];
  /** The fields of its history, if they are others: its revisions cannot be restored then. */
  computed?: readonly ThingField[];
  nameOf: (thing: any) => string;
  /** Shown in a line of the decision's page. A prediction may have its `outcome`. */
  fact: (thing: any) => readonly Child[];
}

interface OwnFile {
  title: string;
  api: string;
  /** The members that are sent. */
  members: readonly string[];
  /** Ways to treat existing entries; the first is the default. */
  modes: Texts;
  page: string;
  resultText: (data: any) => string;
}

interface ListFilter {
  name: string;
  views: readonly { value: string; text: string }[];
  /** True if the views are never folded. */
  areTabs?: boolean;
}

interface ImportSample {
  items: readonly { place: number; target: string; title: string }[];
  questions: readonly ImportQuestion[];
  groups: readonly { name: string; count: number }[];
  series: readonly { name: string; count: number; groups: readonly string[] }[];
}

interface ImportOption {
  name: string;
  schema: any;
  /** The names of the member and, in an object, of its member; default: the name. */
  path?: readonly string[];
}

/** A field of a mapping, and how its text becomes the member; default: the text. */
interface OptionField {
  field: Field;
  path: readonly string[];
  read?: (text: string) => unknown;
}

/** `value` has the members of its kind. */
type ImportedDetail = { kind: string; value: any; label: string | null };

interface QuestionCard {
  /** As "In this file". */
  where: string;
  title: string;
  facts: readonly Child[];
  details: readonly ImportedDetail[];
}

interface KnownPerson {
  person: any;
  /** Details that are not hidden. */
  details: readonly ImportedDetail[];
}

/** An import's form; `sample` has some of its items. */
type MappingForm = (data: any, sample: ImportSample) => Promise<readonly Child[]>;

/** A list of choices that depend on another field. */
interface ColumnField {
  name: string;
  row: Field;
  text: () => string;
  /** Replaces its choices, and chooses one unless one of them is chosen. */
  offer: (choices: Choices, chosen: string) => void;
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
  /** The order of a list that is shown at once, if the API has another one. */
  arrange?: Order;
  /** The order, if there are alternatives. */
  compare?: Order;
  /** For an empty list. The text of a module also states its purpose. */
  none?: string;
  /** Before the views. */
  beside?: readonly (Element | false)[];
  /** After the views, folded with them on a phone. */
  after?: readonly Element[];
  /** True if a line has more than a title and facts. */
  isLong?: boolean;
  above?: (items: readonly any[]) => Element | false;
  line: (item: any, index: number) => Element;
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
}

interface UndoableStep {
  method: string;
  path: string;
  body: unknown;
  undo?: (data: any) => UndoableStep | Promise<UndoableStep>;
}

interface ExportPart {
  filename: string;
  mediaType: string;
  content: string;
  /** Undefined if the service states none. */
  sha256?: string;
  /** Number of entries; undefined for a whole. */
  count?: number;
  note?: string;
  nextCursor: string | null;
}

/** Requests a part; null if the person cancels. */
type ReadPart = (cursor: string | null) => Promise<ExportPart | null>;

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
}

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

interface Tagged {
  moduleCode: string;
  recordId: string;
}

/** Restores a field. */
interface Undo {
  method: "POST" | "PATCH";
  path: string;
  /** Without the base revision. */
  body: Record<string, unknown>;
}

/** How to read and show an object's revisions. */
interface Historied {
  /** In the console. */
  page: string;
  api: string;
  earlier: (revision: number) => string;
  fields: readonly ComparedField[];
  /** If not the title; empty if hidden. */
  nameOf?: (state: any) => string;
  changes?: ChangeNames;
  /** Null if not restorable. */
  undo: (name: string, former: any) => Undo | null;
}

/** Paths in the console and in the API. */
interface Paths {
  page: string;
  api: string;
}

interface FieldChange {
  set: Record<string, any>;
  remove: readonly string[];
}

/** How an object is read and written through the API. */
interface Editable {
  fields: readonly CatalogField[];
  /** The path of creation. */
  list: string;
  /** Null for a new object. */
  one: string | null;
  /** The object, if it was read before. */
  stored?: any;
  /** Texts of a new form. */
  first?: Readonly<Record<string, string>>;
  /** Optional fields that are shown first. */
  matters?: readonly string[];
  valuesOf: (shown: any) => Record<string, any>;
  idOf: (shown: any) => string;
  creation: (change: FieldChange) => Record<string, unknown>;
  /** Without the revision. */
  patch: (change: FieldChange, shown: any) => Record<string, unknown>;
  /** Reads an earlier revision, if the path does not accept `revision=N`. */
  earlier?: (revision: number) => Promise<any>;
  /** Sent once the object is saved. */
  next?: Write;
  /** Posts changes to this path instead of patching the object. */
  changes?: string;
}

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
    error: import("./core/base/api.js").ApiError,
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

interface ShownLine {
  element: HTMLElement;
  say: (state: string) => void;
}

interface LineProgress {
  /** Those that are not done. */
  writes: readonly Write[];
  /** To those that are. */
  answers: any[];
}

interface SearchState {
  accountId: string;
  /** The request. */
  query: any;
  items: any[];
  nextCursor: string | null;
}

interface ThingHistory extends Paths {
  nameOf: (state: any) => string;
  fields: readonly ThingField[];
  /** True if no field can be restored. */
  isFixed?: boolean;
  /** Fields that cannot. */
  fixed?: readonly string[];
  changes?: ChangeNames;
  earlier?: (revision: number) => string;
}

interface NewCredential {
  what: string;
  path: string;
  fields: readonly Field[];
  before?: readonly Element[];
  bodyOf: () => { name: string } | null;
  shown: (made: any) => ShownOnce;
}

interface SearchActs {
  modules: readonly CatalogModule[];
  /** Asks for the next page of a former answer, or else for the first one. */
  ask: (query: any, before?: Partial<SearchState>) => Promise<void>;
  only: (codes: readonly string[]) => Promise<void>;
}

type AnalysisParts = {
  criteria: readonly { name: string; weight: number }[];
  /** By option, then by criterion. */
  scores: Readonly<Record<string, Readonly<Record<string, number>>>>;
};

interface GroupsOptions {
  max: number;
  /** A group's, by its number. */
  name: (number: number) => string;
  add: string;
  makeFields: () => readonly Field[];
  /** Shows the fields that match the current values. */
  arrange?: (fields: readonly Field[]) => void;
}

interface ConflictParts {
  fields: readonly Field[];
  theirs: Readonly<Record<string, string>>;
  taken: readonly string[];
  contested: readonly string[];
}

interface FormPlaces {
  /** The form's own. */
  page: string;
  /** Shown once it is saved. */
  kept: (id: string) => string;
  /** Shown once it is discarded. */
  left: string;
  /** The object's. */
  name: (stored: any) => string;
  /** A text above the form. */
  about?: string;
  /** Announced while it is sent. */
  underWay?: string;
}

/** Names of the changes that only some objects have. */
type ChangeNames = Readonly<Record<string, Sentence>>;

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

interface Question {
  title: string;
  text?: string;
  action: string;
  fields?: readonly Field[];
}

interface FileName {
  attachmentId: string;
  filename: string;
  mediaType: string;
}

interface DraftLineParts {
  look?: "words";
  /** If other links have the same name. */
  label?: string;
  words?: Element | false;
}

interface AuditOperation {
  operation: string;
  moduleCode: string | null;
}
