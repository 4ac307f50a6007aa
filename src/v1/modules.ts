/** Modules of version 1, and their remaining behaviour. */

import type { Permission } from "../access/permissions.ts";
import type { LegacyWriteCode } from "../errors/codes.ts";
import type { RouteHeaders } from "../http/contract.ts";

export interface LegacyModule {
  readonly code: string;
  readonly readPermission: Permission;
  readonly writePermission: Permission;
  readonly writeCode: LegacyWriteCode;
  readonly headers: RouteHeaders;
}

/** Deprecation date in seconds since 1970: 20 November 2026. */
const DEPRECATED_SINCE = 1_795_132_800;

export const LEGACY_MODULES = {
  identity: {
    code: "identity",
    readPermission: "identity.read",
    writePermission: "identity.write",
    writeCode: "IDENTITY_LEGACY_WRITE_DISABLED",
    headers: headersTo("/api/v2/identity/profile"),
  },
  relationship: {
    code: "relationship",
    readPermission: "relationship.person.read",
    writePermission: "relationship.person.write",
    writeCode: "RELATIONSHIP_LEGACY_WRITE_DISABLED",
    headers: headersTo("/api/v2/relationship/people"),
  },
  resource: {
    code: "resource",
    readPermission: "resource.read",
    writePermission: "resource.write",
    writeCode: "RESOURCE_LEGACY_WRITE_DISABLED",
    headers: headersTo("/api/v2/resource/resources"),
  },
} as const satisfies Record<string, LegacyModule>;

export type LegacyModuleCode = keyof typeof LEGACY_MODULES;

function headersTo(successor: string): RouteHeaders {
  return {
    Deprecation: `@${DEPRECATED_SINCE}`,
    Link: `<${successor}>; rel="successor-version"`,
  };
}
