/** Writes `src/console/files.ts`, which names every file of the console; a test compares the two. */

import { consoleFiles } from "./console_files.ts";

await Deno.writeTextFile("src/console/files.ts", await consoleFiles());
