import { datetime, feature, json, select, text } from "../fields.ts";
import type { CatalogModule } from "../module.ts";
import { isSelected, notInTheFuture, rule, withoutCredentials } from "../rules.ts";

const ONCE_AUTHORIZED = {
  field: "authorizationStatus",
  options: ["AUTHORIZED", "EXPIRED", "REVOKED"],
};

const MANUAL_IMPORT = { field: "importMode", options: ["MANUAL"] };

const WITHOUT_CREDENTIALS = withoutCredentials("mappingConfig");

export const INTEGRATION: CatalogModule = {
  code: "integration",
  prefix: "ING",
  group: "Public and continuity",
  completion: "partial",
  access: "GENERIC",
  fields: [
    select("connectorType", [
      "WATCH",
      "PHONE",
      "MUSIC",
      "CHAT",
      "PHOTO",
      "MAP",
      "CALENDAR",
      "EMAIL",
      "FILE",
      "OTHER",
    ], { required: true }),
    text("provider", { required: true }),
    text("accountAlias"),
    select(
      "authorizationStatus",
      ["NOT_AUTHORIZED", "PENDING", "AUTHORIZED", "EXPIRED", "REVOKED"],
      { required: true },
    ),
    datetime("lastSyncAt"),
    select("importMode", ["MANUAL", "SCHEDULED", "CONTINUOUS"], { required: true }),
    json("mappingConfig"),
    select("auditStatus", ["NOT_AUDITED", "CLEAN", "FLAGGED"], { required: true }),
  ],
  times: ["lastSyncAt"],
  rules: [
    rule(
      "integration.last_sync_at_not_in_the_future",
      "lastSyncAt is not in the future",
      notInTheFuture("lastSyncAt"),
    ),
    rule(
      "integration.last_sync_at_requires_authorization",
      "lastSyncAt requires authorizationStatus AUTHORIZED, EXPIRED or REVOKED, or " +
        "importMode MANUAL",
      {
        fields: ["lastSyncAt", "authorizationStatus", "importMode"],
        holds: (payload) =>
          payload.time("lastSyncAt") === undefined ||
          isSelected(payload, ONCE_AUTHORIZED) !== false ||
          isSelected(payload, MANUAL_IMPORT) !== false,
      },
    ),
    rule(
      "integration.mapping_config_without_credentials",
      "mappingConfig is a JSON object; credential-like keys or values are refused",
      {
        fields: ["mappingConfig"],
        holds: (payload, context) =>
          !Array.isArray(payload.json("mappingConfig")) &&
          WITHOUT_CREDENTIALS.holds(payload, context),
      },
    ),
  ],
  features: [
    feature("ING-001", "connector registration", "record", "V1.0"),
    feature("ING-002", "device authorization", "record", "V1.0", {
      annotations: ["EXTERNAL_BLOCKER"],
    }),
    feature("ING-003", "watch data import", "import", "V1.0", {
      annotations: ["EXTERNAL_BLOCKER"],
    }),
    feature("ING-004", "music history import", "import", "V1.0", {
      annotations: ["EXTERNAL_BLOCKER"],
    }),
    feature("ING-005", "manual chat import", "import", "V2.0"),
    feature("ING-006", "photo import", "import", "V2.0", { annotations: ["EXTERNAL_BLOCKER"] }),
    feature("ING-007", "map integration", "record", "V2.0", { annotations: ["EXTERNAL_BLOCKER"] }),
    feature("ING-008", "sync audit and revocation", "analyze", "V3.0"),
  ],
};
