/** The cases of `import_cases/`: files as people have them, with the right result of each. */

import { sharedWorld } from "../support/world.ts";
import { defineCases } from "./import_cases.ts";

defineCases(new URL("./import_cases/", import.meta.url), sharedWorld());
