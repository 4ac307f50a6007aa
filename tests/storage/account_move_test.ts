// engines: postgres
/** Moving an account by the operator's commands. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { ulid } from "@std/ulid";
import { dirname } from "node:path";
import { parseArguments, readCommand } from "../../src/operator/admin/command.ts";
import { runAdminCommand } from "../../src/operator/admin/run.ts";
import { resetPassword } from "../../src/accounts/administration.ts";
import { freezeAccount, unfreezeAccount } from "../../src/accounts/moving.ts";
import { PasswordHasher } from "../../src/accounts/password_hasher.ts";
import { sealTrails } from "../../src/audit/sealing.ts";
import { verifyTrails } from "../../src/audit/verify.ts";
import { CATALOG } from "../../src/catalog/catalog.ts";
import { purgeEnvelopes } from "../../src/command/retention.ts";
import type { Database } from "../../src/database/database.ts";
import { migrate } from "../../src/database/migrate.ts";
import { MIGRATIONS } from "../../src/database/migration_files.ts";
import {
  extendLease,
  failAttempt,
  giveBack,
  LEASE_MS,
  leaseProposals,
} from "../../src/families/relationship/evaluation_work.ts";
import { sha256Hex } from "../../src/core/digest.ts";
import { manifestLine } from "../../src/portability/json_lines.ts";
import { buildIndex } from "../../src/search/build.ts";
import { restartBuild } from "../../src/search/build_store.ts";
import { AUTH, givePassword, PASSWORD } from "../http/access.ts";
import { exportAccount } from "../http/account.ts";
import { CHANGES, follow, readChanges } from "../http/changes.ts";
import { claim, propose } from "../families/relationship/evaluation.ts";
import { look, newSlug, published } from "../families/identity/public.ts";
import { assertFailure, COMMITMENT, COMMITMENTS, pathOf } from "../http/kernel.ts";
import { createPerson } from "../families/relationship/api.ts";
import { enrol } from "../http/second_factor.ts";
import { filesUnder, putThumbnail, uploaded } from "../support/attachments.ts";
import { type Caller, callerOf, CHEAP_COST, createWorld, type World } from "../support/world.ts";
import { emptyDatabases } from "./empty_database.ts";
import { emailOf, eventContextOf, refusalOf, servicesOf } from "./operator.ts";
import { AT, insertInto, newAccount } from "./rows.ts";
import { fillAccount } from "./whole_account.ts";

const OTHER_SECRET = new TextEncoder().encode("the secret of another installation");

const openEmpty = emptyDatabases();

const FILE = "account.jsonl";
const NEW_ADDRESS = "https://new.example";

function pathIn(world: World, file = FILE): string {
  return `${dirname(world.objectFolder)}/${file}`;
}

async function say(world: World, words: string, caller: Caller, ...more: string[]) {
  const line = [...words.split(" "), "--email", emailOf(caller), ...more];
  const command = readCommand(parseArguments(line).given);
  return (await runAdminCommand(servicesOf(world), command)).join("\n");
}

async function filesIn(world: World): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(dirname(world.objectFolder)));
  return entries.filter(({ isFile }) => isFile).map(({ name }) => name).sort();
}

async function carry(from: World, to: World): Promise<void> {
  await Deno.copyFile(pathIn(from), pathIn(to));
}

/** Signs in with the moved password. */
async function signIn(world: World, caller: Caller): Promise<Caller> {
  const body = { email: emailOf(caller), password: PASSWORD, transport: "bearer" };
  const { status, text, body: { data } } = await world.call("POST", `${AUTH}/login`, { body });
  assertEquals(status, 200, text);
  const { session: { sessionId }, accessToken: secret } = data;
  return callerOf(world.app, { accountId: caller.accountId, sessionId, secret });
}

