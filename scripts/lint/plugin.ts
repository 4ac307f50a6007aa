/** Rules of this project for `deno lint`, on the syntax tree. */

import { commentWidth } from "./comment_width.ts";
import { literalSpread } from "./literal_spread.ts";
import { restatedName } from "./restated_name.ts";

export default {
  name: "records",
  rules: {
    "comment-width": commentWidth,
    "literal-spread": literalSpread,
    "restated-name": restatedName,
  },
} satisfies Deno.lint.Plugin;
