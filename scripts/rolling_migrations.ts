/**
 * Checks that a schema step keeps the previous release working during a rollout.
 *
 * It reads text. `deno task test:upgrade` finds other problems, such as a trigger that rejects
 * formerly valid rows.
 */

/** Break the previous release if they change an existing table. */
const BREAKING: readonly (readonly [RegExp, string])[] = [
  [/\bdrop table\b|\bdrop (?:materialized )?view\b/, "takes away a table"],
  [/\bdrop column\b/, "takes away a column"],
  [/\brename\b/, "gives something another name"],
  [/\balter column \w+ (?:set data )?type\b/, "changes the type of a column"],
  [/\balter column \w+ (?:set not null|drop default)\b/, "asks for a value that was not needed"],
  [
    /\badd column\b(?=[^,;]*\bnot null\b)(?![^,;]*\b(?:default|generated)\b)/,
    "asks for a new value",
  ],
  [/\bcreate unique index\b/, "refuses what was taken"],
];
/**
 * The previous release calls functions: they stay, and `create or replace` must keep their meaning.
 */
const DROPPED_FUNCTION = /\bdrop (?:function|procedure)\b/;
const ADDED_CONSTRAINT = /\badd constraint (\w+)/g;

/** Why a step cannot run during a rollout. */
export function rollingProblems(sql: string): string[] {
  const statements = withoutComments(sql).toLowerCase().split(";")
    .map((statement) => statement.replaceAll(/\s+/g, " ").trim());
  const made = new Set(
    statements.flatMap((statement) =>
      /^create table (?:if not exists )?(\w+)/.exec(statement)?.[1] ?? []
    ),
  );
  return statements.flatMap((statement) => problemsOf(statement, made));
}

function problemsOf(statement: string, made: ReadonlySet<string>): string[] {
  const [, table = ""] =
    /^(?:alter table(?: if exists)?(?: only)?|create unique index \w+ on) (\w+)/.exec(statement) ??
      [];
  if (made.has(table)) return [];
  const found = BREAKING.filter(([pattern]) => pattern.test(statement)).map(([, why]) => why);
  if (DROPPED_FUNCTION.test(statement)) found.push("takes away a function");
  if (table !== "") {
    const added = Array.from(statement.matchAll(ADDED_CONSTRAINT), ([, name = ""]) => name);
    const own = added.filter((name) => !isInPlaceOfOthers(statement, name));
    if (own.some((name) => !isOfNewColumns(statement, name))) found.push("refuses what was taken");
  }
  return found.map((why) => `${why}: ${statement.slice(0, 80)}`);
}

/**
 * True if a constraint replaces one of the same name, such as a growing list, or the statement
 * drops several others for it.
 */
function isInPlaceOfOthers(statement: string, constraint: string): boolean {
  const isCheck = statement.includes(`add constraint ${constraint} check`);
  const dropped = statement.match(/\bdrop constraint\b/g) ?? [];
  return statement.includes(`drop constraint ${constraint}`) || (isCheck && dropped.length > 1);
}

/** True if a check names a column that the statement adds: older rows have no value. */
function isOfNewColumns(statement: string, constraint: string): boolean {
  const columns = Array.from(statement.matchAll(/\badd column (\w+)/g), ([, name = ""]) => name);
  const [, check = ""] = new RegExp(`add constraint ${constraint} check (.*)`).exec(statement) ??
    [];
  return columns.some((column) => new RegExp(`\\b${column}\\b`).test(check));
}

function withoutComments(sql: string): string {
  return sql.replaceAll(/--.*$/gm, "");
}