Deno.test("Account moves completely, to the byte, and is writable on one side at a time", async () => {
  await using from = await createWorld();
  await using to = await createWorld({ serverSecret: OTHER_SECRET });
  const owner = await from.createCaller();
  await givePassword(from, owner);
  await fillAccount(from, owner);
  const slug = newSlug();
  await published(from, owner, { slug, fields: ["displayName"] });
  await exportAccount(from, owner);
  const sent = { key: "a-key", body: { title: "A", payload: COMMITMENT } };
  const first = await owner.call("POST", COMMITMENTS, sent);
  const feed = await readChanges(owner);
  // Some ids use the machine's time.
  const now = Math.max(Date.now(), from.now().getTime());
  for (const world of [from, to]) world.advance(now - world.now().getTime());

  const exporting = () => refusalOf(say(from, "account export", owner, "--file", FILE));
  assertEquals(await exporting(), "The account is not frozen");
  await say(from, "account freeze", owner);
  const told = await say(from, "account export", owner, "--file", FILE);
  assertMatch(told, /^The file has \d+ bytes with the SHA-256 [0-9a-f]{64}$/);
  assertEquals(await filesIn(from), [FILE]);
  assertEquals(((await Deno.stat(pathIn(from))).mode ?? 0) & 0o777, 0o600);
  assertEquals(await exporting(), "--file: already exists");
  assertEquals(
    await refusalOf(say(from, "account import", owner, "--file", FILE)),
    "The account is from this installation: import it into the other one",
  );
  await carry(from, to);
  const arrived = await say(to, "account import", owner, "--file", FILE);
  assert(arrived.startsWith("The account is here and frozen: all "), arrived);
  const again = await say(to, "account import", owner, "--file", FILE);
  assert(again.startsWith("Nothing was changed: the account is already here: all "), again);
  await say(to, "account export", owner, "--file", "back.jsonl");
  const texts = [pathIn(to, "back.jsonl"), pathIn(from)].map((path) => Deno.readTextFile(path));
  const [back, whole] = await Promise.all(texts);
  assertEquals(back, whole);

  const thumbnails = "select * from attachment_thumbnails";
  assertEquals((await to.rows(thumbnails)).length, 1);
  assertEquals(await to.rows(thumbnails), await from.rows(thumbnails));

  // Both sides read, neither writes.
  const moved = await signIn(to, owner);
  for (const caller of [await signIn(from, owner), moved]) {
    assertEquals((await caller.call("GET", pathOf(first.body.data))).status, 200);
    const late = await caller.call("POST", COMMITMENTS, { ...sent, key: "another" });
    assertFailure(late, "SYSTEM_MAINTENANCE");
  }
  const retiring = (world: World) => say(world, "account retire", owner, "--moved-to", NEW_ADDRESS);
  // A repeated import has no effect.
  assertEquals(
    await refusalOf(retiring(to)),
    "The account was imported here and never unfrozen: retire it on the old installation",
  );
  await retiring(from);
  // A lost file can be exported again.
  await say(from, "account export", owner, "--file", "again.jsonl");
  assertEquals(await Deno.readTextFile(pathIn(from, "again.jsonl")), whole);
  await say(to, "account unfreeze", owner);

  // A used key replays for any body: the secret that compares bodies was not moved.
  const replayed = await moved.call("POST", COMMITMENTS, sent);
  assertEquals([replayed.status, replayed.body.data], [201, first.body.data]);
  assertEquals(replayed.headers.get("Idempotency-Replayed"), "true");
  assertEquals((await moved.call("POST", COMMITMENTS, { ...sent, key: "another" })).status, 201);
  assertEquals(
    (await to.rows(`
      select 1 from idempotency_envelopes
       where operation like 'account.%' or operation like 'identity.publication.%'`)).length,
    0,
  );
  assertFailure(await moved.call("GET", `${CHANGES}?after=${feed.nextCursor}`), "PAYLOAD_INVALID");
  await follow(moved, 1);
  assertEquals((await look(to, slug)).status, 404);
  await sealTrails(to.database, to.now);
  assertEquals((await verifyTrails(to.database, [], () => {})).broken, []);
  const late = await refusalOf(say(to, "account import", owner, "--file", FILE));
  assertEquals(late, "The account already exists here and differs from the file");
});

/** The file of these lines, without an attachment that its last line counts. */
function resealed(lines: readonly string[]): string {
  const { manifest: { counts } } = JSON.parse(lines.at(-1) ?? "");
  const content = `${lines.slice(0, -1).join("\n")}\n`;
  const attachment = counts.attachment - 1;
  return `${content}${manifestLine({ ...counts, attachment }, sha256Hex(content))}\n`;
}

