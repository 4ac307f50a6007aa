/** Comparison of a generated text with the file that a task writes. */

import { AssertionError } from "@std/assert";

const MAX_SHOWN = 20;

/**
 * Compares a text with a file that `deno task snapshot` writes.
 *
 * @throws AssertionError with the lines that differ, by their numbers, and the command.
 */
export function assertSnapshot(path: string, present: string, written: string): void {
  if (present === written) return;
  const [now, before] = [present.split("\n"), written.split("\n")];
  const gone = linesWithout(before, now).map((line) => `- ${line}`);
  const added = linesWithout(now, before).map((line) => `+ ${line}`);
  const lines = [...shown(gone), ...shown(added)];
  const difference = lines.length > 0 ? lines : ["The lines are the same in another order."];
  const error = new AssertionError(
    [`${path} differs. If you meant to change it: deno task snapshot`, ...difference].join("\n"),
  );
  // The stack leads to this comparison only.
  error.stack = `${error.name}: ${error.message}`;
  throw error;
}

/** The lines that the other text does not have, or has less often, as `number: line`. */
function linesWithout(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.flatMap((line, index) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count > 0 ? [] : [`${index + 1}: ${line}`];
  });
}

function shown(lines: readonly string[]): readonly string[] {
  if (lines.length <= MAX_SHOWN) return lines;
  return [...lines.slice(0, MAX_SHOWN), `… and ${lines.length - MAX_SHOWN} more`];
}
