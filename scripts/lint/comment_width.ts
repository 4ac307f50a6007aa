/** The formatter's line width (`fmt.lineWidth` of deno.json). It does not wrap comments. */
const LINE_WIDTH = 100;

/**
 * Finds lines of comments that are wider than the formatter's lines. Directives, and comments after
 * code in a table, cannot be broken.
 */
export const commentWidth: Deno.lint.Rule = {
  create: (context) => ({
    Program() {
      const { text } = context.sourceCode;
      for (const { range, value } of context.sourceCode.getAllComments()) {
        if (/^ (?:deno-|engines:)/.test(value)) continue;
        const start = text.lastIndexOf("\n", range[0]) + 1;
        const isAfterCode = text.slice(start, range[0]).trim() !== "";
        const lines = text.slice(start, range[1]).split("\n");
        if (isAfterCode || lines.every((line) => line.length <= LINE_WIDTH)) continue;
        context.report({
          range,
          message: `A comment wider than ${LINE_WIDTH} columns`,
          hint: "Wrap it by hand, or shorten it",
        });
      }
    },
  }),
};
