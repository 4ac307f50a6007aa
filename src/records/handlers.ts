import type { AttachmentReferences } from "../attachments/port.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { CatalogModule } from "../catalog/module.ts";
import type { Command, CommandRunner, Outcome, Write } from "../command/command.ts";
import type { Envelope } from "../command/envelope.ts";
import type { Database } from "../database/database.ts";
import { created, ok, type Reply } from "../http/reply.ts";
import { type CheckedCall, type Endpoint, endpoint, type SignedInCall } from "../http/route.ts";
import { readBody, refuseQuery } from "../validate/schema.ts";
import {
  checkModify,
  CREATE_BODY,
  decideCreate,
  type Decided,
  decideModify,
  decideMove,
  MODIFY_BODY,
  MOVE_BODY,
} from "./commands.ts";
import { gateWrite, type GenericWrite, readRecordId } from "./gates.ts";
import { type PublicRecord, type RecordRow, toPublicRecord } from "./record.ts";
import { findRecordAt, insertRecord, lockRecord, updateRecord } from "./store.ts";

/** What the kernel's routes need of the application. */
export interface RecordServices {
  readonly database: Database;
  readonly catalog: Catalog;
  readonly commands: CommandRunner;
  readonly attachments: AttachmentReferences;
}

/** The record that a path names, inside its module. */
export interface Target {
  readonly module: CatalogModule;
  readonly recordId: string;
}

/** The writing endpoints of the Record Kernel (specification, Record Kernel routes 1, 4, 5, 6). */
export function createWriteEndpoints(services: RecordServices): WriteEndpoints {
  const { catalog, commands, attachments } = services;

  const write = (command: Command, decided: Decided): Write<PublicRecord> => {
    const owner = command.identity.account.accountId;
    const { row, change, references } = decided;
    return {
      subjectId: row.record_id,
      revision: row.revision,
      answer: toPublicRecord(row, command.identity.permissions),
      ...(references.length === 0
        ? {}
        : { verify: (sql) => attachments.assertExist(sql, owner, references) }),
      statement: change === null
        ? null
        : (sql, ledger) =>
          change === "CREATED"
            ? insertRecord(sql, ledger, owner, row)
            : updateRecord(sql, ledger, owner, row, change),
    };
  };

  const change = async (
    command: Command,
    check: () => void,
    decide: (root: RecordRow | null) => Decided,
  ): Promise<Outcome<PublicRecord>> =>
    await commands.run(command, {
      check,
      lock: (sql) => lockRecord(sql, command.identity.account.accountId, command.target),
      decide: (root) => write(command, decide(root)),
      replay: (envelope) => replayRecord(services, command, envelope),
    });

  const parseTarget = (operation: GenericWrite) => (call: SignedInCall): Target => {
    const module = gateWrite(catalog, call.params.moduleCode, operation);
    refuseQuery(call.query);
    return { module, recordId: readRecordId(call.params.recordId) };
  };

  const move = (kind: "ARCHIVED" | "RESTORED", operation: GenericWrite) =>
    endpoint({
      body: "optional-json",
      parse: parseTarget(operation),
      async answer(call) {
        const { module, recordId } = call.parsed;
        const { expectedRevision } = readBody(MOVE_BODY, call.body);
        const command = recordCommand(call, operation, module, recordId);
        return answered(
          await change(command, () => {}, (root) =>
            decideMove(catalog, module, root, kind, expectedRevision, call.now)),
        );
      },
    });

  return {
    create: endpoint({
      body: "json",
      parse(call) {
        const module = gateWrite(catalog, call.params.moduleCode, "record.create");
        refuseQuery(call.query);
        return module;
      },
      async answer(call) {
        const module = call.parsed;
        const body = readBody(CREATE_BODY, call.body);
        const command = recordCommand(call, "record.create", module, "");
        const { answer, replayed } = await commands.run(command, {
          decide: () => write(command, decideCreate(module, body, call.now)),
          replay: (envelope) => replayRecord(services, command, envelope),
        });
        const location = `/api/v2/records/${module.code}/${answer.recordId}`;
        return created(answer, location, replayHeader(replayed));
      },
    }),

    modify: endpoint({
      body: "json",
      parse: parseTarget("record.modify"),
      async answer(call) {
        const { module, recordId } = call.parsed;
        const body = readBody(MODIFY_BODY, call.body);
        const command = recordCommand(call, "record.modify", module, recordId);
        return answered(
          await change(
            command,
            () => checkModify(module, body),
            (root) => decideModify(catalog, module, root, body, call.now),
          ),
        );
      },
    }),

    archive: move("ARCHIVED", "record.archive"),
    restore: move("RESTORED", "record.restore"),
  };
}

/** One endpoint a route. */
export interface WriteEndpoints {
  readonly create: Endpoint;
  readonly modify: Endpoint;
  readonly archive: Endpoint;
  readonly restore: Endpoint;
}

/** Names a kernel write. Every one of them is frozen by the maintenance window. */
export function recordCommand(
  call: CheckedCall<unknown>,
  operation: string,
  module: CatalogModule,
  target: string,
): Command {
  return {
    operation,
    moduleCode: module.code,
    scope: `${operation}:${module.code}`,
    target,
    policy: "record",
    identity: call.identity,
    requestId: call.requestId,
    now: call.now,
    key: call.key,
    frozen: true,
  };
}

/** Says of an answer that it repeats an earlier one. */
export function replayHeader(replayed: boolean): Record<string, string> {
  return replayed ? { "Idempotency-Replayed": "true" } : {};
}

function answered({ answer, replayed }: Outcome<PublicRecord>): Reply {
  return ok(answer, replayHeader(replayed));
}

/** The record exactly as the first answer showed it, whatever came later. */
async function replayRecord(
  services: RecordServices,
  command: Command,
  envelope: Envelope,
): Promise<PublicRecord> {
  const owner = command.identity.account.accountId;
  const [row] = await services.database.read((sql) =>
    findRecordAt(sql, owner, envelope.recordId, envelope.revision ?? 0)
  );
  if (row === undefined || row.module_code !== command.moduleCode) {
    throw new Error("An idempotency envelope names a record that is not there");
  }
  return toPublicRecord(row, command.identity.permissions);
}
