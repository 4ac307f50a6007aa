import { AccountMovedError, Refusal, Unreachable } from "../client/mod.ts";
import { CommandError, EXIT } from "./failures.ts";
import { note } from "./terminal.ts";

/** Details of a refusal that name a reason. */
const NAMED = ["fields", "rules", "looksLike"];

/** Prints why a command fails, in one line that contains no secret, and returns the exit code. */
export function showFailure({ isJson }: { readonly isJson: boolean }, error: unknown): number {
  if (error instanceof AccountMovedError) {
    const { code, status, requestId, movedTo } = error;
    const line = `The account has moved to ${movedTo}. Sign in there: prs login ${movedTo}`;
    note(isJson ? JSON.stringify({ error: { code, status, requestId, movedTo } }) : line);
    return EXIT.signIn;
  }
  if (error instanceof Refusal) {
    const { code, status, requestId, details } = error;
    const named = requestId === null ? "" : ` request ${requestId}`;
    const line = error.message + NAMED.map((name) => namesOf(name, details[name])).join("") + named;
    note(isJson ? JSON.stringify({ error: { code, status, requestId } }) : line);
    if (status === 401) return EXIT.signIn;
    return code === "REVISION_CONFLICT" ? EXIT.conflict : EXIT.refused;
  }
  if (error instanceof Unreachable) {
    note(error.message);
    return EXIT.unreachable;
  }
  if (error instanceof CommandError) {
    if (error.message !== "") note(error.message);
    return error.exitCode;
  }
  // Invalid input, such as an empty ID.
  if (error instanceof RangeError) {
    note(error.message);
    return EXIT.usage;
  }
  // The message of any other error may contain a value.
  note(`Failed: ${error instanceof Error ? error.name : "unknown"}`);
  return EXIT.refused;
}

function namesOf(name: string, names: unknown): string {
  return Array.isArray(names) && names.length > 0 ? ` ${name} ${names.join(", ")}` : "";
}
