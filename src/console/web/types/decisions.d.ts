// deno-lint-ignore-file no-explicit-any
/** Parts of a decision, such as analyses and predictions. */

/** With a text for a field whose form in answers differs. */
type ThingField = CatalogField & { text?: (state: any) => string };

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

/** A simulation's factor, with the parameters of its distribution. */
interface Factor {
  name: string;
  weight: number;
  distribution: string;
  [parameter: string]: any;
}

type AnalysisParts = {
  criteria: readonly { name: string; weight: number }[];
  /** By option, then by criterion. */
  scores: Readonly<Record<string, Readonly<Record<string, number>>>>;
};
