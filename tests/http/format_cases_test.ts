/** The cases of `format_cases/`: files of each format in the form that its program exports. */

import { sharedWorld } from "../support/world.ts";
import { defineCases } from "./import_cases.ts";

defineCases(new URL("./format_cases/", import.meta.url), sharedWorld());
