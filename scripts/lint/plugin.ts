/** Rules of this project for `deno lint`, on the syntax tree. */

import { literalSpread } from "./literal_spread.ts";
import { restatedName } from "./restated_name.ts";

export default {
  name: "records",
  rules: { "literal-spread": literalSpread, "restated-name": restatedName },
} satisfies Deno.lint.Plugin;
