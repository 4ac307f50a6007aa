/** `prs fetch monica` before a server that fails, changes its records, or is another one. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { MonicaPlace, runFetch } from "../../support/monica_place.ts";
import type { Fault } from "../../support/monica_server.ts";

function status(code: number, headers: HeadersInit = {}): Response {
  return new Response(`<h1>${code}</h1>`, { status: code, headers });
}

/** An answer whose body ends before its end. */
function cut(): Response {
  const start = Uint8Array.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
  return new Response(start, { headers: { "Content-Encoding": "gzip" } });
}

/** A page of a list with one record. */
function pageWith(uuid: string, total: number): Response {
  const record = { id: 1, uuid, object: "note", body: "?", contact: null };
  return Response.json({ data: [record], meta: { total } });
}

/** A person who is read alone, and names another one. */
const FINN = {
  id: 6,
  uuid: "finn",
  object: "contact",
  first_name: "Finn",
  information: {
    how_you_met: { first_met_through_contact: { id: 7, uuid: "gus", object: "contact" } },
  },
};

Deno.test("Faults that pass leave the bytes of a run without them", async () => {
  await using place = new MonicaPlace();
  const { file } = await place.run();
  const date = "Sun, 29 Nov 2026 10:00:00 GMT";
  const faults: readonly (() => Response)[] = [
    () => status(429),
    () => status(429, { "Retry-After": "7" }),
    () => status(429, { "Retry-After": "0" }),
    () => status(503, { "Retry-After": "Sun, 29 Nov 2026 10:02:00 GMT", Date: date }),
    () => status(503),
    () => status(500),
    () => status(502),
    cut,
  ];
  // Each request meets another two of them.
  let number = 0;
  const first = new Map<string, number>();
  const fault: Fault = (path, count) => {
    if (!first.has(path)) first.set(path, number++);
    const index = Number(first.get(path)) + count;
    return count % 3 === 2 ? null : faults[index % faults.length]?.() ?? null;
  };
  place.server.resetCounts();
  const end = await place.run({ fault });
  assertEquals([end.code, end.file === file], [0, true], end.error);
  const asked = new Set(end.pauses.filter((pause) => pause >= 1));
  assertEquals(asked, new Set([60, 7, 1, 120]));
  assertStringIncludes(end.error, "Monica asks to wait 120 seconds\n");
});

Deno.test("Records of equal times at the border of two pages are found by other readings", async () => {
  await using place = new MonicaPlace();
  const end = await place.run();
  const { account } = JSON.parse(end.file);
  const [contacts] = account.data;
  const notes = contacts.values.flatMap(({ data }: { data: { type: string; count: number }[] }) =>
    data.filter(({ type }) => type === "note").map(({ count }) => count)
  );
  // 105 notes, and one of how they met.
  assertEquals(notes.reduce((sum: number, count: number) => sum + count, 0), 106);
  const read = place.server.requests.filter((request) => /\/(?:notes|photos)\?/.test(request));
  assertEquals(read.map((request) => request.replace("GET /api/", "")), [
    "notes?limit=100&page=1&sort=created_at",
    "notes?limit=100&page=2&sort=created_at",
    "notes?limit=100&page=1&sort=-created_at",
    "notes?limit=100&page=2&sort=-created_at",
    "photos?limit=10&page=1&sort=created_at",
    "photos?limit=10&page=2&sort=created_at",
    "photos?limit=10&page=1&sort=-created_at",
    "photos?limit=10&page=2&sort=-created_at",
  ]);
});

