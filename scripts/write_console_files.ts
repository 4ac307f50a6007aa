/** Writes `src/console/files.ts`; a test compares the two. */

import { consoleFiles } from "./console_files.ts";

await Deno.writeTextFile("src/console/files.ts", await consoleFiles());
