/**
 * The operator's commands and options, parsed from a command line or from JSON sent over the
 * socket. One table serves both.
 */

import { isAllowedOrigin } from "../config/env.ts";
import { type AccessRole, PERMISSIONS, ROLE_IDS } from "../../access/permissions.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import { payloadInvalid, ServiceError } from "../../errors/service_error.ts";
import { emailAddress, newPassword } from "../../validate/account_fields.ts";
import {
  identifier,
  type InferObject,
  type ObjectSchema,
  oneOf,
  optional,
  readBody,
  type Schema,
  string,
  stringMatching,
} from "../../validate/schema.ts";
import { readSubjects } from "../erasure/subjects.ts";
import { isAnchors } from "./audit_text.ts";
import { MAX_PASSPHRASE } from "./secret_file.ts";

const EMAIL = emailAddress;
const ROLE = oneOf(...Object.keys(ROLE_IDS) as AccessRole[]);
const PERMISSION = oneOf(...PERMISSIONS);
// A password without U+0000: JSON cannot contain it, so such a password could never sign in.
const PASSWORD: Schema<string> = {
  json: { ...newPassword.json, pattern: "^[^\\u0000]*$" },
  check(value, field, violations) {
    const password = newPassword.check(value, field, violations);
    if (password?.includes("\0")) violations.add("field.control_character", field);
    return password;
  },
};

const ANCHORS = stringMatching("field.digests", isAnchors, { type: "string" });

const ORIGIN = stringMatching("field.origin", isAllowedOrigin, { type: "string" });
const FILE = string({ maximum: 4096 });

const BATCH = stringMatching("field.integer", (text) => /^[1-9]\d{0,5}$/.test(text), {
  type: "string",
});

/** As `writeSubjects` writes them. */
const SUBJECTS = stringMatching(
  "field.option",
  (text) => readSubjects(text) !== null,
  { type: "string" },
);

/** The options of each command. A password is not an option: it is prompted for. */
const SHAPES = {
  "account create": {
    email: EMAIL,
    name: string({ maximum: 200 }),
    role: optional(ROLE),
    password: PASSWORD,
  },
  "account list": {},
  "account disable": { email: EMAIL },
  "account enable": { email: EMAIL },
  "account reset-password": { email: EMAIL, password: PASSWORD },
  "account reset-second-factor": { email: EMAIL },
  "account remove-passkeys": { email: EMAIL },
  "account freeze": { email: EMAIL },
  "account unfreeze": { email: EMAIL },
  "account export": { email: EMAIL, file: FILE },
  "account import": { email: EMAIL, file: FILE },
  "account retire": { email: EMAIL, "moved-to": ORIGIN },
  "role grant": { email: EMAIL, role: ROLE },
  "role revoke": { email: EMAIL, role: ROLE },
  "permission grant": { email: EMAIL, permission: PERMISSION },
  "permission revoke": { email: EMAIL, permission: PERMISSION },
  "token list": { email: EMAIL },
  "token revoke": { email: EMAIL, token: identifier },
  "session revoke-all": { email: EMAIL },
  "setup-link": {},
  "maintenance on": {},
  "maintenance off": {},
  "maintenance status": {},
  "seed catalog": { owner: EMAIL },
  "seed demo": { owner: EMAIL },
  "legacy import": { owner: EMAIL, file: FILE },
  "attachments check": {},
  "attachments move": { to: oneOf("files", "database"), batch: optional(BATCH) },
  "audit verify": { anchor: optional(ANCHORS) },
  // Their results are JSON, which `deno task erase` shows.
  "erase plan": { email: EMAIL, subjects: SUBJECTS },
  "erase verify": {},
  "backup": {
    secret: optional(oneOf("include")),
    // Up to 20 public keys with commas between, of which a hybrid one has 1,959 characters.
    recipient: optional(string({ maximum: 40_000 })),
    // `deno task backup` reads it from a file. Not a command line option, because all users can
    // read command lines.
    passphrase: optional(string({ maximum: MAX_PASSPHRASE, multiline: true })),
  },
} as const satisfies Record<string, ObjectSchema>;

