/** MEM-007: privacy of a memory. */

import { changeEndpoint } from "../../kit/write_routes.ts";
import { type ProofServices, spendProof } from "../../kit/proof.ts";
import type { Endpoint } from "../../http/route.ts";
import { decidePrivacy, isLowering } from "./memory_rules.ts";
import { PRIVACY_BODY } from "./memory_schema.ts";
import { MEMORIES } from "./memory_store.ts";

/** Raising the level needs no proof; lowering does. */
export function createPrivacyEndpoints(
  services: ProofServices,
): Readonly<Record<"setPrivacy", Endpoint>> {
  return {
    setPrivacy: changeEndpoint(services, MEMORIES, {
      summary: "Set the privacy of a memory; lowering requires a step-up proof",
      body: PRIVACY_BODY,
      example: { expectedRevision: 1, privacyLevel: "SECRET" },
      stepUp: "MEMORY_PRIVACY_DOWNGRADE",
      errors: ["PRIVACY_DOWNGRADE_FORBIDDEN"],
      decide(memory, body, now, { call }) {
        const next = decidePrivacy(memory, body, now);
        if (!isLowering(memory.privacy_level, body.privacyLevel)) return next;
        const use = { purpose: "MEMORY_PRIVACY_DOWNGRADE", targetId: memory.memory_id } as const;
        const impossible = "PRIVACY_DOWNGRADE_FORBIDDEN";
        return { ...next, verify: (sql) => spendProof(services, call, sql, use, impossible) };
      },
    }),
  };
}
