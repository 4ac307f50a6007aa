/** Rules for controls of evidence; the storage enforces them too. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { ServiceError } from "../../../../src/errors/service_error.ts";
import { type EvidenceRow, newEvidence } from "../../../../src/families/relationship/evidence.ts";
import { EVIDENCE_LEDGER } from "../../../../src/families/relationship/evidence_store.ts";
import { type ControlBody, withoutControls } from "../../../../src/kit/controlled_ledger.ts";
import { PRIVACY_LEVELS } from "../../../../src/kit/stored_ledger.ts";

const PERSON = ulid();

function newRow(columns: Partial<EvidenceRow> = {}): EvidenceRow {
  const stated = {
    stance: "COUNTER",
    content: "Late.",
    source_kind: "OTHER",
    source_ref: null,
    privacy: "NORMAL",
    provider_consent: false,
  } as const;
  return { ...newEvidence(PERSON, stated, new Date(0)), ...columns };
}

/** The change or the error code. */
function outcomeOf(
  before: EvidenceRow,
  body: ControlBody,
  superseding: EvidenceRow | null = null,
): unknown {
  try {
    const after = EVIDENCE_LEDGER.decide(before, body, superseding);
    return after === before ? "nothing" : Object.fromEntries(
      Object.entries(after).filter(([name, value]) => value !== before[name as keyof EvidenceRow]),
    );
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

const CONFLICT = "RELATIONSHIP_ENTRY_CONFLICT";

Deno.test("Live evidence is retracted, or superseded by other live evidence about its person", () => {
  const [one, other] = [newRow(), newRow()];
  const retraction = { kind: "RETRACTED" } as const;
  const supersession = { kind: "SUPERSEDED", supersededBy: other.evidence_id } as const;
  assertEquals(outcomeOf(one, retraction), { state: "RETRACTED" });
  assertEquals(outcomeOf(one, supersession, other), {
    state: "SUPERSEDED",
    superseded_by: other.evidence_id,
  });
  const unfit = [one, { ...other, person_id: ulid() }, newRow({ state: "RETRACTED" })];
  for (const each of [...unfit, newRow({ state: "SUPERSEDED" })]) {
    assertEquals(outcomeOf(one, supersession, each), CONFLICT);
  }
  for (const state of ["SUPERSEDED", "RETRACTED"] as const) {
    assertEquals(outcomeOf(newRow({ state }), retraction), CONFLICT);
    assertEquals(outcomeOf(newRow({ state }), supersession, other), CONFLICT);
  }
});

Deno.test("Privacy is raised from its current level, in every state", () => {
  for (const [now, effective_privacy] of PRIVACY_LEVELS.entries()) {
    for (const [next, privacy] of PRIVACY_LEVELS.entries()) {
      for (const state of ["LIVE", "SUPERSEDED", "RETRACTED"] as const) {
        const before = newRow({ effective_privacy, privacy_today: effective_privacy, state });
        const expected = next < now
          ? "PRIVACY_DOWNGRADE_FORBIDDEN"
          : next === now
          ? "nothing"
          : { effective_privacy: privacy, privacy_today: privacy };
        assertEquals(outcomeOf(before, { kind: "PRIVACY_RECLASSIFIED", privacy }), expected);
      }
    }
  }
});

Deno.test("Evidence at its creation is live, at its own level, and guarded by the current one", () => {
  const made = newRow();
  const today = {
    state: "SUPERSEDED",
    superseded_by: ulid(),
    effective_privacy: "SECRET",
    privacy_today: "SECRET",
  } as const;
  assertEquals(withoutControls({ ...made, ...today }), { ...made, privacy_today: "SECRET" });
});
