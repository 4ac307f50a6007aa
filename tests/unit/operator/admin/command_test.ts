import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  parseArguments,
  readCommand,
  usage,
  UsageError,
} from "../../../../src/operator/admin/command.ts";
import type { JsonValue } from "../../../../src/core/json.ts";
import { refusalOf } from "../../../support/refusals.ts";
import { seededRandom } from "../../../support/random.ts";

const EMAIL = "me@example.org";
const TOKEN = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const PASSWORD = "correct horse battery staple";

/** With required options and password. */
const COMMANDS: readonly [string, Readonly<Record<string, string>>, boolean][] = [
  ["account create", { email: EMAIL, name: "Me" }, true],
  ["account list", {}, false],
  ["account disable", { email: EMAIL }, false],
  ["account enable", { email: EMAIL }, false],
  ["account reset-password", { email: EMAIL }, true],
  ["account reset-second-factor", { email: EMAIL }, false],
  ["account remove-passkeys", { email: EMAIL }, false],
  ["account freeze", { email: EMAIL }, false],
  ["account unfreeze", { email: EMAIL }, false],
  ["account export", { email: EMAIL, file: "./data/account.jsonl" }, false],
  ["account import", { email: EMAIL, file: "./data/account.jsonl" }, false],
  ["account retire", { email: EMAIL, "moved-to": "https://a.example" }, false],
  ["role grant", { email: EMAIL, role: "EDITOR" }, false],
  ["role revoke", { email: EMAIL, role: "EDITOR" }, false],
  ["permission grant", { email: EMAIL, permission: "record.read" }, false],
  ["permission revoke", { email: EMAIL, permission: "record.read" }, false],
  ["token list", { email: EMAIL }, false],
  ["token revoke", { email: EMAIL, token: TOKEN }, false],
  ["session revoke-all", { email: EMAIL }, false],
  ["setup-link", {}, false],
  ["maintenance on", {}, false],
  ["maintenance off", {}, false],
  ["maintenance status", {}, false],
  ["seed catalog", { owner: EMAIL }, false],
  ["seed demo", { owner: EMAIL }, false],
  ["legacy import", { owner: EMAIL, file: "./data/records.jsonl" }, false],
  ["attachments check", {}, false],
  ["attachments move", { to: "database" }, false],
  ["audit verify", {}, false],
  ["erase plan", { email: EMAIL, subjects: `record:${TOKEN},memory:${TOKEN}` }, false],
  ["erase verify", {}, false],
  ["backup", {}, false],
];

function words(command: string, options: Readonly<Record<string, string>>): string[] {
  const pairs = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  return [...command.split(" "), ...pairs];
}

function usageErrorOf(line: readonly string[]): string {
  return assertThrows(() => parseArguments(line), UsageError, undefined, line.join(" ")).message;
}

Deno.test("Command line options may have any order", () => {
  for (const [command, options, needsPassword] of COMMANDS) {
    for (const entries of [Object.entries(options), Object.entries(options).toReversed()]) {
      const invocation = parseArguments(words(command, Object.fromEntries(entries)));
      assertEquals(invocation, {
        given: { command, ...options },
        needsPassword,
        passwordFile: null,
      });
      const given = { ...invocation.given, ...needsPassword && { password: PASSWORD } };
      assertEquals<unknown>(readCommand(given), given);
    }
  }
});

Deno.test("Usage names every command, each option, and no password", () => {
  const lines = usage().split("\n").slice(1);
  assertEquals(lines.length, COMMANDS.length);
  for (const [index, [command, options, needsPassword]] of COMMANDS.entries()) {
    const line = lines[index] ?? "";
    assert(line.startsWith(`  deno task admin ${command}`), line);
    for (const name of Object.keys(options)) assert(line.includes(` --${name} `), line);
    assertEquals(line.includes("[--password-file FILE]"), needsPassword);
    assertEquals(line.includes("--password "), false);
  }
});

Deno.test("Optional role and password file are accepted only for their commands", () => {
  const line = words("account create", { email: EMAIL, name: "Me", role: "VIEWER" });
  const invocation = parseArguments([...line, "--password-file", "./secrets/pw"]);
  assertEquals(invocation.passwordFile, "./secrets/pw");
  assertEquals(invocation.given.role, "VIEWER");
  for (const [command, options, needsPassword] of COMMANDS) {
    const withFile = words(command, { ...options, "password-file": "./secrets/pw" });
    if (needsPassword) assertEquals(parseArguments(withFile).passwordFile, "./secrets/pw");
    else assertEquals(usageErrorOf(withFile), "Unknown option for this command");
  }
});

Deno.test("Password is never an argument, and not repeated in the error", () => {
  for (const option of [["--password", PASSWORD], [`--password=${PASSWORD}`], [PASSWORD]]) {
    const message = usageErrorOf([
      ...words("account create", { email: EMAIL, name: "Me" }),
      ...option,
    ]);
    assertEquals(message, "Unknown option for this command");
  }
});

