/** Pictures: their shapes and layouts. */

type Attributes = Readonly<Record<string, string | number>>;

interface ChartShape {
  tag: "line" | "rect" | "circle" | "polyline" | "text";
  attributes: Attributes;
  /** A text's content; other shapes' tooltip. */
  text?: string;
}

/** Many lines as one, such as a grid. */
type PathShape = Omit<ChartShape, "tag"> & { tag: "path" };

interface FigureLayout {
  height: number;
  shapes: readonly (ChartShape | PathShape)[];
  /** Parts of shapes that have a tooltip, or lead to a page. */
  areas?: readonly FigureArea[];
}

interface FigureArea {
  x: number;
  y: number;
  width: number;
  height: number;
  text: string;
  path?: string;
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

interface SpreadBar {
  name: string;
  low: number;
  middle: number;
  high: number;
  text: string;
}

/** 1 is dark, 0 light. */
type QrRows = number[][];

interface LineAxes {
  shapes: readonly ChartShape[];
  x: (time: number) => number;
  y: (value: number) => number;
}

/** A person: days since the last contact, and the wished days between two. */
interface NearBar {
  name: string;
  state: string;
  days: number;
  wish: number;
  text: string;
}

/** Predictions with similar probabilities. Shares are from 0 to 1. */
interface CalibrationGroup {
  expected: number;
  observed: number;
  count: number;
  /** Null for too few. */
  interval: Pair | null;
  text: string;
}

/** In degrees. */
interface PlacePoint {
  name: string;
  latitude: number;
  longitude: number;
}

type GraticuleTexts = Record<"latitude" | "longitude", NumberText>;

type Week = import("../../../client/wire.ts").Week;

/** Days are `2026-01-31`, the last one included. */
interface ReviewedWeek {
  name: "weekThis" | "weekLast";
  from: string;
  to: string;
  /** In words. */
  period: string;
  /** Values of the form's fields. */
  texts: Record<"title" | "periodStart" | "periodEnd", string>;
}

interface WeekCount {
  name: string;
  value: number;
  lists: readonly { name: string; value: number; path: string }[];
}
