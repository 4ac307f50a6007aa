import { assert, assertEquals } from "@std/assert";
import { CATALOG } from "../../../src/catalog/catalog.ts";
import { LANGUAGES } from "../../../src/console/web/core/base/language.js";
import { label, labelOfOne, setLabels } from "../../../src/console/web/core/names.js";
import { choices } from "../../../src/console/web/pages/credentials/tokens.js";
import { TEXTS } from "../../../src/console/web/pages/decisions/decision.js";
import { FIELDS } from "../../../src/console/web/pages/profile.js";
import { PERMISSIONS, ROLE_IDS } from "../../../src/access/permissions.ts";
import { DUE_KINDS } from "../../../src/due/due.ts";
import { DETAILS } from "../../../src/due/feed.ts";
import { DATE_WORDS } from "../../../src/families/relationship/detail_value.ts";
import { CHANGES } from "../../../src/records/record.ts";
import { chapter } from "../../support/chapters.ts";

const fields = CATALOG.modules.flatMap((module) => module.fields);
const names = new Set([
  ...CATALOG.modules.flatMap(({ code, group }) => [code, group]),
  ...fields.flatMap((field) => [field.name, ...("options" in field ? field.options ?? [] : [])]),
  "title",
  "summary",
  ...CHANGES,
  ...Object.keys(ROLE_IDS),
  "SESSION",
  "TOKEN",
  "ADMIN",
  "SYSTEM",
  "CALENDAR",
  ...DUE_KINDS,
  ...DATE_WORDS,
  ...DETAILS,
  ...[...choices(PERMISSIONS)].flatMap(([area, held]) => [
    area,
    ...held.map(({ act }) => act),
  ]),
]);

Deno.test("Every language except English, which derives them, has a label for each name", async () => {
  for (const code of Object.keys(LANGUAGES)) {
    if (code === "en") continue;
    const { default: table } = await import(
      `../../../src/console/web/lang/${code}/labels/index.js`
    );
    const missing = [...names].filter((name) => !Object.hasOwn(table, name));
    assertEquals(missing, [], code);
    setLabels(table);
    for (const name of names) assertEquals(label(name), table[name]);
    for (const text of Object.values<string>(table)) assert(/^\p{Lu}/u.test(text), text);
  }
  setLabels(null);
});

Deno.test("Every language except English has a title for each feature", async () => {
  for (const code of Object.keys(LANGUAGES)) {
    if (code === "en") continue;
    const { default: titles } = await import(`../../../src/console/web/lang/${code}/features.js`);
    const counts = Object.entries<string[]>(titles).map(([module, own]) => [module, own.length]);
    assertEquals(counts, CATALOG.modules.map(({ code, features }) => [code, features.length]));
  }
});

Deno.test("No label is the name of an identifier, and a new record has the name of one", async () => {
  setLabels(null);
  for (const name of names) {
    assert(!/ (ids?|at|refs|days|seconds)$/i.test(label(name)), label(name));
  }
  const ones = CATALOG.modules.map(({ code }) => labelOfOne(code));
  assert(!ones.some((text) => /^(Health|Legacy|.*[^s]s)$/.test(text)), ones.join());
  const { default: german } = await import("../../../src/console/web/lang/de/labels/index.js");
  const table: Readonly<Record<string, string>> = german;
  for (const { code } of CATALOG.modules) assert(Object.hasOwn(table, `${code}.one`), code);
});

Deno.test("English labels are words", () => {
  setLabels(null);
  for (const name of names) assert(/^[A-Z][A-Za-z -]*$/.test(label(name)), name);
  assertEquals(["ai-agent", "commitmentType", "IN_PROGRESS", "Self and identity"].map(label), [
    "AI sessions",
    "Commitment type",
    "In progress",
    "Self and identity",
  ]);
});

Deno.test("Pages that do not request the catalog know the fields that they show", () => {
  const inCatalog = (code: string) =>
    CATALOG.modules.find((module) => module.code === code)?.fields
      .map(({ name, edit, sensitive }) => ({ name, edit, sensitive })) ?? [];
  assertEquals(
    FIELDS.map(({ name, edit, sensitive }) => ({ name, edit, sensitive })),
    inCatalog("identity"),
  );
  const texts = inCatalog("decision").filter(({ edit }) => edit === "textarea")
    .filter(({ name }) => name !== "question");
  assertEquals(texts.filter(({ sensitive }) => !sensitive).map(({ name }) => name), TEXTS);
  const ofHead = ["question", "options", "chosenOption", "decidedAt", "reviewAt", ...TEXTS];
  assertEquals(inCatalog("decision").map(({ name }) => name).sort(), ofHead.sort());
});

/** Fields of request bodies whose values no page shows, or with words of its own. */
const UNSHOWN = [
  "decision",
  "sensitive",
  "signIn.program",
  "purpose",
  "format",
  "dataset",
  "conflictMode",
  "order",
  "left.kind",
  "right.kind",
];

Deno.test("Every option that a request can have has a label in every language", async () => {
  const contract: readonly string[] = JSON.parse(chapter("tests/http/contract.snapshot.json"));
  const option = /^(?:POST|PUT|PATCH) \/api\/v2\/(\S+) body\.(\S+): "([A-Z_]+)"$/;
  const options = contract.flatMap((line) => {
    const [, path = "imports/", field = "", value = ""] = option.exec(line) ?? [];
    // Mappings of imports have words of their own.
    const isShown = !path.startsWith("imports/") && !UNSHOWN.includes(field) &&
      !path.endsWith("/control");
    return isShown ? [value] : [];
  });
  assert(options.length > 100, `${options.length} options`);
  for (const code of Object.keys(LANGUAGES).filter((code) => code !== "en")) {
    const { default: table } = await import(
      `../../../src/console/web/lang/${code}/labels/index.js`
    );
    assertEquals(options.filter((value) => !Object.hasOwn(table, value)), [], code);
  }
});

/** RFC 6350, except those without a meaning for people. */
const CARD_TYPES = "home work text voice fax cell video pager textphone".split(" ");
const RELATED = ("contact acquaintance friend met co-worker colleague co-resident neighbor child " +
  "parent sibling spouse kin muse crush date sweetheart me agent emergency").split(" ");

Deno.test("Types and relations of cards have words", async () => {
  const source = await Deno.readTextFile("src/imports/converters/vcard_variants.ts");
  const [, list = ""] = /const RELATIONS[^=]*= \[([^\]]*)\]/.exec(source) ?? [];
  const android = Array.from(list.matchAll(/"([^"]+)"/g), ([, word = ""]) => word);
  assert(android.length > 10);
  const names = [
    ...CARD_TYPES.map((type) => `type.${type}`),
    ...[...RELATED, ...android].map((relation) => `relation.${relation}`),
  ];
  for (const code of Object.keys(LANGUAGES)) {
    const { default: people } = await import(`../../../src/console/web/lang/${code}/people.js`);
    assertEquals(names.filter((name) => !Object.hasOwn(people, name)), [], code);
  }
});
