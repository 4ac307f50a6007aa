/** Rules of this project for `deno lint`, on the syntax tree. */

import { literalSpread } from "./literal_spread.ts";

export default {
  name: "records",
  rules: { "literal-spread": literalSpread },
} satisfies Deno.lint.Plugin;
