import type { ProviderInput } from "../sources.ts";
import type { EvaluationProvider } from "./provider.ts";

/** The built-in provider. It states only counts, quotes nothing, and is deterministic. */
export const localSummary: EvaluationProvider = {
  name: "local-summary",
  model: null,
  propose: ({ evidenceCounts }) => Promise.resolve(summarise(evidenceCounts)),
};

function summarise({ supporting, counter }: ProviderInput["evidenceCounts"]): string {
  const support = `${supporting} ${supporting === 1 ? "entry supports" : "entries support"}`;
  const against = `${counter} ${counter === 1 ? "entry counters" : "entries counter"}`;
  return `Of the evidence kept, ${support} and ${against} what is thought of this person.`;
}
