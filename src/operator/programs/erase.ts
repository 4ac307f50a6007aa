/** Erasure: plan, run, verify. */

import { resolve } from "node:path";
import { SHA256_HEX } from "../../validate/text.ts";
import { executeCommand } from "../admin/execute.ts";
import type { BackupToRead } from "../backup/installation.ts";
import type { Config } from "../config/config.ts";
import { changeOwner, readOwner } from "../config/data_dir.ts";
import { describeLost, type LostAttachment } from "../../attachments/loss.ts";
import type { Report } from "../../core/report.ts";
import { IncompleteError } from "../../errors/operator_error.ts";
import { ERASURE_REASONS } from "../erasure/erasure_list.ts";
import {
  describeCertificate,
  describePlan,
  describeVerification,
} from "../erasure/erasure_text.ts";
import { type ErasureRequest, runErasure } from "../erasure/run.ts";
import {
  type NamedSubject,
  readSubjects,
  SUBJECT_OPTIONS,
  type SubjectOption,
  writeSubjects,
} from "../erasure/subjects.ts";
import { type ErasureVerification, verifyErasuresOfBackup } from "../erasure/verify.ts";
import { KEY_OPTIONS, keyReader, parseWords, readSource } from "./backup_options.ts";
import { type BackupProgram, runBackupProgram, Unsuccessful } from "./backup_program.ts";

const JSON_FLAG = "--json";

type Act = ReturnType<BackupProgram["parse"]>;

const PROGRAM: BackupProgram = {
  usage: [
    "deno task erase plan --email E SUBJECT… [--json]",
    "deno task erase run --plan DIGEST --into FOLDER --reason WORD [--json]",
    "deno task erase verify [--file BACKUP [--passphrase-file FILE | --identity-file FILE]] [--json]",
    "SUBJECT: --record ID | --person ID | --memory ID | --attachment ID, or --account alone",
    `WORD: ${ERASURE_REASONS.join(" | ")}`,
  ].join("\n       "),
  cannot: "Cannot erase",
  parse: parseErase,
};

/** Null if the words are not understood. */
export function parseErase([action, ...words]: readonly string[]): Act {
  switch (action) {
    case "plan":
      return parsePlan(words);
    case "run":
      return parseRun(words);
    case "verify":
      return parseVerify(words);
    default:
      return null;
  }
}

/** The subjects of a command line, and its other words. */
interface PlanWords {
  readonly named: readonly NamedSubject[];
  readonly others: readonly string[];
}

function parseSubjects(words: readonly string[]): PlanWords {
  const named: NamedSubject[] = [];
  const others: string[] = [];
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const option = SUBJECT_OPTIONS.find((option) => word === `--${option}`);
    if (option !== undefined) named.push({ option, id: parseId(option, rest) });
    else others.push(word);
    // The value of another option is not a subject.
    if (word === "--email") others.push(...rest.splice(0, 1));
  }
  return { named, others };
}

function parseId(option: SubjectOption, rest: string[]): string {
  return option === "account" ? "" : rest.shift() ?? "";
}

function parsePlan(words: readonly string[]): Act {
  const { named, others } = parseSubjects(words);
  const given = parseWords(others, { flags: [JSON_FLAG], options: ["--email"] });
  const email = given?.options.get("--email");
  const subjects = writeSubjects(named);
  if (given === null || email === undefined || given.others.length > 0) return null;
  if (readSubjects(subjects) === null) return null;
  return async (config, report) => {
    const [line = ""] = await executeCommand(
      config,
      { command: "erase plan", email, subjects },
      report,
    );
    return given.flags.has(JSON_FLAG) ? [line] : describePlan(JSON.parse(line));
  };
}

function parseRun(words: readonly string[]): Act {
  const given = parseWords(words, {
    flags: [JSON_FLAG],
    options: ["--plan", "--into", "--reason"],
  });
  if (given === null || given.others.length > 0) return null;
  const { flags, options } = given;
  const [digest, folder, reason] = ["--plan", "--into", "--reason"].map((name) =>
    options.get(name)
  );
  if (digest === undefined || folder === undefined || reason === undefined) return null;
  if (!SHA256_HEX.test(digest) || folder.includes(",")) return null;
  if (!ERASURE_REASONS.some((word) => word === reason)) return null;
  return (config, report) =>
    erase(config, { digest, folder, reason }, flags.has(JSON_FLAG), report);
}

async function erase(
  config: Config,
  request: ErasureRequest,
  isJson: boolean,
  report: Report,
): Promise<readonly string[]> {
  const owner = await readOwner(config);
  const folder = resolve(request.folder);
  let lost: readonly LostAttachment[] = [];
  const certificate = await runErasure(config, request, report, (found) => lost = found)
    .finally(() => changeOwner(folder, owner));
  if (isJson) return [JSON.stringify(certificate)];
  const lines = describeCertificate(certificate, request.folder);
  if (lost.length === 0) return lines;
  const about =
    `Attachments that were lost before, and are there without their bytes: ${lost.length}`;
  throw new IncompleteError([...lines, about, ...describeLost(lost)]);
}

function parseVerify(words: readonly string[]): Act {
  const given = parseWords(words, { flags: [JSON_FLAG], options: ["--file", ...KEY_OPTIONS] });
  if (given === null || given.others.length > 0) return null;
  const { flags, options } = given;
  const file = options.get("--file");
  // A key opens a file.
  if (file === undefined && KEY_OPTIONS.some((name) => options.has(name))) return null;
  const read = file === undefined ? null : keyReader(file, options);
  if (file !== undefined && read === null) return null;
  return async (config, report) => {
    const verification = await verify(config, read, report);
    const lines = flags.has(JSON_FLAG)
      ? [JSON.stringify(verification)]
      : describeVerification(verification);
    return verification.found.length === 0 ? lines : new Unsuccessful(lines);
  };
}

async function verify(
  config: Config,
  read: (() => Promise<BackupToRead>) | null,
  report: Report,
): Promise<ErasureVerification> {
  if (read !== null) return await verifyErasuresOfBackup(config.dataDir, await readSource(read));
  const [line = ""] = await executeCommand(config, { command: "erase verify" }, report);
  return JSON.parse(line);
}

/** Plans an erasure, runs a plan, or verifies that nothing of earlier ones is left. */
export async function runErase(words: readonly string[]): Promise<number> {
  return await runBackupProgram(PROGRAM, words);
}
