/** Layouts of squares, which are fuller and deeper in colour for more. */

import { DAY_MS } from "../../logic/local_time.js";
import { block, cutTo, LETTER, LINE, words } from "../charts/shapes.js";

const WEEK_MS = 7 * DAY_MS;

/** Below this width, the halves of a year are under each other. */
const MIN_YEAR_WIDTH = 560;

const MAX_CELL = 16;

/** Between two squares. */
const GAP = 2;

/** Squares are drawn smaller by it, and their line of twice its width makes their corners round. */
const ROUND = 1.5;

const BAR = 18;

/** The days of the week that are named: Monday, Wednesday and Friday. */
const NAMED_DAYS = [1, 3, 5];

/**
 * A year of days: a column for each week, a row for each day of the week, and bars of longer units
 * below.
 * @param {YearOfSquares} shown
 * @param {number} width
 * @param {YearTexts} texts
 * @returns {FigureLayout}
 */
export function yearLayout({ year, firstDay, squares, bars = [] }, width, texts) {
  const months = width < MIN_YEAR_WIDTH ? [0, 6, 12] : [0, 12];
  const starts = months.map((month) => Date.UTC(year, month));
  // The first of January 2024 was a Monday.
  const weekdays = Array.from({ length: 7 }, (_, row) => Date.UTC(2024, 0, firstDay + row));
  const names = NAMED_DAYS.map((day) => texts.weekday(Date.UTC(2024, 0, day)));
  const left = Math.max(...names.map(({ length }) => length)) * LETTER.width + 8;
  const parts = starts.slice(1).map((until, index) =>
    partOf(starts[index] ?? until, until, weekdays[0] ?? 0)
  );
  const columns = Math.max(...parts.map(({ columns }) => columns));
  const cell = Math.min(MAX_CELL, Math.floor((width - left) / columns));
  /** @type {(ChartShape | PathShape)[]} */
  const shapes = [];
  /** @type {LevelArea[]} */
  const areas = [];
  /** @type {FigureArea[]} */
  const barAreas = [];
  let height = 0;
  for (const part of parts) {
    const place = { left, top: height + LINE, cell };
    const { lanes, drawn, pressed } = barShapes(part, bars, place);
    areas.push(
      ...squares.filter(({ day }) => part.has(Date.parse(day)))
        .map((one) => areaOf(one, placeOf(part, Date.parse(one.day), place), cell)),
    );
    barAreas.push(...pressed);
    shapes.push(...axisShapes(part, weekdays, place, texts), groundOf(part, place), ...drawn);
    height += LINE + 7 * cell + lanes * (BAR + GAP) + GAP * 4;
  }
  shapes.push(...levelShapes(areas));
  return { height, shapes, areas: [...areas, ...barAreas] };
}

/** @param {number} from @param {number} until @param {number} weekStart The start of any week. */
function partOf(from, until, weekStart) {
  const begin = from - (((from - weekStart) % WEEK_MS) + WEEK_MS) % WEEK_MS;
  return {
    from,
    until,
    begin,
    columns: Math.ceil((until - begin) / WEEK_MS),
    has: (/** @type {number} */ day) => day >= from && day < until,
  };
}

/** @type {(part: YearPart, day: number, place: SquarePlace) => Pair} */
function placeOf({ begin }, day, { left, top, cell }) {
  const column = Math.floor((day - begin) / WEEK_MS);
  const row = (day - begin) % WEEK_MS / DAY_MS;
  return [left + column * cell, top + row * cell];
}

/**
 * @param {YearPart} part
 * @param {readonly number[]} weekdays
 * @param {SquarePlace} place
 * @param {YearTexts} texts
 * @returns {ChartShape[]}
 */
function axisShapes({ begin, from, until }, weekdays, { left, top, cell }, texts) {
  const first = new Date(from);
  const months = Array.from(
    { length: 12 },
    (_, month) => Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + month),
  ).filter((time) => time < until);
  return [
    ...months.map((time) =>
      words(
        left + Math.floor((time - begin) / WEEK_MS) * cell,
        top - LINE + LETTER.size,
        texts.month(time),
      )
    ),
    ...weekdays.flatMap((time, row) =>
      NAMED_DAYS.includes(new Date(time).getUTCDay())
        ? [words(0, top + (row + 1) * cell - GAP, texts.weekday(time))]
        : []
    ),
  ];
}

/**
 * All days as one shape, also those without a value.
 * @type {(part: YearPart, place: SquarePlace) => PathShape}
 */
function groundOf(part, place) {
  const days = Array.from({ length: (part.until - part.from) / DAY_MS }, (_, index) => {
    const [x, y] = placeOf(part, part.from + index * DAY_MS, place);
    return square(x, y, place.cell - GAP);
  });
  return groundShape(days.join(""));
}

