/** Subjects on the command line. */

import { isUlid } from "../../core/ids.ts";

/** Maximum subjects of a plan. */
const MAX_SUBJECTS = 500;

export const SUBJECT_OPTIONS = ["record", "person", "memory", "attachment", "account"] as const;
export type SubjectOption = (typeof SUBJECT_OPTIONS)[number];

export interface NamedSubject {
  readonly option: SubjectOption;
  /** Empty for the account. */
  readonly id: string;
}

/** Joins subjects to one text, such as `record:01K…,account:`. */
export function writeSubjects(named: readonly NamedSubject[]): string {
  return named.map(({ option, id }) => `${option}:${id}`).join();
}

/** Returns null if a subject is invalid, too many are named, or an account is not alone. */
export function readSubjects(text: string): readonly NamedSubject[] | null {
  const named = text.split(",").map((each) => {
    const [option = "", id = ""] = each.split(":");
    return { option: option as SubjectOption, id };
  });
  const areValid = named.every(({ option, id }) =>
    SUBJECT_OPTIONS.includes(option) && (option === "account" ? id === "" : isUlid(id))
  );
  const isAlone = named.length === 1 || named.every(({ option }) => option !== "account");
  return areValid && isAlone && named.length <= MAX_SUBJECTS ? named : null;
}
