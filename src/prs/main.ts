/** The entry point of the command `prs`. */

import { runPrs } from "./prs.ts";

Deno.exit(await runPrs(Deno.args));