/** @param {number} x @param {number} y @param {number} side */
function square(x, y, side) {
  const [left, top] = [x, y].map((start) => (start + ROUND).toFixed(1));
  const size = (side - 2 * ROUND).toFixed(1);
  return `M${left} ${top}h${size}v${size}h-${size}z`;
}

/** @param {string} name @param {number} opacity Of the whole, whose parts overlap. */
function squareLook(name, opacity) {
  const colour = "currentColor";
  return { class: name, opacity, fill: colour, stroke: colour, "stroke-width": 2 * ROUND };
}

/** @param {string} d @returns {PathShape} */
function groundShape(d) {
  return { tag: "path", attributes: { d, ...squareLook("quiet", 0.12) } };
}

/** @type {(square: Omit<DaySquare, "day">, place: Pair, side: number) => LevelArea} */
function areaOf(square, [x, y], side) {
  return { ...square, x, y, width: side, height: side };
}

/** The level of a share of the most. @param {number} share */
export function levelOfShare(share) {
  return Math.min(5, Math.max(1, Math.ceil(share * 5)));
}

/**
 * A shape for each level. A higher level has larger squares, in a deeper tone.
 * @param {readonly LevelArea[]} areas
 */
function levelShapes(areas) {
  return [...Map.groupBy(areas, ({ level }) => level)].map(([level, members]) => {
    const d = members.map(({ x, y, width }) => {
      const side = width - GAP;
      const size = side * (0.4 + 0.12 * level);
      return square(x + (side - size) / 2, y + (side - size) / 2, size);
    });
    const look = squareLook("accent deep", 0.5 + 0.1 * level);
    return /** @type {PathShape} */ ({ tag: "path", attributes: { d: d.join(""), ...look } });
  });
}

/**
 * Bars below the squares of their days, a lane for each kind.
 * @param {YearPart} part @param {readonly DayBar[]} bars @param {SquarePlace} place
 */
function barShapes({ begin, from, until }, bars, { left, top, cell }) {
  const x = (/** @type {number} */ time) => left + (time - begin) / WEEK_MS * cell;
  const inside = bars.map((bar) => ({
    ...bar,
    start: Math.max(Date.parse(bar.from), from),
    end: Math.min(Date.parse(bar.until), until),
  })).filter(({ start, end }) => start < end);
  const lanes = [...Map.groupBy(inside, ({ lane }) => lane).values()];
  const pressed = lanes.flatMap((members, index) =>
    members.map((bar) => ({
      ...bar,
      x: x(bar.start),
      y: top + 7 * cell + index * (BAR + GAP),
      width: x(bar.end) - x(bar.start) - GAP,
      height: BAR,
    }))
  );
  const drawn = pressed.flatMap(({ x, y, width, name, short, text }) => {
    const bar = block(x, y, width, BAR, text);
    const label = name.length * LETTER.width > width ? short : name;
    return [
      { ...bar, attributes: { ...bar.attributes, class: "usual" } },
      words(x + 3, y + LETTER.size, cutTo(label, width)),
    ];
  });
  return { lanes: lanes.length, drawn, pressed };
}

/** Below this width, the name is above the squares. */
const MIN_ROW_WIDTH = 480;

const MAX_WEEK = 22;

/**
 * Routines, each with a square for each week and a count, above the first and the last day.
 * @param {readonly RoutineWeeks[]} rows @param {number} width
 * @param {readonly [first: string, last: string]} ends
 * @returns {FigureLayout}
 */
export function weeksLayout(rows, width, [first, last]) {
  const weeks = Math.max(...rows.map(({ weeks }) => weeks.length));
  const count = Math.max(...rows.map(({ count }) => count.length)) * LETTER.width + 8;
  const isWide = width >= MIN_ROW_WIDTH;
  const cell = Math.min(MAX_WEEK, Math.floor((width - count) / weeks));
  const left = isWide ? width - count - weeks * cell : 0;
  const each = (isWide ? cell : cell + LINE) + 4 * GAP;
  /** @type {LevelArea[]} */
  const areas = [];
  const shapes = rows.flatMap(({ name, count, weeks }, index) => {
    const top = index * each + (isWide ? 0 : LINE);
    const foot = top + (cell + LETTER.size) / 2 - GAP;
    const places = weeks.map((_, week) => /** @type {Pair} */ ([left + week * cell, top]));
    areas.push(...weeks.map((week, at) => areaOf(week, places[at] ?? [0, 0], cell)));
    return [
      words(0, isWide ? foot : top - LINE + LETTER.size, cutTo(name, isWide ? left - 8 : width)),
      groundShape(places.map(([x, y]) => square(x, y, cell - GAP)).join("")),
      words(left + weeks.length * cell + 8, foot, count),
    ];
  });
  const done = areas.filter(({ level }) => level > 0);
  const foot = rows.length * each + LETTER.size;
  const axis = [words(left, foot, first), words(left + weeks * cell - GAP, foot, last, "end")];
  return { height: foot + GAP, shapes: [...shapes, ...levelShapes(done), ...axis], areas };
}
