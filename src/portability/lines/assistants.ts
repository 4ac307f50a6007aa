import { PROPOSAL_KINDS } from "../../assistants/proposal.ts";
import { lineType } from "../description.ts";
import { anyId, id, integer, object, oneOf, optional, stamp, text } from "../kinds.ts";
import { moduleCode } from "./shared.ts";

/** Proposals of assistants, and their decisions. The assistants are credentials of one server. */
export const ASSISTANT_PROPOSAL_LINES = lineType("assistantProposal", {
  table: "assistant_proposals",
  columns: {
    proposal_id: id,
    assistant_id: anyId,
    assistant_name: text,
    kind: oneOf(PROPOSAL_KINDS),
    module_code: moduleCode,
    target: optional(id),
    expected_revision: optional(integer),
    body: object,
    created_at: stamp,
  },
  lists: [{
    member: "events",
    table: "assistant_proposal_events",
    inherited: ["proposal_id", "target"],
    columns: {
      state: text,
      decided_at: stamp,
      record_id: optional(id),
      revision: optional(integer),
    },
  }],
});