Deno.test("Nothing is imported from an invalid file, or for an impossible account", async () => {
  await using from = await createWorld();
  await using to = await createWorld();
  const { caller } = await enrol(from);
  await caller.create("commitment", COMMITMENT);
  const attachmentId = await uploaded(caller, "a picture");
  assertEquals((await putThumbnail(caller, attachmentId)).status, 201);
  const exporting = () => say(from, "account export", caller, "--file", FILE);
  await say(from, "account freeze", caller);
  assertFailure(await putThumbnail(caller, attachmentId), "SYSTEM_MAINTENANCE");
  assertMatch(String(await refusalOf(exporting())), /^The account has a second factor/);
  await say(from, "account reset-second-factor", caller);
  await exporting();
  const text = await Deno.readTextFile(pathIn(from));
  const importing = async (content: string, of = caller) => {
    await Deno.writeTextFile(pathIn(to), content);
    return await refusalOf(say(to, "account import", of, "--file", FILE));
  };
  const lines = text.trimEnd().split("\n");
  const breaks = (rule: string) => `Nothing was imported: the file breaks ${rule}`;
  const stranger = await to.createCaller();
  const cases: [string, string][] = [
    ["", "import.manifest"],
    [text.slice(0, -1), "import.line_end"],
    [`${lines.slice(0, -1).join("\n")}\n`, "import.manifest"],
    [text.replace('"title":"A title"', '"title":"B title"'), "import.digest"],
    [text.replace("prs-moved-account", "prs-account"), "import.format"],
    [lines.toSpliced(1, 1).join("\n") + "\n", "import.type"],
    [text.replace('"width":2', '"width":3'), "import.value"],
    [text.replace('"mediaType":"image/png"', '"mediaType":"text/html"'), "import.value"],
  ];
  const attachments = lines.findIndex((line) => line.includes('"type":"attachment"'));
  cases.push([resealed(lines.toSpliced(attachments, 2)), "import.reference"]);
  for (const [content, rule] of cases) assertEquals(await importing(content), breaks(rule), rule);
  assertEquals(
    await importing(text, stranger),
    "The file belongs to an account with another email",
  );
  await say(to, "account freeze", stranger);
  const taken = `update accounts set email = '${emailOf(caller)}', email_key = '${
    emailOf(caller).toLowerCase()
  }' where account_id = '${stranger.accountId}'`;
  await to.raw("update maintenance_window set active = true");
  assertEquals(await importing(text), "Writing is paused for maintenance");
  await to.raw(`update maintenance_window set active = false; ${taken}`);
  assertEquals(await importing(text), "An account has this email already");
  assertEquals(
    await to.rows(`select 1 from accounts where account_id = '${caller.accountId}'`),
    [],
  );
  assertEquals(await to.rows("select 1 from records"), []);
  assertEquals(await filesUnder(`${dirname(to.objectFolder)}/spool`), []);
});

Deno.test("An existing account is not treated as the file's once it differs", async () => {
  await using from = await createWorld();
  await using to = await createWorld();
  const caller = await from.createCaller();
  await say(from, "account freeze", caller);
  await say(from, "account export", caller, "--file", FILE);
  await carry(from, to);
  await say(to, "account import", caller, "--file", FILE);
  from.advance(1);
  // Unfreeze, write, and start over.
  await say(from, "account unfreeze", caller);
  await caller.create("commitment", COMMITMENT);
  await say(from, "account freeze", caller);
  // Later writes are in no file.
  assertEquals(
    await refusalOf(say(from, "account retire", caller, "--moved-to", NEW_ADDRESS)),
    "The account was not exported since it was frozen",
  );
  await Deno.remove(pathIn(from));
  await say(from, "account export", caller, "--file", FILE);
  await carry(from, to);
  assertEquals(
    await refusalOf(say(to, "account import", caller, "--file", FILE)),
    "The account already exists here and differs from the file",
  );
});

