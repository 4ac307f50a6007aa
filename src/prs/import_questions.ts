/** The possible duplicates of a plan, and how a mapping answers them. */

import { type Client, Refusal } from "../client/mod.ts";
import type { ImportQuestion, PersonDetail } from "../client/wire.ts";
import { note, printable } from "./terminal.ts";

/** A card of the file, or a person. */
interface Other {
  readonly name: string;
  readonly texts: readonly string[];
  /** The answer that joins it; null if it cannot be joined. */
  readonly answer: string | null;
}

/** People shown for an item. */
const MAX_PEOPLE = 10;

/** Shows the first 50 items, the values that each shares with others, and its answers. */
export async function showQuestions(client: Client, importId: string): Promise<void> {
  const path = { importId };
  const { data } = await client.call("import.sample", { path });
  const questions = new Map(data.questions.map((each) => [each.place, each]));
  const query = { outcome: "POSSIBLE_DUPLICATE", limit: 50 } as const;
  for await (
    const { place, key, target, matches: all = [] } of client.each("import.items", { path, query })
  ) {
    const question = questions.get(place);
    if (question === undefined) break;
    note(`Perhaps here already: ${printable(question.title)}`);
    const matches = all.slice(0, MAX_PEOPLE);
    const people = await Promise.all(matches.map((personId) => readPerson(client, personId)));
    const isJoinable = target === "person" && matches.length === 0;
    const others = [...people, ...earlierCard(question, isJoinable)];
    for (const other of others) {
      note(`  ${printable(other.name)}${sharedText(question, other)}`);
    }
    const joins = others.flatMap(({ answer }) => answer ?? []);
    note(`  ${JSON.stringify(key)}: ${[...joins, "new", "leave"].join(", ")}`);
  }
  note('Answers in the file of --mapping: {"duplicates": {"KEY": "ANSWER"}}');
}

/** With its identifier as name, and without texts, if the token may not read it. */
async function readPerson(client: Client, personId: string): Promise<Other> {
  const path = { personId };
  const answer = `join:${personId}`;
  try {
    const { data } = await client.call("relationship.person.detail", { path });
    const details = await Array.fromAsync(client.each("relationship.detail.list", { path }));
    const isOpen = data.status === "ACTIVE" || data.status === "PAUSED";
    return {
      name: `${data.personName} (${personId})`,
      texts: textsOf(details),
      answer: isOpen ? answer : null,
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { name: personId, texts: [], answer };
  }
}

function earlierCard({ earlier }: ImportQuestion, isJoinable: boolean): Other[] {
  if (earlier === null) return [];
  const name = `${earlier.title} (earlier in the file)`;
  return [{ name, texts: textsOf(earlier.details), answer: isJoinable ? "join" : null }];
}

/** Emails and numbers. */
function textsOf(
  details: readonly Pick<PersonDetail | ImportQuestion["details"][number], "kind" | "value">[],
): string[] {
  return details.flatMap(({ kind, value }) => {
    const isCompared = kind === "PHONE" || kind === "EMAIL";
    return isCompared && value !== null && "value" in value ? [String(value.value)] : [];
  });
}

function sharedText({ details }: ImportQuestion, { texts }: Other): string {
  const forms = new Set(texts.map(comparedForm));
  const shared = textsOf(details).filter((text) => forms.has(comparedForm(text)));
  return shared.length === 0 ? "" : `: ${printable(shared.join(", "))}`;
}

/** Equal numbers end with the same seven digits. */
function comparedForm(text: string): string {
  return text.includes("@") ? text.trim().toLowerCase() : text.replaceAll(/\D/g, "").slice(-7);
}
