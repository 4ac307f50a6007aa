import type { CatalogModule } from "../catalog/module.ts";
import type { Command, Outcome } from "../command/command.ts";
import { created, ok, type Reply } from "../http/reply.ts";
import { type CheckedCall, type Endpoint, endpoint, type SignedInCall } from "../http/route.ts";
import { readBody, refuseQuery } from "../validate/schema.ts";
import {
  checkModify,
  CREATE_BODY,
  decideCreate,
  decideModify,
  decideMove,
  MODIFY_BODY,
  MOVE_BODY,
} from "./commands.ts";
import { createContract, modifyContract, moveContract } from "./contracts.ts";
import {
  type GenericWrite,
  readRecordId,
  type RecordPath,
  requireGenericWrite,
} from "./module_access.ts";
import type { PublicRecord } from "./record.ts";
import { changeRecord, createRecord, type RecordServices } from "./writing.ts";

/** The writing endpoints of the Record Kernel (specification, Record Kernel routes 1, 4, 5, 6). */
export function createWriteEndpoints(services: RecordServices): WriteEndpoints {
  const { catalog } = services;

  const parsePath = (operation: GenericWrite) => (call: SignedInCall): RecordPath => {
    const module = requireGenericWrite(catalog, call.params.moduleCode, operation);
    refuseQuery(call.query);
    return { module, recordId: readRecordId(call.params.recordId) };
  };

  const move = (kind: "ARCHIVED" | "RESTORED", operation: GenericWrite) =>
    endpoint({
      contract: moveContract(
        catalog,
        kind === "ARCHIVED" ? "Archive a record" : "Restore an archived record",
      ),
      body: "optional-json",
      parse: parsePath(operation),
      async handle(call) {
        const { module, recordId } = call.parsed;
        const { expectedRevision } = readBody(MOVE_BODY, call.body);
        const command = recordCommand(call, operation, module, recordId);
        return answered(
          await changeRecord(services, command, {
            check: () => {},
            decide: (root) => decideMove(catalog, module, root, kind, expectedRevision, call.now),
          }),
        );
      },
    });

  return {
    create: endpoint({
      contract: createContract(catalog),
      body: "json",
      parse(call) {
        const module = requireGenericWrite(catalog, call.params.moduleCode, "record.create");
        refuseQuery(call.query);
        return module;
      },
      async handle(call) {
        const module = call.parsed;
        const body = readBody(CREATE_BODY, call.body);
        const command = recordCommand(call, "record.create", module, "");
        const { answer, replayed } = await createRecord(
          services,
          command,
          () => decideCreate(module, body, call.now),
        );
        const location = `/api/v2/records/${module.code}/${answer.recordId}`;
        return created(answer, location, replayHeader(replayed));
      },
    }),

    modify: endpoint({
      contract: modifyContract(catalog),
      body: "json",
      parse: parsePath("record.modify"),
      async handle(call) {
        const { module, recordId } = call.parsed;
        const body = readBody(MODIFY_BODY, call.body);
        const command = recordCommand(call, "record.modify", module, recordId);
        return answered(
          await changeRecord(services, command, {
            check: () => checkModify(module, body),
            decide: (root) => decideModify(catalog, module, root, body, call.now),
          }),
        );
      },
    }),

    archive: move("ARCHIVED", "record.archive"),
    restore: move("RESTORED", "record.restore"),
  };
}

/** One endpoint for each route. */
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

/** Marks a response as a replay. */
export function replayHeader(replayed: boolean): Record<string, string> {
  return replayed ? { "Idempotency-Replayed": "true" } : {};
}

function answered({ answer, replayed }: Outcome<PublicRecord>): Reply {
  return ok(answer, replayHeader(replayed));
}
