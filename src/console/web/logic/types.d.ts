// deno-lint-ignore-file no-explicit-any
/// <reference path="./line_types.d.ts" />
/** Types of the modules that need no browser; tests refer to them. Global, as `../types.d.ts`. */

/** A body's data; lists have items. */
interface Data {
  items: any[];
  nextCursor: any;
  [name: string]: any;
}

interface Answer {
  status: number;
  data: any;
}

interface SendOptions {
  /** Sent as JSON. */
  body?: unknown;
  key?: string;
  proof?: string | undefined;
  /** `AbortSignal.timeout` ends it with `NETWORK_ERROR`. */
  signal?: AbortSignal;
}

/** Throws an `ApiError`. */
type Send = (method: string, path: string, options?: SendOptions) => Promise<Answer>;

interface FilterCondition {
  /** In the addresses of the page and of the API. */
  name: string;
  field: string;
  comparison: "equals" | "from" | "to";
  edit: "select" | "boolean" | "text" | "tags" | "number" | "datetime";
  options: readonly string[];
}

interface ModuleView {
  /** Fields in a line; a unit is joined to its value by a plus sign. */
  facts: readonly string[];
  /** When it is due, or happened. */
  time: string | undefined;
  /** A field, and its values while something is not done; or empty. */
  open: readonly string[];
  /** True if open records can be overdue. */
  isDue: boolean;
}

type Due = import("../../../client/wire.ts").Due;

type CatalogModule = import("../../../client/wire.ts").CatalogModule;

type WireField = import("../../../client/wire.ts").CatalogField;

/** The words of a sample life in one language; most by the key of their item. */
interface LifeTexts {
  readonly source: string;
  /** Of the import. */
  readonly name: string;
  readonly phones: readonly string[];
  readonly tags: { readonly family: string; readonly water: string; readonly garden: string };
  /** By type of measurement. */
  readonly kinds: Record<string, string>;
  readonly people: Record<string, LifePerson>;
  readonly memories: Record<string, { title: string; text: string; time?: string }>;
  /** Titles and descriptions. */
  readonly events: Record<string, string[]>;
  /** Titles and contents. */
  readonly commitments: Record<string, string[]>;
  /** Titles and success criteria. */
  readonly actions: Record<string, string[]>;
  /** Names and areas. */
  readonly routines: Record<string, string[]>;
  readonly captures: readonly string[];
  /** Titles, authors and annotations. */
  readonly knowledge: Record<string, string[]>;
  /** Titles and statements. */
  readonly principles: Record<string, string[]>;
  /** Names and notes. */
  readonly places: Record<string, string[]>;
  /** Names and roles. */
  readonly communities: Record<string, string[]>;
  readonly review: { title: string; summary: string; achievements: string; next: string };
  /** Questions and answers, which may be empty. */
  readonly interviews: Record<string, string[]>;
  /** A title and a statement. */
  readonly pattern: readonly string[];
  /** A title and the condition of its release. */
  readonly legacy: readonly string[];
}

interface LifePerson {
  name: string;
  street?: string;
  town?: string;
  company?: string;
  /** Notes of the contacts, newest first. */
  contacts: string[];
  /** A title and words. */
  note?: string[];
}

type LifeCalendar = ReturnType<typeof import("./sample_life/calendar.js").calendarOf>;

/** Makes some of its items. */
type LifePart = (texts: LifeTexts, on: LifeCalendar) => object[];

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

type GroupTexts = Record<string, string>;

type Texts = Readonly<Record<string, string>>;

type Attributes = Readonly<Record<string, string | number>>;

interface ChartShape {
  tag: "line" | "rect" | "circle" | "polyline" | "text";
  attributes: Attributes;
  /** A text's content; other shapes' tooltip. */
  text?: string;
}

interface ChartLayout {
  height: number;
  shapes: readonly ChartShape[];
}

/** For figures, or times in milliseconds since 1970. */
type NumberText = (value: number) => string;

type Layout<Item, Text = NumberText> = (
  items: readonly Item[],
  width: number,
  text: Text,
) => ChartLayout;

/** Two ends, or x and y. */
type Pair = readonly [number, number];

type Anchor = "start" | "middle" | "end";

interface ChartBar {
  name: string;
  value: number;
  text: string;
}

interface ChartLabel {
  left: number;
  right: number;
  shape: ChartShape;
}

/** Times are in milliseconds since 1970. */
interface ChartPoint {
  time: number;
  value: number;
  text: string;
}

type ChartTexts = Record<"number" | "day", NumberText>;

/** Times are in milliseconds since 1970. */
interface TimelineEvent {
  lane: string;
  from: number;
  /** Undefined for a moment. */
  to?: number;
  text: string;
}

