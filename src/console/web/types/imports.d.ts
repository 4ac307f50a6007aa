// deno-lint-ignore-file no-explicit-any
/** Imports: mappings, samples and questions. */

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
