// deno-lint-ignore-file no-explicit-any
/** Types of `entered/` and `add_line/`: texts as a person types them. */

type LineLanguage = "en" | "de";

interface CalendarWords {
  months: readonly string[];
  /** From Sunday. */
  weekdays: readonly string[];
  /** From winter, 0. */
  seasons: Readonly<Record<string, number>>;
}

interface WrittenDay {
  year: number | null;
  /** From 1. */
  month: number;
  day: number;
}

interface WrittenPeriod {
  timePrecision: "MONTH" | "SEASON" | "YEAR" | "DECADE";
  year: number;
  month: number;
}

/** How a field reads a text, and shows its value. */
interface EnteredForm {
  /** The value, or null. */
  read: (text: string) => string | null;
  /** As a person writes it. */
  written: (value: string) => string;
  said: (value: string) => string;
  /** A sentence for a text that cannot be read. */
  refused: (text: string) => string;
}

/** A month alone, a day that does not exist, or another text. */
type DateProblem = "MONTH" | "UNREAL" | "FORM";

interface LineToken {
  word: string;
  /** In lower case, without commas. */
  plain: string;
  start: number;
  end: number;
}

type LineDay =
  | { kind: "relative"; days: number }
  | { kind: "months"; months: number }
  | { kind: "nextWeek" }
  | { kind: "weekday"; weekday: number }
  | { kind: "date"; date: WrittenDay };

interface LineMoment {
  day: LineDay | null;
  /** Minutes after midnight. */
  clock: number | null;
}

interface FoundMoment {
  moment: LineMoment;
  words: string;
  /** The text without it. */
  rest: string;
}

type ReadDayWords = (text: string, language: LineLanguage) => LineDay | null;

type DayAndClock = (
  dayWords: readonly string[],
  clockWords: readonly string[],
  language: LineLanguage,
) => LineMoment | null;

type FindEdge = (
  tokens: readonly LineToken[],
  language: LineLanguage,
  isStart: boolean,
) => { moment: LineMoment; count: number } | null;

type MomentOfTokens = (
  tokens: readonly LineToken[],
  language: LineLanguage,
  isStart: boolean,
) => LineMoment | null;

type IsTime = (
  tokens: readonly LineToken[],
  language: LineLanguage,
  isStart: boolean,
) => boolean;

interface LineWords {
  relative: Readonly<Record<string, number>>;
  nextWeek: readonly string[];
  /** In days. */
  units: Readonly<Record<string, number>>;
  /** Words for 1. */
  one: readonly string[];
  nouns: readonly string[];
  prepositions: Readonly<Record<string, readonly string[]>>;
  /** Words before a date that make it part of the text. */
  binding: readonly string[];
  joining: readonly string[];
  dayParts: readonly string[];
  every: {
    /** Before an amount. */
    word: string;
    phrases: Readonly<Record<string, number>>;
    /** Before one unit. */
    whole: readonly string[];
  };
  area: string;
  kinds: Readonly<Record<string, string>>;
  steps: string;
}

/** Now, in the zone of the device. */
interface LineClock {
  /** UTC midnight of the local day, in milliseconds since 1970. */
  today: number;
  /** Minutes after midnight. */
  minutes: number;
  now: string;
  /** A local time with its zone. */
  stamp: (day: number, minutes: number) => string;
}

interface LineTime {
  /** UTC midnight, in milliseconds since 1970. */
  day: number;
  /** Minutes after midnight; null for none. */
  clock: number | null;
}

interface PreciseTime extends LineTime {
  timePrecision: "EXACT" | "DAY" | WrittenPeriod["timePrecision"];
}

interface FoundPrefix {
  words: string;
  rest: string;
  time: PreciseTime & { at: string };
}

type MeasureProblem = "whichMeasurement" | "fromOneToTen";
type LineProblem = MeasureProblem | "nameMissing" | "lineTooLong";

/** The kind and the last unit of a list of one kind. */
type ListMeasure = { kind: string; unit?: string | undefined } | undefined;

interface LineFigure {
  /** By its name; undefined for none. */
  kind: string | undefined;
  values: readonly number[];
  unit: string | null;
}

type ReadFigure = (
  tokens: readonly LineToken[],
  language: LineLanguage,
  name: string,
) => LineFigure | null;

type ReadMeasure = (tokens: readonly LineToken[], language: LineLanguage) => LineFigure | null;

interface LineMeasure {
  kind: string;
  values: readonly number[];
  unit: string;
}

type FoundMeasure =
  | LineMeasure & { count: number; isStart: boolean }
  | { problem: MeasureProblem };

type StartsPhone = (token: LineToken, run: readonly LineToken[]) => boolean;

interface TimePart extends LineTime {
  what: "time";
  words: string | null;
  /** Null if it is a day or a moment of a plan or measurement. */
  timePrecision: PreciseTime["timePrecision"] | null;
}

interface MeasurePart extends LineMeasure {
  what: "measure";
  words: string;
}

type LinePart =
  | TimePart
  | MeasurePart
  | { what: "noTime"; words: null }
  | { what: "interval"; words: string | null; days: number }
  | { what: "detail"; words: string }
  | { what: "address"; words: string; host: string }
  | { what: "options"; words: string; items: readonly string[] };

interface LineDetail {
  kind: "PHONE" | "EMAIL";
  value: { value: string };
  privacy: "PRIVATE";
}

/** A POST request. */
interface LineRecord {
  path: string;
  body: any;
  /** A person's, each sent after the person. */
  details?: readonly LineDetail[];
}

interface UnderstoodParts {
  title: string;
  notes?: string;
  parts: readonly LinePart[];
  records: readonly LineRecord[];
  form?: { question: string; options: readonly string[] };
  problem?: LineProblem;
}

interface Understood {
  /** The code of the module. */
  kind: string;
  title: string;
  /** A measurement's. */
  notes: string;
  parts: readonly LinePart[];
  records: readonly LineRecord[];
  /** Opens in place of a record. */
  form: { question: string; options: readonly string[] } | null;
  problem: LineProblem | null;
}

interface LineInput {
  text: string;
  language: LineLanguage;
  clock: LineClock;
  kept: ReadonlySet<string>;
  measure: ListMeasure;
  measureTitle: (kind: string, day: number) => string;
  emptyTitle: string;
  uuid: () => string;
}

type UnderstandLine = (line: LineInput) => UnderstoodParts;

interface UnderstandOptions {
  language: LineLanguage;
  /** Milliseconds since 1970. */
  now: number;
  /** By default the device's; null for a device whose zone has no IANA name. */
  zone?: string | null;
  locale?: string;
  /** Words that stay text. */
  kept?: Iterable<string>;
  /** For a list that shows one kind of measurement. */
  measure?: ListMeasure;
  label?: (name: string) => string;
  uuid?: () => string;
}

/** Sentences of the area `add_line`. */
type LineSentence =
  | "noTime"
  | "everyDay"
  | "everyDays"
  | "bloodPressure"
  | "winterOf"
  | "springOf"
  | "summerOf"
  | "autumnOf"
  | "decadeOf"
  | "nameMeasurement"
  | LineProblem;

interface ShowOptions {
  t: (name: LineSentence, values?: Readonly<Record<string, string | number>>) => string;
  label: (name: string) => string;
  locale: string;
  /** UTC midnight of the local day, in milliseconds since 1970. */
  today: number;
}
