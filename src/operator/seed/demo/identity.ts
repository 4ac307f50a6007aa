import type { SampleIdentity } from "../sample.ts";

/**
 * Who the person of the sample life is, and was. There is no publication and no legacy plan: nothing of
 * a sample may become public.
 */
export const DEMO_IDENTITY: SampleIdentity = {
  profile: ({ ago }) => ({
    displayName: "Arne",
    lifeStage: "ADULTHOOD",
    startedAt: ago(4_000),
    biography: "Born by a lake, drawn to the coast.",
    tags: ["coasts", "sailing"],
  }),
  roles: [
    ({ ago }) => ({
      role: "Surveyor of coasts",
      changedAt: ago(4_000),
      reason: "The department was looking for somebody who does not mind a wet notebook.",
    }),
    ({ ago }) => ({
      role: "Project lead, digital sea charts",
      changedAt: ago(1_200),
      reason: "After the failed launch I wanted to be where one can say so in time.",
    }),
    ({ ago }) => ({
      role: "Surveyor of coasts, back in the old department",
      changedAt: ago(520),
      reason: "There is no tide at a desk.",
    }),
    // Entered late: the profile keeps the newer role.
    () => ({
      role: "Student on a research ship",
      changedAt: "2005-10-01T00:00:00Z",
      reason: "Forgotten at first, though everything since has come from it.",
    }),
  ],
  changes: [
    ({ ago }) => ({
      displayName: "Arne Lorenzen",
      lifeStage: "MIDLIFE",
      startedAt: ago(820),
      biography:
        "Born in a snowed-in March in Plön. Geography in Kiel, the last year of it mostly at sea. Since " +
        "then I measure coasts, which never stay where they were measured.",
    }),
    () => ({
      publicSummary: "Surveyor of coasts, father of two, late gardener.",
      tags: ["coasts", "plum trees", "Tuesday choir"],
    }),
  ],
  stages: [
    {
      stage: () => ({
        lifeStage: "CHILDHOOD",
        title: "The house by the lake",
        startedAt: "1981-03-08T00:00:00Z",
        endedAt: "1993-08-01T00:00:00Z",
        note: "Skating with father before school, and every July at grandmother's.",
      }),
    },
    {
      stage: () => ({
        lifeStage: "ADOLESCENCE",
        title: "A wall away from my brother",
        startedAt: "1993-08-01T00:00:00Z",
        endedAt: "2000-10-01T00:00:00Z",
      }),
    },
    {
      stage: () => ({
        lifeStage: "EARLY_ADULTHOOD",
        title: "Kiel, and the ship",
        startedAt: "2000-10-01T00:00:00Z",
        endedAt: "2006-10-01T00:00:00Z",
        note: "The bicycle tour with Mirko belongs here, whichever summer it was.",
      }),
    },
    {
      stage: () => ({
        lifeStage: "TRANSITION",
        title: "2009",
        startedAt: "2009-01-01T00:00:00Z",
        endedAt: "2010-01-01T00:00:00Z",
      }),
      archived: true,
    },
    {
      stage: ({ ago }) => ({
        lifeStage: "ADULTHOOD",
        title: "Work, and then a family, in Lübeck",
        startedAt: ago(4_000),
      }),
      // It has to end before the next one begins.
      changes: [({ ago }) => ({
        endedAt: ago(820),
        note: "It ended with the key to the allotment, as it looks from here.",
      })],
    },
    {
      stage: ({ ago }) => ({
        lifeStage: "MIDLIFE",
        title: "The years of the plum tree",
        startedAt: ago(820),
      }),
      changes: [() => ({ note: "Fewer things, longer." })],
    },
  ],
  snapshots: [
    () => ({
      label: "At nineteen, the evening before Kiel",
      asOf: "2000-09-30T19:00:00Z",
      fields: {
        displayName: "Arne",
        currentRole: "Nothing yet, and in no hurry",
        lifeStage: "ADOLESCENCE",
        endedAt: "2000-10-01T00:00:00Z",
        biography:
          "I am certain of two things: that sport is for others, and that I shall not come back.",
        tags: ["sailing", "leaving"],
      },
    }),
    () => ({ label: "Before the half marathon" }),
  ],
  comparisons: [
    ({ id }) => ({
      left: { kind: "SNAPSHOT", snapshotId: id("snapshot/At nineteen, the evening before Kiel") },
      right: { kind: "SNAPSHOT", snapshotId: id("snapshot/Before the half marathon") },
    }),
    ({ id }) => ({
      left: { kind: "PROFILE_REVISION", revision: 1 },
      right: { kind: "SNAPSHOT", snapshotId: id("snapshot/Before the half marathon") },
    }),
  ],
};
