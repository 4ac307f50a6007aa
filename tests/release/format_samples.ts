/** Public repositories with exports of other products. */

export interface SampleRow {
  /** Owner and name at GitHub; a clone is in that folder of `IMPORT_SAMPLES/repositories`. */
  readonly repository: string;
  /** Paths of files in it, or of folders, which are zipped. */
  readonly paths: RegExp;
  /** Null for files of further products, which every format has to survive. */
  readonly format: string | null;
  readonly isFolder?: boolean;
  readonly mapping?: Readonly<Record<string, string>>;
  /** The name of a counter other than the format's; null for no count. */
  readonly counter?: string | null;
}

function rows(
  format: string | null,
  paths: RegExp,
  repositories: string,
  more: Partial<SampleRow> = {},
): readonly SampleRow[] {
  return repositories.split(" ").map((repository) => ({ repository, paths, format, ...more }));
}

function tables(
  preset: string,
  paths: RegExp,
  repositories: string,
  more: Partial<SampleRow> = {},
) {
  return rows("csv", paths, repositories, { mapping: { preset, timeZone: "UTC" }, ...more });
}

const ENEX =
  "akosbalasko/yarle dogsheep/evernote-to-sqlite don-reba/peoples-note fabiospampinato/enex-dump " +
  "laurent22/joplin marph91/jimmy-test-data obsidianmd/obsidian-importer " +
  "streetwriters/notesnook-importer wormi4ok/evernote2md zerobase/enml2md";
const CALENDARS = "apple/ccs-calendarserver collective/icalendar ical-org/ical.net ical4j/ical4j " +
  "icalendar/icalendar jens-maus/node-ical kewisch/ical.js libical/libical " +
  "mozilla/releases-comm-central niccokunzmann/python-recurring-ical-events pimutils/khal " +
  "u01jmg3/ics-parser";
const JOPLIN = "marph91/jimmy-test-data streetwriters/notesnook-importer tjnull/TJ-JPT " +
  "tjnull/TJ-OSINT-Notebook";
const KEEP = "marph91/jimmy-test-data streetwriters/notesnook-importer";
const BUNDLES = "marph91/jimmy-test-data obsidianmd/obsidian-importer";
const HEALTH = "alxdrcirilo/apple-health-parser dogsheep/healthkit-to-sqlite " +
  "tagbug/apple-health-analyzer";
const OTHERS =
  "Freika/dawarich iSoron/uhabits marph91/jimmy-test-data streetwriters/notesnook-importer";
const FOLDER = { isFolder: true };
const DAYLIO = { counter: "daylio" };
const LOOP = { counter: "loop" };

const TIMELINE =
  /google\/(?!edge).*\.json$|array_timeline|with_bom|\/(?:location-history|Records)\.json$/;
const OTHER_FILES =
  /\.(?:csv|db|fit|gpx|html|km[lz]|opml|rec|tcx|xml)$|(?:standard|simple|up_?note|zoho).*\.(?:json|zip)$/;

export const SAMPLES: readonly SampleRow[] = [
  ...rows("enex", /\.enex$/, ENEX),
  ...rows("joplin", /\.jex$/, JOPLIN),
  ...rows("google-keep", /(?:keep\/.*|takeout2?)\.(?:zip|tgz)$/, KEEP),
  ...rows("google-keep", /^tests\/keep$/, "obsidianmd/obsidian-importer", FOLDER),
  ...rows("google-keep", /^Takeout$/, "devguilhermy/google-keep-visualizer", FOLDER),
  ...rows(
    "textbundle",
    /\.(?:bear2bk|textpack)$|Ulysses Export\.zip$|bundle-v2\.zip$/,
    `${BUNDLES} streetwriters/notesnook-importer`,
  ),
  ...rows("textbundle", /\.textbundle$/, BUNDLES, FOLDER),
  ...rows("journey", /journey-.*\.zip$/, "andi0b/journey-markdown-converter"),
  ...rows("ical", /^(?!.*(?:zoneinfo[^/]*|timezones)\/).*(?:\.ics|calendar\.\d+\.tgz)$/, CALENDARS),
  ...rows("google-timeline", TIMELINE, "Freika/dawarich"),
  ...rows("google-timeline", /google-timeline.*\.json$/, "tess1o/geopulse"),
  ...rows("google-timeline", /sample.*\.json$/, "mahlernim/google-timeline-visualizer"),
  ...rows("apple-health", /(?:export|fixtures\/.*)\.(?:xml|zip)$/, HEALTH),
  ...tables("daylio", /sample.*\.csv$/, "MichaelCurrin/daylio-csv-parser", DAYLIO),
  ...tables("daylio", /test_data\.csv$/, "staticf0x/daylio-parser", DAYLIO),
  ...tables("goodreads", /goodreads.*\.csv$/, "DrKenReid/GoodReadsCSV bookwyrm-social/bookwyrm"),
  ...tables("loop", /csv_export\/Checkmarks\.csv$/, "iSoron/uhabits", LOOP),
  ...tables("loop", /csv_export$/, "iSoron/uhabits", { ...LOOP, ...FOLDER }),
  ...tables("pocket", /\.csv$/, "sbargy/pocket-bookmarker-tools"),
  ...tables("storygraph", /\/storygraph\.csv$/, "bookwyrm-social/bookwyrm"),
  ...rows("day-one", /day[-_]?one.*\.zip$/, "Automattic/day-one-to-wp marph91/jimmy-test-data", {
    counter: null,
  }),
  ...rows(null, OTHER_FILES, OTHERS, { counter: null }),
];

type Facts = Readonly<Record<string, unknown>>;

const ENCRYPTED = { refused: ["note.encrypted"] };

/** The facts of samples that differ from the plain ones. */
export const EXCEPTIONS: Readonly<Record<string, Facts>> = {
  "marph91/jimmy-test-data/test_data/bear/test_1_frontmatter/backup.bear2bk": ENCRYPTED,
  "marph91/jimmy-test-data/test_data/bear/test_2/backup-2.bear2bk": ENCRYPTED,
  "obsidianmd/obsidian-importer/tests/bear/backup-2.bear2bk": ENCRYPTED,
  "obsidianmd/obsidian-importer/tests/bear/backup.bear2bk": ENCRYPTED,
  // Another program's notes are in the folder, too.
  "obsidianmd/obsidian-importer/tests/keep": { looksLike: ["markdown"] },
  // Its tags do not match.
  "akosbalasko/yarle/test/data/test.enex": { refusal: "xml.end" },
  "marph91/jimmy-test-data/test_data/evernote/test_3/yarle/test.enex": { refusal: "xml.end" },
};
