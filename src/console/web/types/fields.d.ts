/** Fields of forms, and the values that they hold. */

/** Options that the catalog does not have. */
interface FieldOptions {
  /** If the field's name is not clear enough. */
  label?: string;
  hint?: string;
  choices?: Choices;
  /** For fields without an edit type. */
  make?: (row: FieldRow) => Field | Promise<Field>;
}

type CatalogField = WireField & FieldOptions;

/** A field that a new form may fill. */
interface FirstField {
  name: string;
  required?: boolean;
  options?: readonly string[];
}

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
  /** Undefined if it holds no files. */
  take?: FileAdder["take"];
  /** The names of its files. */
  names?: () => readonly string[];
  /** Called with each further file of a field that holds one. */
  rest?: (file: FileName) => void;
  /** Resolves when its uploads have ended; null if none runs. */
  pending?: () => Promise<void> | null;
}

type MakeRow = (row: FieldRow, control: FieldControl) => Field;

type MakeChoice = (name: string, choices: Choices) => FieldControl;

type MakeField = (
  name: string,
  edit: CatalogField["edit"],
  more?: Partial<CatalogField>,
) => CatalogField;

type Bounds = Pick<CatalogField, "minimum" | "maximum">;

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
  /** True if "More" is closed although its fields are filled. */
  isFolded?: boolean;
  /** Its button is not filled. */
  isQuiet?: boolean;
}

interface FieldRow {
  /** The names of a choice's values, for a text that is one of them. */
  choices?: Choices;
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

type LabelledField = Pick<CatalogField, "name" | "edit" | "label" | "sensitive">;

type TypedField = Pick<CatalogField, "name" | "edit">;

interface Filter {
  /** In the address. */
  name: string;
  label: string;
  options?: Choices;
  /** For inputs without options; default date. */
  type?: string;
  none?: string;
  /** The field, if it names something stored. */
  reference?: string;
  /** A date in words; default the whole date. */
  words?: (day: string) => string;
  /** For the first day of a period: the parameter of its last day. */
  end?: string;
}

/** Passed to the controls of forms: the page of the sign-in does without this module. */
type LocalTimes = typeof import("../logic/local_time.js");

interface TimeInputs {
  parts: readonly Element[];
  moment: () => string;
}

interface GroupsOptions {
  max: number;
  /** A group's, by its number. */
  name: (number: number) => string;
  add: string;
  makeFields: () => readonly Field[];
  /** Shows the fields that match the current values. */
  arrange?: (fields: readonly Field[]) => void;
}

interface GroupActs {
  arrange: (fields: readonly Field[]) => void;
  /** Undefined if it is the only group. */
  remove?: (fields: readonly Field[]) => void;
}

/** Limits of a field's values; a refusal names the broken one. */
interface Limits {
  minimum?: number | undefined;
  maximum?: number | undefined;
  /** In characters. */
  maximumLength?: number | undefined;
  limit?: number | undefined;
}
