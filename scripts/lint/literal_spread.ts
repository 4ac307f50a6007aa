/**
 * Finds spreads of a literal (`...{ a }` in an object, `...["a"]` in an array or a call). They keep
 * several members on one line, which is the formatter's decision. `deno lint --fix` writes the
 * members in place.
 */
export const literalSpread: Deno.lint.Rule = {
  create: (context) => ({
    SpreadElement(node) {
      const literal = literalOf(node.argument);
      const inObject = node.parent.type === "ObjectExpression";
      if (literal === null || inObject !== (literal.type === "ObjectExpression")) return;
      context.report({
        node,
        message: "A spread of a literal",
        hint: "Write its members in place",
        // The range of a spread in an array is that of its dots.
        fix: (fixer) =>
          fixer.replaceTextRange(
            [node.range[0], node.argument.range[1]],
            membersOf(context.sourceCode.getText(literal)),
          ),
      });
    },
  }),
};

type Literal = Deno.lint.ObjectExpression | Deno.lint.ArrayExpression;

/** The literal, also below `as const`. Below another type, the spread is needed for the type. */
function literalOf(node: Deno.lint.Expression): Literal | null {
  if (node.type === "TSAsExpression") return isConst(node) ? literalOf(node.expression) : null;
  return node.type === "ObjectExpression" || node.type === "ArrayExpression" ? node : null;
}

function isConst({ typeAnnotation: type }: Deno.lint.TSAsExpression): boolean {
  return type.type === "TSTypeReference" && type.typeName.type === "Identifier" &&
    type.typeName.name === "const";
}

function membersOf(literal: string): string {
  return literal.slice(1, -1).trim().replace(/,$/, "");
}