Deno.test("A list that changes is read again, and not more often than three times", async () => {
  await using place = new MonicaPlace();
  const { file } = await place.run();
  // The first reading has pages of two totals.
  const once = await place.run({
    fault: (path) =>
      path.includes("notes?limit=100&page=1&sort=created_at") ? pageWith("old", 101) : null,
  });
  assertEquals([once.code, once.file === file], [0, true], once.error);

  const folder = place.newFolder();
  const changing: Fault = (path) =>
    path.includes("/notes?") && path.includes("page=1") ? pageWith("old", 101) : null;
  const never = await place.run({ folder, fault: changing });
  assertEquals([never.code, never.file], [1, ""]);
  assertStringIncludes(never.error, "\nfetch.changed: notes changed");
  assert(place.server.requests.some((request) => request.includes("limit=83&page=2")));
  const later = await place.run({ folder });
  assertEquals([later.code, later.file === file], [0, true], "the list is read anew");

  // A record is missing, and the total changes to that of the records.
  const pages: readonly (readonly [total: number, second: () => Response])[] = [
    [2, () => Response.json({ data: [], meta: { total: 2 } })],
    [3, () => pageWith("two", 2)],
  ];
  for (const [total, second] of pages) {
    const fault: Fault = (path) => {
      if (!path.includes("/pets?")) return null;
      return path.includes("page=1") ? pageWith("one", total) : second();
    };
    const lacking = await place.run({ fault });
    assertEquals([lacking.code, lacking.file], [1, ""]);
    assertStringIncludes(lacking.error, "\nfetch.changed: pets changed");
  }

  const loop = await place.run({
    fault: (path) => path.includes("/pets?") ? pageWith("same", 3) : null,
  });
  assertEquals([loop.code, loop.file], [1, ""]);
  assertStringIncludes(loop.error, "\nfetch.loop: two pages of pets have the same records\n");
});

Deno.test("Each final answer has its exit code, and leaves no file", async () => {
  await using place = new MonicaPlace();
  const at = (part: string, answer: () => Response): Fault => (path) =>
    path.includes(part) ? answer() : null;
  const moved = () => Response.redirect(`${place.server.origin}/login`, 302);
  const cases: readonly (readonly [Fault, number, string])[] = [
    [at("/me", () => status(401)), 5, "Monica refuses the token (401)"],
    [at("/calls", () => status(401)), 5, "Monica refuses the token (401)"],
    [at("/me", () => status(404)), 1, "--from: has no API of Monica 4 (404)"],
    [at("/me", () => Response.json({ data: {} })), 1, "me: the answer is not one of Monica 4"],
    [at("/me", moved), 1, "--from: redirects (302); name the address that it leads to"],
    [at("/tasks", moved), 1, "--from: redirects (302); name the address that it leads to"],
    [at("/tasks", () => status(200)), 1, "tasks: the answer is not one of Monica 4"],
    [at("/tasks", () => Response.json([])), 1, "tasks: the answer is not one of Monica 4"],
    [at("/tasks", () => status(500)), 4, "Monica fails (500)"],
    [at("/tasks", cut), 4, "Monica is not reachable"],
    [
      at("/tasks", () => status(429, { "Retry-After": "901" })),
      4,
      "Monica asks to wait 16 minutes: try later",
    ],
  ];
  for (const [fault, code, sentence] of cases) {
    const end = await place.run({ fault });
    assertEquals([end.code, end.out, end.file], [code, "", ""], sentence);
    assert(end.error.endsWith(`${sentence}\n`), end.error);
    const waited = end.pauses.reduce((sum, pause) => sum + pause, 0);
    assert(code === 4 ? waited < 10 : waited === 0, `${sentence}: ${waited}`);
  }
});

Deno.test("A list that the server refuses is absent, and the people whom others name are there", async () => {
  await using place = new MonicaPlace();
  const end = await place.run({
    words: ["--json"],
    fault: (path) => {
      if (path.includes("/contacts/6?")) return Response.json({ data: FINN });
      return /\/(?:pets|contacts)\?|[23]\/relationships/.test(path) ? status(403) : null;
    },
  });
  assertEquals(end.code, 0, end.error);
  assertStringIncludes(end.error, "contacts: absent (403)\n");
  assertStringIncludes(end.error, "pets: absent (403)\n");
  assertEquals(end.error.split("relationships: absent (403)\n").length, 2, "it is said once");
  const { counts } = JSON.parse(end.out);
  assertEquals([counts.contacts, counts.pets], [7, undefined]);
});

