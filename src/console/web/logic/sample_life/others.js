/** The other records of the sample life. */

import { item } from "./calendar.js";

/** @type {LifePart} */
export function others(texts, on) {
  const { captures, knowledge, principles, places, communities, review, interviews } = texts;
  const each = (/** @type {Record<string, string[]>} */ some) => Object.entries(some);
  const [pattern = "", statement = ""] = texts.pattern;
  const [legacyTitle = "", releaseCondition = ""] = texts.legacy;
  /** @type {Record<string, object>} */
  const placeFields = {
    bench: { placeType: "NATURE", latitude: 54.287, longitude: 10.443 },
    house: { placeType: "HOME", latitude: 54.281, longitude: 10.431 },
    library: { placeType: "WORK", latitude: 54.279, longitude: 10.437 },
  };
  return [
    ...captures.map((originalContent, index) =>
      item(`capture-${index}`, "capture", originalContent, {
        contentType: "TEXT",
        originalContent,
        targetModule: "memory",
        capturedAt: on.at(-index - 1, 21),
        routeStatus: "INBOX",
      })
    ),
    ...each(knowledge).map(([key, [sourceTitle = "", author = "", annotation = ""]], index) =>
      item(`source-${key}`, "knowledge", sourceTitle, {
        sourceType: "BOOK",
        url: `urn:sample:${key}`,
        sourceTitle,
        author,
        annotation,
        readingStatus: ["READING", "READ", "UNREAD"][index],
      })
    ),
    ...each(principles).map(([key, [title = "", statement = ""]], index) =>
      item(`principle-${key}`, "constitution", title, {
        entryType: ["PRINCIPLE", "VALUE", "BOUNDARY"][index],
        statement,
        priority: index + 1,
      })
    ),
    ...each(places).map(([key, [placeName = "", notes = ""]]) =>
      item(`place-${key}`, "place", placeName, { placeName, notes, ...placeFields[key] })
    ),
    ...each(communities).map(([key, [communityName = "", role = ""]], index) =>
      item(`community-${key}`, "community", communityName, {
        communityName,
        communityType: ["NEIGHBOURHOOD", "HOBBY"][index],
        role,
      })
    ),
    item("review", "review", review.title, {
      reviewType: "WEEKLY",
      periodStart: on.at(-9, 0),
      periodEnd: on.at(-2, 0),
      reviewSummary: review.summary,
      achievements: review.achievements,
      nextActions: review.next,
    }),
    ...each(interviews).map(([key, [question = "", answer = ""]]) =>
      item(`question-${key}`, "interview", question, {
        question,
        interviewStatus: answer === "" ? "CANDIDATE" : "ANSWERED",
        ...(answer !== "" && { answer, askedAt: on.at(-30, 20) }),
      })
    ),
    item("pattern", "personal-model", pattern, {
      modelType: "BEHAVIOR_PATTERN",
      statement,
      confidence: 0.7,
      confirmed: true,
    }),
    item("legacy", "legacy", legacyTitle, {
      planType: "ENVELOPE",
      legacyTitle,
      releaseCondition,
      legacyStatus: "DRAFT",
    }),
  ];
}