/** From 0 to 1. */
interface ReliabilityGroup {
  expected: number;
  observed: number;
  count: number;
  text: string;
}

/** 1 is dark, 0 light. */
type QrRows = number[][];

interface SpreadBar {
  name: string;
  low: number;
  middle: number;
  high: number;
  text: string;
}

type TokenPreset = "read" | "capture" | "own";

type TrailKind = "audit" | "access";

/** The newest checked seal. */
interface TrailHead {
  number: number;
  digest: string;
  /** Number of entries up to it. */
  entries: number;
  /** By the service's clock. */
  at: string;
}

/** Why a chain is invalid. */
interface TrailFault {
  /**
   * `chain`: a seal is missing, altered, or does not follow the one before. `entries`: a seal does
   * not fit its entries. `replaced`: the known seal has another digest. `shorter`: the known seal
   * is missing.
   */
  why: "chain" | "entries" | "replaced" | "shorter";
  number: number;
  /** The current seal's; null for none. */
  digest: string | null;
}

interface DiffPart {
  kind: "same" | "removed" | "added";
  items: string[];
}

type Diff = (before: readonly string[], after: readonly string[]) => DiffPart[];

/** By diagonal (position before minus position after): the end of its best path. */
type DiffEnds = ReadonlyMap<number, number>;

interface TextPart {
  kind: "same" | "removed" | "added";
  text: string;
}

type Values = Readonly<Record<string, any>>;

interface WriteResult {
  key: string;
  page: string;
  refused: string | null;
  data?: any;
  /** Why it was refused, if this tab sent it. */
  error?: unknown;
}

interface Draft {
  /** The changed revision; null for a new object. */
  base: number | null;
  /** The prefix of the Idempotency-Keys. */
  seed: string;
  /** The key under which the current text was sent; null if it was not. */
  sent: string | null;
  /** Last change, in milliseconds since 1970. */
  at: number;
  texts: Readonly<Record<string, string>>;
}

type TrailSummary = import("../../../client/wire.ts").TrailSummary;

interface StatedTime {
  occurredAt: string | null;
  timePrecision: string | null;
  timeRange: { from: string; to: string } | null;
}

type TimedMemory = StatedTime & { timeText: string | null };

interface CheckOptions {
  at: string;
  isWhole: boolean;
  signal: AbortSignal;
  progress: (entries: number) => void;
}

interface ErrorAbout {
  status?: number;
  details?: any;
  retryAfter?: number | null;
}

interface TrailOf {
  accountId: string;
  kind: TrailKind;
  at: string;
}

// The stored entries and the dependencies of an outbox

interface Write {
  /** The write's Idempotency-Key, never used for another body. */
  readonly key: string;
  readonly method: string;
  readonly path: string | readonly PathPart[];
  readonly body: unknown;
  /** The page that shows it. */
  readonly page: string;
  /** True if the write must not be stored longer than the session. */
  readonly brief: boolean;
  /** Sent once the service has accepted this one. */
  readonly next?: Write;
  /** If it was typed in one line. */
  readonly line?: TypedLine;
}

/** A text, or a member of the answer to the line's write of this number. */
type PathPart = string | { readonly answer: number; readonly member: string };

interface TypedLine {
  /** Shown while it waits. */
  readonly title: string;
  /** Returned to the person if the service refuses it. */
  readonly words: string;
}

interface QueuedWrite extends Write {
  /** Those to the writes of its line before it. */
  readonly answers?: readonly any[];
  /** The time of queuing, in milliseconds since 1970; unique. */
  readonly at: number;
  /** The code of its refusal; null while it waits. */
  readonly refused: string | null;
}

interface OutboxStorage {
  /** Returns the entries in any order. */
  read(): readonly QueuedWrite[] | Promise<readonly QueuedWrite[]>;
  /** Replaces the entry with its key; throws without room. */
  put(entry: QueuedWrite): void | Promise<void>;
  remove(key: string): void | Promise<void>;
}

type QueueNext = (sent: QueuedWrite, next: Write, data: unknown) => Promise<void>;

interface OutboxParts {
  readonly storage: OutboxStorage;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Excludes other outboxes of the same storage. */
  readonly lock: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Throws an `ApiError`. Must time out on a silent connection. */
  readonly send: (write: Write) => Promise<{ data: unknown }>;
  /** After the service accepted an entry (with its response) or rejected it. */
  readonly onResult?: (entry: QueuedWrite, data: unknown, error?: unknown) => void;
}

interface ImportFormat {
  /** By language. */
  title: Record<string, string>;
  mapping: "FOLDERS" | "COLUMNS" | "PEOPLE" | "FORM" | null;
  /** JSON schemas of the members that a form is drawn from. */
  options?: Record<string, unknown>;
}