Deno.test("Nothing changes what a frozen account's file has, neither service nor operator", async () => {
  await using from = await createWorld();
  const caller = await from.createCaller();
  const hasher = new PasswordHasher({ cost: { ...CHEAP_COST, N: CHEAP_COST.N / 2 } });
  const hash = await hasher.hash(PASSWORD, "known");
  await from.raw(`
    update accounts set password_hash = '${hash}' where account_id = '${caller.accountId}'`);
  await fillAccount(from, caller);
  const held = await claim(from, await propose(caller, await createPerson(caller)));
  await propose(caller, await createPerson(caller));
  await from.raw("alter table idempotency_envelopes disable trigger user");
  await from.raw("update idempotency_envelopes set created_at = created_at - interval '400 days'");
  await from.raw("alter table idempotency_envelopes enable trigger user");
  await say(from, "account freeze", caller);
  await say(from, "account export", caller, "--file", FILE);

  from.advance(LEASE_MS + 1);
  const now = from.now();
  const { database } = from;
  assertEquals((await leaseProposals(database, now)).length, 0);
  assertEquals(await extendLease(database, held, now), false);
  await failAttempt(database, held, now);
  await giveBack(database, held, now);
  assertEquals(await purgeEnvelopes(database, 30, new Date()), 0);
  await sealTrails(database, from.now);
  await database.transaction(({ sql }) => restartBuild(sql));
  await buildIndex({ database, catalog: CATALOG });
  await signIn(from, caller);
  for (
    const [words, ...more] of [
      ["account disable"],
      ["account enable"],
      ["role grant", "--role", "SERVICE"],
      ["role revoke", "--role", "OWNER"],
      ["permission grant", "--permission", "record.read"],
      ["permission revoke", "--permission", "record.read"],
    ] as const
  ) {
    const refusal = await refusalOf(say(from, words, caller, ...more));
    assertEquals(refusal, "The account is frozen: unfreeze it first", words);
  }
  const reset = resetPassword(database, emailOf(caller), hash, eventContextOf(from));
  assertEquals(await refusalOf(reset), "The account is frozen: unfreeze it first");
  await say(from, "account reset-second-factor", caller);
  await say(from, "session revoke-all", caller);

  await say(from, "account export", caller, "--file", "again.jsonl");
  const texts = [FILE, "again.jsonl"].map((file) => Deno.readTextFile(pathIn(from, file)));
  const [first, again] = await Promise.all(texts);
  assertEquals(again, first);
});

Deno.test("Of concurrent exports to one name one writes the file, and none after later writes", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  await caller.create("commitment", COMMITMENT);
  await say(world, "account freeze", caller);
  const exports = [1, 2, 3].map(() =>
    refusalOf(say(world, "account export", caller, "--file", FILE))
  );
  const refused = (await Promise.all(exports)).filter((words) => words !== null);
  assertEquals(refused, ["--file: already exists", "--file: already exists"]);
  assertEquals(await filesIn(world), [FILE]);
  await Deno.remove(pathIn(world));

  const services = servicesOf(world);
  const thawing: Database = {
    ...world.database,
    async snapshot(use) {
      const result = await world.database.snapshot(use);
      await unfreezeAccount(world.database, emailOf(caller), eventContextOf(world));
      world.advance(1);
      await freezeAccount(world.database, emailOf(caller), () => eventContextOf(world));
      return result;
    },
  };
  const command = readCommand({ command: "account export", email: emailOf(caller), file: FILE });
  assertEquals(
    await refusalOf(runAdminCommand({ ...services, database: thawing }, command)),
    "The account was unfrozen during the export: export it again",
  );
  assertEquals(await filesIn(world), []);
});

Deno.test("An import reads one copy of the file, also if it changes", async () => {
  await using from = await createWorld();
  await using to = await createWorld();
  const caller = await from.createCaller();
  await caller.create("commitment", COMMITMENT, "As it was");
  await say(from, "account freeze", caller);
  await say(from, "account export", caller, "--file", FILE);
  await carry(from, to);
  const text = await Deno.readTextFile(pathIn(to));
  const services = servicesOf(to);
  const command = readCommand({ command: "account import", email: emailOf(caller), file: FILE });
  await runAdminCommand(services, command, () => {
    // Checked, without rows yet.
    Deno.writeTextFileSync(pathIn(to), text.replace("As it was", "As it is "));
  });
  const titles = await to.rows("select title from records");
  assertEquals(titles.map(({ title }) => title), ["As it was"]);
});

Deno.test("The step dates the moves of the release before, by their events", async () => {
  await using old = await openEmpty();
  const { version } = MIGRATIONS.find(({ name }) => name === "moved_accounts") ?? { version: 0 };
  await migrate(old.database, MIGRATIONS.filter((step) => step.version < version));
  const moved = { frozen_at: AT, moved_to: NEW_ADDRESS };
  const accounts = [newAccount(moved), newAccount({ frozen_at: AT })];
  const events = accounts.map((account) => ({
    account_id: account.account_id ?? "",
    event_id: ulid(),
    event: "ACCOUNT_RETIRED",
    request_id: "a-request",
    created_at: AT,
  }));
  await old.database.transaction((tx) =>
    tx.script([
      ...accounts.map((row) => insertInto("accounts", row)),
      ...events.map((row) => insertInto("access_events", row)),
    ].join("\n"))
  );
  await migrate(old.database, MIGRATIONS);
  const rows = await old.rows("select retired_at from accounts order by moved_to nulls last");
  assertEquals([...rows], [{ retired_at: new Date(AT) }, { retired_at: null }]);
});
