// deno-lint-ignore-file no-explicit-any
/** How objects are written and compared: their forms, drafts, conflicts and histories. */

interface PartPaths {
  /** The path of creation. */
  list: string;
  /** Null if it is not stored yet. */
  one: string | null;
  idName: string;
}

/** Paths in the console and in the API. */
interface Paths {
  page: string;
  api: string;
}

interface ObjectActs {
  title: string;
  /** The address of the form. */
  edit?: string | false;
  /** Items of the menu. */
  more: readonly (HTMLElement | false)[];
  /** Shown before the acts, such as a state. */
  of?: readonly Child[];
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
  /** Null if it is not stored yet. */
  one: string | null;
  /** The object, if it was read before. */
  stored?: any;
  /** Texts of a new form. */
  first?: Readonly<Record<string, string>>;
  /** Links fields that depend on each other, after they are filled. */
  arrange?: (fields: readonly Field[]) => Promise<void>;
  /** Optional fields that are shown first. */
  matters?: readonly string[];
  /** The only field before "More". The others are filled. */
  question?: string;
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

type FoldField = (
  field: Field,
  element: HTMLElement,
  fold: { open: () => void; draw: () => void },
) => Field;

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
  /** The module of a record that takes files. */
  code?: string;
}

interface Merged {
  theirs: Record<string, string>;
  taken: string[];
  contested: string[];
}

interface ConflictParts {
  fields: readonly Field[];
  theirs: Readonly<Record<string, string>>;
  taken: readonly string[];
  contested: readonly string[];
}

interface ComparedField {
  name: string;
  /** If the name is not clear enough. */
  label?: string;
  /** The exact value; empty for none. */
  text: (state: any) => string;
  /** The readable value; two values may share one. */
  shown?: (state: any) => string;
  /** The value of a field that names something stored. */
  named?: ((state: any) => unknown) | undefined;
  /** True if a model wrote the text. */
  byModel?: boolean;
  /** True if shown only on request. */
  sensitive?: boolean;
}

/** Names of the changes that only some objects have. */
type ChangeNames = Readonly<Record<string, Sentence>>;

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

/** Restores a field. */
interface Undo {
  method: "POST" | "PATCH";
  path: string;
  /** Without the base revision. */
  body: Record<string, unknown>;
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
