/** Writes `src/console/files.ts` and the import formats of the console; tests compare them. */

import { CONVERTERS } from "../src/imports/converters/converters.ts";
import { consoleFiles } from "./console_files.ts";
import { consoleFormats } from "./import_formats.ts";

const FORMATS = "src/console/web/logic/import_formats.js";

await Deno.writeTextFile(FORMATS, consoleFormats(CONVERTERS));
await Deno.writeTextFile("src/console/files.ts", await consoleFiles());
