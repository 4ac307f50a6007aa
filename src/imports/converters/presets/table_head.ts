import { type Header, widthOf } from "../csv_header.ts";
import { type CsvRow, isEmptyRow } from "../csv_rows.ts";

/** A name of a column without case and blanks at its ends. */
export function comparedName(name: string): string {
  return name.trim().toLowerCase();
}

/** The header of a table and its first rows. */
export class TableHead {
  readonly delimiter: string;
  /** At which the header begins. */
  readonly line: number;
  /** The names of the columns as written, without empty ones at the end. */
  readonly labels: readonly string[];
  /** True if an empty name ends the header. */
  readonly hasEmptyEnd: boolean;
  /** The first rows of the file, also those before the header. Only `knows` may use them. */
  readonly rows: readonly CsvRow[];
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #header: Header;

  constructor(header: Header, rows: readonly CsvRow[]) {
    const { delimiter, line, names, named } = header;
    this.#header = header;
    this.delimiter = delimiter;
    this.line = line;
    this.labels = names.slice(0, named);
    this.hasEmptyEnd = names.length > named;
    this.rows = rows;
    this.#indexes = new Map(this.labels.map((name, index) => [comparedName(name), index]));
  }

  /** Without the first rows, which need memory. */
  withoutRows(): TableHead {
    return new TableHead(this.#header, []);
  }

  /** The position of a column; -1 without it. */
  indexOf(name: string): number {
    return this.#indexes.get(comparedName(name)) ?? -1;
  }

  has(...names: readonly string[]): boolean {
    return names.every((name) => this.#indexes.has(comparedName(name)));
  }

  /** The first rows after the header. */
  get firstRows(): readonly CsvRow[] {
    return this.rows.filter((row) => row.line > this.line && !isEmptyRow(row));
  }
}

/** The head of rows after a row with their names, in the midst of a table. */
export function rowHead({ line, cells }: CsvRow, delimiter: string): TableHead {
  return new TableHead({ delimiter, line, names: cells, named: widthOf(cells) }, []);
}
