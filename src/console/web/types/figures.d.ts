/** Figures of a life. Days are `2026-01-31`, and their times midnight in UTC. */

type Series = import("../../../client/wire.ts").Series;

type DayCounts = import("../../../client/wire.ts").Days;

type RoutineState = import("../../../client/wire.ts").RoutineState;

type SeriesUnit = Series["by"];

type SeriesRange = "week" | "month" | "year" | "all";

/** The year is that of squares. */
interface SeriesChoice {
  range: SeriesRange;
  year: number;
}

/** The values of a bucket. */
interface SeriesSpan extends ChartPoint {
  low: number;
  high: number;
}

/** Runs of values without a gap. */
interface SeriesLine {
  runs: readonly (readonly SeriesSpan[])[];
  usual: (UsualRange & { text: string }) | null;
}

/** Most medians of the last year. */
interface UsualRange {
  low: number;
  high: number;
  /** How many medians there are. */
  count: number;
}

interface DaySquare {
  day: string;
  /** How full it is, from 1 to 5. */
  level: number;
  text: string;
  path?: string;
}

/** Days of a unit of the calendar, half-open. */
interface DayBar {
  from: string;
  until: string;
  /** Bars of one lane do not overlap. */
  lane: string;
  name: string;
  /** Shown if the name does not fit. */
  short: string;
  text: string;
  path?: string;
}

interface YearOfSquares {
  year: number;
  /** From Monday, 1. */
  firstDay: number;
  squares: readonly DaySquare[];
  bars?: readonly DayBar[];
}

type YearTexts = Record<"month" | "weekday", NumberText>;

/** Weeks of a routine, the oldest first; the level of an empty one is 0. */
interface RoutineWeeks {
  name: string;
  count: string;
  weeks: readonly { level: number; text: string }[];
}

/** A year, or a half of it. Times are midnight in UTC; `begin` is the start of its first week. */
interface YearPart {
  from: number;
  until: number;
  begin: number;
  columns: number;
  has: (day: number) => boolean;
}

type LevelArea = FigureArea & { level: number };

interface SquarePlace {
  left: number;
  top: number;
  cell: number;
}