Deno.test("Command line is rejected for missing, repeated or unknown words", () => {
  for (const line of [[], ["account"], ["account", "drop"], ["account list"], ["--email", EMAIL]]) {
    assertEquals(usageErrorOf(line), "The command is missing or unknown");
  }
  const role = (...rest: string[]) => usageErrorOf(["role", "grant", ...rest]);
  assertEquals(role(), "Missing or not valid: --email, --role");
  assertEquals(role("--email", EMAIL), "Missing or not valid: --role");
  assertEquals(role("--email", EMAIL, "--role"), "--role: needs a value");
  assertEquals(role("--email", "--role", "OWNER"), "--email: needs a value");
  assertEquals(role("--email", "", "--role", "OWNER"), "--email: needs a value");
  assertEquals(role("--email", EMAIL, "--email", EMAIL), "--email: given twice");
  assertEquals(
    role("--email", "nobody", "--role", "KING"),
    "Missing or not valid: --email, --role",
  );
  for (const name of ["--toString", "--__proto__", "--constructor", "--command", "email"]) {
    assertEquals(role("--email", EMAIL, name, "x"), "Unknown option for this command", name);
  }
});

Deno.test("An account moves to an https origin, or to http on this machine", () => {
  const retire = (movedTo: string) =>
    words("account retire", { email: EMAIL, "moved-to": movedTo });
  for (
    const origin of ["https://two.example", "https://two.example:8443", "http://127.0.0.2:8000"]
  ) {
    assertEquals(parseArguments(retire(origin)).given["moved-to"], origin);
  }
  for (
    const other of [
      "http://two.example",
      "https://two.example/",
      "https://two.example/path",
      "https://two.example?a=b",
      "https://me@two.example",
      "HTTPS://two.example",
      "https://*.example",
      "https://two.example;id",
      "https://$(id).example",
      "javascript:alert(1)",
      "two.example",
    ]
  ) {
    assertEquals(usageErrorOf(retire(other)), "Missing or not valid: --moved-to", other);
  }
});

Deno.test("Any words are understood or rejected, without quoting a value", () => {
  const random = seededRandom(20_261_121);
  const vocabulary = [
    ...COMMANDS.flatMap(([command, options]) => words(command, options)),
    "--password-file",
    "hunter2-hunter2",
    "--role",
    "hunter2",
    "--name",
    "",
    "--",
    "-x",
  ];
  for (let round = 0; round < 5_000; round++) {
    const line = Array.from({ length: random.integer(0, 8) }, () => random.pick(vocabulary));
    try {
      const { given, needsPassword } = parseArguments(line);
      const complete = { ...given, ...needsPassword && { password: PASSWORD } };
      assertEquals(readCommand(complete).command, given.command, line.join(" "));
    } catch (error) {
      assert(error instanceof UsageError, `${line.join(" ")}: ${error}`);
      assertEquals(/hunter2|@/.test(error.message), false, error.message);
    }
  }
});

Deno.test("Command from JSON is rejected by names only", () => {
  const create = { command: "account create", email: EMAIL, name: "Me", password: PASSWORD };
  const wrong: readonly [JsonValue, string[], string[]][] = [
    [null, [], ["body.object"]],
    [["account list"], [], ["body.object"]],
    [{}, ["command"], ["field.option"]],
    [{ command: "account drop" }, ["command"], ["field.option"]],
    [{ command: "toString" }, ["command"], ["field.option"]],
    [{ command: ["account list"] }, ["command"], ["field.option"]],
    [{ command: "account list", email: EMAIL }, [], ["undeclared_field"]],
    [{ ...create, password: "eleven char" }, ["password"], ["account.password_length"]],
    [{ ...create, password: "p".repeat(257) }, ["password"], ["account.password_length"]],
    [{ ...create, password: `${PASSWORD}\0` }, ["password"], ["field.control_character"]],
    [{ ...create, password: "password1234" }, ["password"], ["account.password_known"]],
    [{ ...create, role: null }, ["role"], ["field.option"]],
    [{ ...create, name: " " }, ["name"], ["field.blank"]],
    [{ ...create, name: "\x1b[2J" }, ["name"], ["field.control_character"]],
    [{ command: "token revoke", email: EMAIL, token: "x" }, ["token"], ["field.identifier"]],
  ];
  for (const [value, fields, rules] of wrong) {
    assertEquals(refusalOf(() => readCommand(value)), { fields, rules }, JSON.stringify(value));
  }
  assertEquals<unknown>(
    readCommand({ ...create, password: `xkq4${"🙂".repeat(8)}` }).command,
    create.command,
  );
});

Deno.test("A passphrase is accepted through the socket only, never in a command line", () => {
  const words = ["backup", "--passphrase", "correct horse"];
  assertEquals(usageErrorOf(words), "Unknown option for this command");
  assertEquals(usage().includes("passphrase"), false);
  const command = { command: "backup", passphrase: "correct\thorse", secret: "include" };
  assertEquals<unknown>(readCommand(command), command);
  for (const passphrase of ["", " ", "x".repeat(4097), 1]) {
    assertEquals(refusalOf(() => readCommand({ ...command, passphrase }))?.fields, ["passphrase"]);
  }
});
