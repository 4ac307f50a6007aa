/** Reads jobs from its input, and answers each, one JSON line each. */

import { writeAll } from "../../src/core/files.ts";
import { linesOf } from "./lines.ts";
import type { LoadJob, WorkerAnswer } from "./load.ts";
import { runLoad } from "./load_run.ts";

for await (const line of linesOf(Deno.stdin.readable)) {
  const answer = await answerTo(JSON.parse(line));
  await writeAll(Deno.stdout, new TextEncoder().encode(JSON.stringify(answer) + "\n"));
}

async function answerTo(job: LoadJob): Promise<WorkerAnswer> {
  try {
    return { result: await runLoad(job) };
  } catch (error) {
    return { failure: String(error) };
  }
}
