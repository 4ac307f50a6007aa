/**
 * Finds one-line doc comments whose words are all in the names below them, such as `The email.`
 * above `email`. They cost a line and add nothing.
 */
export const restatedName: Deno.lint.Rule = {
  create: (context) => ({
    Program() {
      const { text } = context.sourceCode;
      for (const comment of context.sourceCode.getAllComments()) {
        if (comment.type !== "Block" || !comment.value.startsWith("*")) continue;
        const description = comment.value.slice(1).trim();
        if (/[@`\d\n]/.test(description)) continue;
        const { range } = comment;
        const names = `${context.filename.split("/").at(-1)} ${containerOf(text, range[0])} ${
          declarationAfter(text, range[1])
        }`;
        if (!isRestated(description, names)) continue;
        context.report({
          range,
          message: "A doc comment that restates the name",
          hint: "Delete it, or write its unit, limit, shape or reason",
        });
      }
    },
  }),
};

/** The signature after a comment: its name, parameters and types. */
function declarationAfter(text: string, end: number): string {
  return /\S[^{;=]*/.exec(text.slice(end))?.[0] ?? "";
}

/** The name of the type or class around an indented comment; empty if it is not indented. */
function containerOf(text: string, start: number): string {
  if (text[start - 1] === "\n" || start === 0) return "";
  const containers = text.slice(0, start).matchAll(/^(?:export )?(?:interface|class|type) (\w+)/gm);
  return [...containers].at(-1)?.[1] ?? "";
}

/** Articles, auxiliaries, prepositions, and verbs that a name implies. */
const EMPTY_WORDS = new Set(
  ("a an the of for to in on at by from with as and or is are be its this that it their whose " +
    "returns return gets get reads makes creates builds defines contains holds has have if true " +
    "all each every one new given current").split(" "),
);

/** True if each word of the description is empty or part of a name. */
function isRestated(description: string, declared: string): boolean {
  const names = new Set(wordsOf(declared));
  const words = wordsOf(description).filter((word) => !EMPTY_WORDS.has(word));
  return words.length > 0 && words.every((word) => names.has(word));
}

/** The words of a text, with those of camelCase names apart, without endings. */
function wordsOf(text: string): string[] {
  return (text.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase().match(/[a-z]+/g) ?? [])
    .map(stemOf);
}

function stemOf(word: string): string {
  return EMPTY_WORDS.has(word) ? word : word.replace(/(?:ies|es|s|ed|ing|er|or|e|y)$/, "");
}
