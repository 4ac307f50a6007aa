/** Sources of evaluations, against a second statement of the rules. */

import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { sha256Hex } from "../../../../src/core/digest.ts";
import type { PersonRow } from "../../../../src/families/relationship/person.ts";
import { PRIVACY_LEVELS } from "../../../../src/kit/stored_ledger.ts";
import {
  providerInput,
  sourceDigest,
  type SourceEntry,
  type Sources,
} from "../../../../src/families/relationship/sources.ts";
import { type Random, seededRandom } from "../../../support/random.ts";

const RUNS = 300;

function randomEntry(random: Random): SourceEntry {
  const privacy = random.integer(0, 2);
  const content = `word ${random.text(1, 12)}`;
  return {
    evidence_id: random.ulid(),
    stance: random.pick(["SUPPORTING", "COUNTER"]),
    source_kind: random.pick(["OBSERVATION", "MESSAGE", "OTHER"]),
    content_hash: sha256Hex(content),
    privacy: PRIVACY_LEVELS[privacy] ?? "SECRET",
    effective_privacy: PRIVACY_LEVELS[random.integer(privacy, 2)] ?? "SECRET",
    provider_consent: random.chance(0.5),
    content,
  };
}

function randomSources(random: Random): Sources {
  const optional = <T>(value: T) => random.chance(0.5) ? value : null;
  const person: PersonRow = {
    person_id: random.ulid(),
    revision: random.integer(1, 9),
    revision_id: random.ulid(),
    created_at: new Date(0),
    updated_at: new Date(0),
    archived_at: null,
    person_name: `name ${random.text(1, 12)}`,
    relationship_type: random.pick(["FRIEND", "FAMILY"]),
    importance: random.integer(1, 5),
    last_contact_at: optional(new Date(random.integer(0, 1e9))),
    clocks: optional('{"lastContactAt":"+09:00[Asia/Tokyo]"}'),
    desired_contact_interval_days: optional(random.integer(1, 99)),
    opinion: optional(`opinion ${random.text(1, 12)}`),
    evidence: optional(`evidence ${random.text(1, 12)}`),
    counter_evidence: optional(`counter ${random.text(1, 12)}`),
    status: "ACTIVE",
    status_before: null,
    current_evaluation_revision: null,
  };
  const entries = Array.from({ length: random.integer(0, 6) }, () => randomEntry(random));
  return { person, entries };
}

/** Whether text may leave, and whether an entry is a source. */
function naive({ privacy, effective_privacy, provider_consent }: SourceEntry) {
  const wasMadeSecret = effective_privacy === "SECRET" && privacy !== "SECRET";
  const mayLeave = provider_consent && !wasMadeSecret;
  return { mayLeave, isTaken: effective_privacy !== "SECRET" || mayLeave };
}

Deno.test("A provider receives exactly what both consents allow", () => {
  const random = seededRandom(1);
  for (let run = 0; run < RUNS; run++) {
    const sources = randomSources(random);
    const { person, entries } = sources;
    const taken = entries.filter((each) => naive(each).isTaken);
    const always = {
      relationshipType: person.relationship_type,
      importance: person.importance,
      lastContactAt: person.last_contact_at?.toISOString() ?? null,
      desiredContactIntervalDays: person.desired_contact_interval_days,
      evidenceCounts: {
        supporting: taken.filter(({ stance }) => stance === "SUPPORTING").length,
        counter: taken.filter(({ stance }) => stance === "COUNTER").length,
      },
    };
    assertEquals(providerInput(sources, false), always);
    assertEquals(providerInput(sources, true), {
      ...always,
      consented: {
        personName: person.person_name,
        opinion: person.opinion,
        evidence: person.evidence,
        counterEvidence: person.counter_evidence,
        entries: entries.filter((each) => naive(each).mayLeave).map((each) => ({
          stance: each.stance,
          sourceKind: each.source_kind,
          content: each.content ?? "",
        })),
      },
    });
    const sent = JSON.stringify(providerInput(sources, true));
    for (const id of [person.person_id, ...entries.map((each) => each.evidence_id)]) {
      assert(!sent.includes(id), "An identifier leaves");
    }
  }
});

/** One source changed. */
function drifted(sources: Sources, random: Random): Sources {
  const { person, entries } = sources;
  const change = (columns: Partial<PersonRow>) => ({
    ...sources,
    person: { ...person, ...columns },
  });
  const index = random.integer(0, entries.length - 1);
  const replaced = (columns: Partial<SourceEntry>) => ({
    ...sources,
    entries: entries.map((each, at) => at === index ? { ...each, ...columns } : each),
  });
  const changes: (() => Sources)[] = [
    () => change({ person_id: random.ulid() }),
    () => change({ revision: person.revision + 1 }),
    () => change({ person_name: `${person.person_name}!` }),
    () => change({ relationship_type: "OTHER" }),
    () => change({ importance: person.importance % 5 + 1 }),
    () => change({ last_contact_at: new Date(2e12) }),
    () => change({ desired_contact_interval_days: 100 }),
    () => change({ opinion: `${person.opinion}!` }),
    () => change({ evidence: `${person.evidence}!` }),
    () => change({ counter_evidence: `${person.counter_evidence}!` }),
    () => ({
      ...sources,
      entries: [...entries, { ...randomEntry(random), effective_privacy: "NORMAL" }],
    }),
  ];
  const entry = entries[index];
  if (entry !== undefined && naive(entry).isTaken) {
    changes.push(
      () => replaced({ evidence_id: random.ulid() }),
      () => replaced({ content_hash: sha256Hex("another") }),
      () => ({ ...sources, entries: entries.filter((each) => each !== entry) }),
    );
    if (entry.effective_privacy !== "SECRET") {
      changes.push(() => replaced({ effective_privacy: "SECRET" }));
      const other = entry.effective_privacy === "NORMAL" ? "PRIVATE" : "NORMAL";
      changes.push(() => replaced({ effective_privacy: other }));
    }
  }
  return random.pick(changes)();
}

Deno.test("The digest covers exactly the sources", () => {
  const random = seededRandom(2);
  for (let run = 0; run < RUNS; run++) {
    const sources = randomSources(random);
    const digest = sourceDigest(sources);
    assertNotEquals(sourceDigest(drifted(sources, random)), digest);
    const same: Sources = {
      person: {
        ...sources.person,
        updated_at: new Date(1),
        clocks: '{"lastContactAt":"+09:00[Asia/Tokyo]"}',
        status: "PAUSED",
        archived_at: new Date(1),
      },
      entries: [
        ...sources.entries.map((each) => ({ ...each, content: null })),
        { ...randomEntry(random), effective_privacy: "SECRET", provider_consent: false },
        { ...randomEntry(random), privacy: "PRIVATE", effective_privacy: "SECRET" },
      ],
    };
    assertEquals(sourceDigest(same), digest);
    // Consent matters only for SECRET entries.
    const consents = sources.entries.map((each) =>
      each.effective_privacy === "SECRET"
        ? each
        : { ...each, provider_consent: !each.provider_consent }
    );
    assertEquals(sourceDigest({ ...sources, entries: consents }), digest);
  }
});
