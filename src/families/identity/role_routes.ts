/** IDN-003: the history of roles. */

import type { PlannedWrite } from "../../command/command.ts";
import { entryEndpoints } from "../../kit/entry.ts";
import { fieldsBody } from "../../kit/fields.ts";
import type { FamilyServices } from "../../kit/write.ts";
import type { Endpoint } from "../../http/route.ts";
import { PROFILES } from "./profile_store.ts";
import {
  type DecidedRole,
  decideRole,
  readRole,
  type Role,
  ROLE_FIELDS,
  showRole,
} from "./role.ts";
import { readPresentRoles, ROLES, writeRole } from "./role_store.ts";

export function createRoleEndpoints(
  services: FamilyServices,
): Readonly<Record<"append" | "list" | "detail", Endpoint>> {
  return entryEndpoints(services, PROFILES, ROLES, {
    append: {
      summary: "Add a role; the newest becomes the profile's current role",
      body: fieldsBody(ROLE_FIELDS.fields),
      example: { role: "Engineer", changedAt: "2020-04-01T08:00:00Z", reason: "A new firm." },
      missing: "IDENTITY_STATE_CONFLICT",
      check: (body, now) => void readRole(body, now),
      related: (sql, { role_id }, _body, { caller }) =>
        readPresentRoles(sql, caller.account.accountId, role_id),
      decide: (profile, body, { call: { caller, now }, related }) =>
        roleWrite(
          caller.account.accountId,
          decideRole(profile, related, readRole(body, now), now),
        ),
    },
    list: { summary: "List the roles, newest first", isEmptyWithoutRoot: true },
    detail: { summary: "Read a role" },
  });
}

export function roleWrite(owner: string, decided: DecidedRole): PlannedWrite<Role> {
  return {
    subjectId: decided.role.role_id,
    revision: null,
    result: showRole(decided.role),
    statement: (sql, ledger) => writeRole(sql, ledger, owner, decided),
  };
}
