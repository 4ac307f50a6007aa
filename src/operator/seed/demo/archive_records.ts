/** What the person of the sample life has kept, read, seen and lived through. */

import { readSample, type SampleRecord } from "../sample.ts";

export const ARCHIVE_RECORDS: readonly SampleRecord[] = [
  readSample("timeline", "Born in the house by the lake", () => ({
    eventType: "BIRTH",
    eventTitle: "Born in the house by the lake",
    eventDescription: "A home birth in a snowed-in March, as mother tells it.",
    startAt: "1981-03-08T00:00:00Z",
    timePrecision: "DAY",
    location: "Plön",
  })),
  readSample("timeline", "Studied geography in Kiel", () => ({
    eventType: "EDUCATION",
    eventTitle: "Studied geography in Kiel",
    eventDescription: "Six years, the last of them mostly on a research ship.",
    startAt: "2000-10-01T00:00:00Z",
    endAt: "2006-09-30T00:00:00Z",
    timePrecision: "MONTH",
    location: "Kiel",
  })),
  readSample("timeline", "The summers at grandmother's", () => ({
    eventType: "FAMILY",
    eventTitle: "The summers at grandmother's",
    eventDescription: "Every July, until the house was sold.",
    timePrecision: "LIFE_PERIOD",
    timeText: "Childhood",
    location: "Mill Street",
  })),
  readSample("timeline", "Lena is born", ({ ago }) => ({
    eventType: "FAMILY",
    eventTitle: "Lena is born",
    eventDescription: "At twenty past five, when the rain stopped.",
    startAt: ago(3_100, 5),
    timePrecision: "EXACT",
    location: "Lübeck",
  })),
  readSample("timeline", "The summer of the bicycle tour", () => ({
    eventType: "TRAVEL",
    eventTitle: "The summer of the bicycle tour",
    eventDescription: "Down the Loire with Mirko, eleven punctures.",
    startAt: "2004-07-01T00:00:00Z",
    timePrecision: "SEASON",
  }), {
    changes: [{
      title: "The bicycle tour, whenever it was",
      payload: () => ({ timePrecision: "UNKNOWN", timeText: "Mirko says it was a year later" }),
    }],
  }),

  readSample("place", "The allotment", ({ ago }) => ({
    placeName: "Plot 41, Sonnenhang",
    placeType: "NATURE",
    latitude: 53.868,
    longitude: 10.687,
    firstVisitedAt: ago(820),
    lastVisitedAt: ago(4, 16),
    notes: "The gate sticks; lift and push. Plums ripe at the end of August.",
  })),
  readSample("place", "The house in Mill Street", () => ({
    placeName: "The house in Mill Street",
    placeType: "HOME",
    address: "Mill Street 7",
    firstVisitedAt: "1981-07-01T00:00:00Z",
    lastVisitedAt: "1996-08-30T00:00:00Z",
    notes: "Grandmother's. Sold, and painted white since.",
  })),
  readSample("place", "The café by the canal", ({ ago }) => ({
    placeName: "Café am Kanal",
    placeType: "VENUE",
    firstVisitedAt: ago(2_000),
    lastVisitedAt: ago(600),
  }), { summary: "Closed for good.", archived: true }),

  readSample("knowledge", "Seeing Like a State", () => ({
    sourceType: "BOOK",
    url: "isbn:9780300078152",
    sourceTitle: "Seeing Like a State",
    author: "James C. Scott",
    annotation: "Legibility: what a plan can see becomes what there is.",
    readingStatus: "READ",
  })),
  readSample("knowledge", "The psychology of life stories", () => ({
    sourceType: "PAPER",
    url: "doi:10.1037/1089-2680.5.2.100",
    sourceTitle: "The psychology of life stories",
    author: "Dan P. McAdams",
    publishedAt: "2001-06-01T00:00:00Z",
    readingStatus: "UNREAD",
  }), {
    changes: [{ payload: () => ({ readingStatus: "READING", annotation: "Start at page 110." }) }],
  }),
  readSample("knowledge", "Pruning plum trees", () => ({
    sourceType: "WEBPAGE",
    url: "https://example.org/garden/pruning-plum-trees",
    sourceTitle: "Pruning plum trees",
    snapshot: "Prune after the harvest, on a dry day, never in winter.",
    readingStatus: "REFERENCE",
  })),

  readSample("capture", "Lena's sentence about the moon", ({ ago }) => ({
    contentType: "TEXT",
    originalContent: "Lena: the moon comes with us because it does not want to miss anything.",
    targetModule: "memory",
    sourceApp: "MOBILE",
    capturedAt: ago(2, 20),
    routeStatus: "INBOX",
  })),
  readSample("capture", "Recipe from grandmother's tin", ({ ago, id }) => ({
    contentType: "FILE",
    originalContent: "The plum cake, copied from the card before it falls apart.",
    targetModule: "media",
    sourceApp: "WEB",
    capturedAt: ago(30, 15),
    attachmentIds: [id("grandmothers-plum-cake.txt")],
    routeStatus: "SUGGESTED",
  }), { changes: [{ payload: () => ({ routeStatus: "ROUTED" }) }] }),
  readSample("capture", "An offer for a newspaper", ({ ago }) => ({
    contentType: "LINK",
    originalContent: "https://example.org/offer",
    targetModule: "knowledge",
    sourceApp: "SHARE_SHEET",
    capturedAt: ago(15, 11),
    routeStatus: "DISMISSED",
  }), { archived: true }),

  readSample("media", "Grandmother's plum cake", ({ id }) => ({
    mediaType: "DOCUMENT",
    fileId: id("grandmothers-plum-cake.txt"),
    context: "From the tin on top of her cupboard.",
    reason: "The card is falling apart.",
    transcription: "If they do not stand like soldiers, it is no plum cake.",
  })),
  readSample("media", "Plan of the allotment", ({ id, ago }) => ({
    mediaType: "OTHER",
    fileId: id("allotment-plan.svg"),
    description: "Two beds, the plum tree, the shed.",
    recordedAt: ago(800),
  }), { changes: [{ payload: () => ({ context: "Drawn before the second bed was dug." }) }] }),
];