Deno.test("A run that was killed goes on from its pages", async () => {
  await using place = new MonicaPlace();
  const { file } = await place.run();
  const folder = place.newFolder();
  // Stops in the pause after a failure, between two pages.
  const killed = async (part: string) =>
    await place.run({
      folder,
      fault: (path) => path.includes(part) ? status(500) : null,
      pause: () => {
        throw new Deno.errors.Interrupted();
      },
    });
  assertEquals(
    (await killed("/notes?limit=100&page=2")).error,
    "contacts 2\nnotes 100\nFailed: Interrupted\n",
  );
  assertEquals((await killed("/photos?limit=10&page=2")).code, 1);
  assertEquals(place.server.requests.slice(0, 3).map((request) => request.split("?")[0]), [
    "GET /api/me",
    "GET /api/notes",
    "GET /api/notes",
  ]);
  assertEquals((await killed("/store/login")).code, 1, "while the file is written");
  const wrong = await runFetch([
    ..."--from http://localhost:1 --token-file".split(" "),
    place.token,
    "--out",
    folder,
  ]);
  assertEquals(wrong.code, 4);
  const port = new URL(place.server.origin).port;
  const words = ["--token-file", place.token, "--out", folder];
  const other = await runFetch(["--from", `http://localhost:${port}`, ...words]);
  assertEquals([other.code, other.error], [
    2,
    `${folder}/pages: has pages of another address or account\n`,
  ]);
  const mine = `${place.home}/mine`;
  await Deno.mkdir(`${mine}/pages`, { recursive: true });
  await Deno.writeTextFile(`${mine}/pages/index.html`, "");
  const foreign = await place.run({ folder: mine });
  assertEquals([foreign.code, foreign.error], [2, `${mine}/pages: has other files\n`]);
  const account = () => Response.json({ data: { account: { id: 8 } } });
  const another = await place.run({
    folder,
    fault: (path) => path === "/api/me" ? account() : null,
  });
  assertEquals(another.code, 2);

  await Deno.writeTextFile(`${folder}/pages/calls-1-1.json`, '{"data":[');
  const last = await place.run({ folder });
  assertEquals([last.code, last.file === file], [0, true], last.error);
  assertEquals(place.server.requests, [
    "GET /api/me",
    "GET /api/calls?limit=100&page=1&sort=created_at",
    "GET /api/contacts/6?with=contactfields",
    "GET /store/login",
    "GET /store/cv.txt",
  ]);
  const again = await place.run({ folder });
  assertEquals([again.code, again.error, place.server.requests], [
    2,
    `${folder}/monica-4.json exists\n`,
    [],
  ]);
});

Deno.test("The options are checked before the first request", async () => {
  await using place = new MonicaPlace();
  const [out, token] = [`${place.home}/out`, place.token];
  const { host } = new URL(place.server.origin);
  const run = (from: string, file = token) =>
    runFetch(["--from", from, "--token-file", file, "--out", out]);
  for (
    const from of [
      "http://monica.example",
      "monica.example",
      "ftp://localhost",
      "https://anna@monica.example",
      `http://:secret@${host}`,
      `http://${host}?page=1`,
      `http://${host}/?`,
      `http://${host}/#`,
      "",
    ]
  ) assertEquals((await run(from)).code, 2, from);
  for (const missing of ["--from", "--token-file", "--out"]) {
    const words = ["--from", `http://${host}`, "--token-file", token, "--out", out];
    words.splice(words.indexOf(missing), 2);
    assertEquals(await runFetch(words), {
      code: 2,
      out: "",
      error: `${missing}: required\n`,
      pauses: [],
    });
  }
  const files: readonly (readonly [string, number, number])[] = [
    ["ey.token", 0o644, 1],
    ["ey.token", 0o640, 1],
    ["\ney.token", 0o600, 5],
    ["two words", 0o600, 5],
    ["ey\u0007", 0o600, 5],
    ["", 0o600, 5],
  ];
  for (const [text, mode, code] of files) {
    const file = `${place.home}/other-token`;
    await Deno.writeTextFile(file, text);
    await Deno.chmod(file, mode);
    const end = await run(`http://${host}`, file);
    assertEquals([end.code, end.error.includes("ey.token")], [code, false], text);
  }
  assertEquals((await run(`http://${host}`, `${place.home}/none`)).code, 5);
  assertEquals(place.server.requests, []);
});