export type CommandName = keyof typeof SHAPES;

export type CommandOf<Name extends CommandName> =
  & { readonly command: Name }
  & InferObject<(typeof SHAPES)[Name]>;

export type AdminCommand = { [Name in CommandName]: CommandOf<Name> }[CommandName];

/** An unknown command line. The message quotes nothing of it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A parsed command line, without the password that its command may need. */
interface Invocation {
  readonly given: JsonObject;
  readonly needsPassword: boolean;
  readonly passwordFile: string | null;
}

/**
 * Parses the command, then options in any order, each at most once.
 *
 * @throws UsageError naming the wrong options, never their values.
 */
export function parseArguments(words: readonly string[]): Invocation {
  const command = COMMAND_NAMES.find((name) =>
    name.split(" ").every((word, index) => words[index] === word)
  );
  if (command === undefined) throw new UsageError("The command is missing or unknown");
  const { password, passphrase: _passphrase, ...shape }: Readonly<
    Record<string, Schema<unknown>>
  > = SHAPES[command];
  const needsPassword = password !== undefined;
  const known = [...Object.keys(shape), ...needsPassword ? ["password-file"] : []];
  const options = parseOptions(words.slice(command.split(" ").length), known);
  const passwordFile = options.get("password-file") ?? null;
  options.delete("password-file");
  const given = Object.fromEntries(options);
  checkOptions(shape, given);
  return { given: { command, ...given }, needsPassword, passwordFile };
}

const COMMAND_NAMES = Object.keys(SHAPES) as CommandName[];

function parseOptions(words: readonly string[], known: readonly string[]): Map<string, string> {
  const options = new Map<string, string>();
  for (let index = 0; index < words.length; index += 2) {
    const [word = "", value = ""] = words.slice(index, index + 2);
    const name = known.find((option) => word === `--${option}`);
    if (name === undefined) throw new UsageError("Unknown option for this command");
    if (options.has(name)) throw new UsageError(`--${name}: given twice`);
    // If a value is missing, do not read the next option as the value.
    if (value === "" || value.startsWith("--")) throw new UsageError(`--${name}: needs a value`);
    options.set(name, value);
  }
  return options;
}

function checkOptions(shape: ObjectSchema, given: JsonObject): void {
  try {
    readBody(shape, given);
  } catch (error) {
    const fields = error instanceof ServiceError ? error.details.fields : undefined;
    if (!Array.isArray(fields)) throw error;
    const names = fields.map((field) => `--${field}`).join(", ");
    throw new UsageError(`Missing or not valid: ${names}`);
  }
}

/** @throws ServiceError `PAYLOAD_INVALID` with names only. */
export function readCommand(value: JsonValue): AdminCommand {
  if (!isJsonObject(value)) throw payloadInvalid(["body.object"]);
  const { command, ...members } = value;
  const name = COMMAND_NAMES.find((known) => known === command);
  if (name === undefined) throw payloadInvalid(["field.option"], ["command"]);
  const shape: ObjectSchema = SHAPES[name];
  return { ...readBody(shape, members), command: name } as AdminCommand;
}

export function usage(): string {
  const lines = COMMAND_NAMES.map((name) => {
    const shape: ObjectSchema = SHAPES[name];
    const options = Object.entries(shape).filter(([option]) => option !== "passphrase");
    return ["  deno task admin", name, ...options.map(describeOption)].join(" ");
  });
  return ["Usage:", ...lines].join("\n");
}

/** Placeholders for options with unclear names: a token's identifier, never the token. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  token: "TOKENID",
  owner: "EMAIL",
  anchor: "DIGEST,…",
  to: "PLACE",
  batch: "N",
  subjects: "KIND:ID,…",
  "moved-to": "URL",
};

function describeOption([name, schema]: [string, Schema<unknown>]): string {
  if (name === "password") return "[--password-file FILE]";
  const option = `--${name} ${PLACEHOLDERS[name] ?? name.toUpperCase()}`;
  return schema.optional ? `[${option}]` : option;
}
