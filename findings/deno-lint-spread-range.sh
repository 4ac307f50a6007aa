#!/usr/bin/env bash
# Deno 2.9.6 (npm), plugins of deno lint: the range of a SpreadElement is its three dots, not the
# dots and the argument as in ESTree. A fix by replaceText(node, text) leaves the argument after the
# new text, and the result can still be valid code with another meaning: `[...["a"]]` becomes
# `["b"["a"]]`. A range from the node's start to its argument's end replaces both.
#   ranges of spread and argument: ... and ["a"]
#   after replaceText: const list = ["b"["a"]];
#   after replaceTextRange: const list = ["b"];
. "$(dirname "$0")/lib.sh"
install_deno 2.9.6
# plugin FIX: a rule with this fix, which reports both ranges.
plugin() {
  echo '{ "lint": { "plugins": ["./plugin.ts"], "rules": { "tags": [] } } }' > deno.json
  cat > plugin.ts << TS
export default {
  name: "try",
  rules: {
    spread: {
      create: (context: Deno.lint.RuleContext) => ({
        SpreadElement(node: Deno.lint.SpreadElement) {
          const ranges = [node.range, node.argument.range];
          const message = ranges.map((range) => context.sourceCode.text.slice(...range)).join(" and ");
          context.report({ node, message, fix: (fixer) => $1 });
        },
      }),
    },
  },
};
TS
  echo 'const list = [...["a"]];' > list.ts
  "$deno" lint list.ts > seen.txt 2>&1 || true
  "$deno" lint --fix list.ts > /dev/null 2>&1 || true
}
plugin "fixer.replaceText(node, '\"b\"')"
observe "ranges of spread and argument" '... and ["a"]' "$(sed -n 's/^error\[try.spread\]: //p' seen.txt)"
observe "after replaceText" 'const list = ["b"["a"]];' "$(cat list.ts)"
plugin "fixer.replaceTextRange([node.range[0], node.argument.range[1]], '\"b\"')"
observe "after replaceTextRange" 'const list = ["b"];' "$(cat list.ts)"
