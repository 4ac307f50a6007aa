/** A sentence for every rule of the service, in every language. */

import { assert, assertEquals } from "@std/assert";
import { isPermission } from "../../../src/access/permissions.ts";
import { FIELD_LIMITS } from "../../../src/catalog/field_types.ts";
import { LANGUAGES } from "../../../src/console/web/core/base/language.js";
import { sharedName } from "../../../src/console/web/fields/refusals.js";
import { LENGTHS } from "../../../src/console/web/pages/draft_form/catalog_fields.js";
import { ledgers } from "../../../src/console/web/pages/people_entries/ledgers.js";
import { partOf } from "../../../src/console/web/pages/profile.js";
import { chapter } from "../../support/chapters.ts";
import { filesUnder } from "../../support/attachments.ts";

/** A quoted name of the form of a rule's. */
const NAME = /"([a-zA-Z_]+\.[a-z_0-9]+)"/g;
const COMMENT = /\/\*[^]*?\*\/|^\s*\/\/.*$/gm;
/** The console's texts, and programs in addition to the service. */
const OTHER_FOLDERS = /^(?:console|prs|operator\/(?:seed|config|erasure))\//;
/** Names of other things than rules. */
const OTHERS: readonly RegExp[] = [
  // Operations of the audit trail that no route has.
  /^(?:import\.(?:item|move|original)|legacy\.import|proposal\.create)$/,
  // Types of ceremonies, and a key of the protocol of assistants.
  /^webauthn\.(?:create|get)$|^io\.modelcontextprotocol$/,
  // Files.
  /\.(?:csv|json|jsonl|markdown|md|svg|tgz|txt|vcf)$/,
];

/** By rule, the files that name it. */
async function rulesOfService(): Promise<Map<string, string>> {
  const routes = await Deno.readTextFile("src/routes.ts");
  const operations = new Set([...routes.matchAll(NAME)].map(([, name]) => name));
  const rules = new Map<string, string>();
  for (const path of await filesUnder("src")) {
    if (!path.endsWith(".ts") || OTHER_FOLDERS.test(path)) continue;
    const text = (await Deno.readTextFile(`src/${path}`)).replace(COMMENT, "");
    for (const [, name = ""] of text.matchAll(NAME)) {
      const isOther = operations.has(name) || isPermission(name) ||
        OTHERS.some((form) => form.test(name));
      if (!isOther) rules.set(name, path);
    }
  }
  return rules;
}

/** The sentences that pages with forms load, those of imports included. */
async function sentencesIn(language: string): Promise<Readonly<Record<string, string>>> {
  const web = "../../../src/console/web/lang";
  const { default: shell } = await import(`${web}/${language}.js`);
  const account = ["account/index", "account/sign_in"];
  const areas = ["records/index", ...account, "imports", "import_rules", "rules"];
  const tables = await Promise.all(
    areas.map(async (area) => (await import(`${web}/${language}/${area}.js`)).default),
  );
  return Object.assign({}, shell.sentences, ...tables);
}

Deno.test("Every rule of the service has a sentence in every language", async () => {
  const rules = await rulesOfService();
  assert(rules.size > 280, `${rules.size} rules`);
  for (const language of Object.keys(LANGUAGES)) {
    const sentences = await sentencesIn(language);
    const wordless = [...rules].filter(([rule]) =>
      ![rule, `leftOut.${rule}`, sharedName(rule) ?? ""].some((name) => sentences[name])
    );
    assertEquals(wordless, [], language);
  }
});

Deno.test("Every sentence of the rules is that of a rule, or shared by some", async () => {
  const { default: sentences } = await import("../../../src/console/web/lang/en/rules.js");
  const rules = [...(await rulesOfService()).keys()];
  const used = new Set([...rules, ...rules.map(sharedName), "field.length.most"]);
  assertEquals(Object.keys(sentences).filter((name) => !used.has(name)), []);
});

Deno.test("The lengths of fields without their own are the service's", () => {
  const { textLength: text, textareaLength: textarea } = FIELD_LIMITS;
  assertEquals(LENGTHS, { text, textarea });
});

Deno.test("Fields that the catalog does not describe have the service's lengths", () => {
  const contract = chapter("tests/http/contract.snapshot.json");
  const lists = [
    ...Object.entries(ledgers()).map(([name, { fields }]) =>
      [`relationship/people/{personId}/${name}`, fields] as const
    ),
    ...["stages", "roles", "snapshots"].map((name) =>
      [`identity/${name}`, partOf(name)?.fields ?? []] as const
    ),
  ];
  for (const [path, fields] of lists) {
    for (const { name, edit, maximumLength } of fields) {
      // An identifier, which has no length of its own.
      if (!Object.hasOwn(LENGTHS, edit) || name === "sourceRef") continue;
      const stated = `POST /api/v2/${path} body.${name}: string maxLength=`;
      assert(contract.includes(`${stated}${maximumLength ?? LENGTHS[edit]}`), stated);
    }
  }
});
