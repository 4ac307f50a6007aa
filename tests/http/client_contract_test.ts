/**
 * The examples of the contract, sent by the client package, or without it for the few operations
 * that it lacks: each operation takes its example, and the document and the types of the package
 * allow the answer.
 */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { type CallOptions, Client, type Operation, Refusal } from "../../src/client/mod.ts";
import { ROUTES } from "../../src/client/wire.ts";
import { parametersIn, requiredQueryOf } from "../support/api_document.ts";
import { PROJECT } from "../support/server_process.ts";
import {
  type Caller,
  type Json,
  readResponse,
  type TestResponse,
  type World,
} from "../support/world.ts";
import { proofFor } from "./examples.ts";
import {
  exampleOf,
  isClosed,
  isDone,
  LAST,
  makeFor,
  makeThings,
  namedFor,
  openWorld,
  parametersOf,
  readDocument,
  signIn,
  withLegacyRecord,
} from "./openapi.ts";

/** A client, and the answer to its last call. */
function clientOf(world: World, { secret }: Pick<Caller, "secret">) {
  let answer: Promise<TestResponse> | undefined;
  const fetch = async (url: string, init: RequestInit) => {
    const response = await world.app.fetch(new Request(url, init));
    answer = readResponse(response.clone());
    return response;
  };
  const client = new Client({
    origin: "https://records.example",
    token: secret,
    fetch,
    retryFor: 0,
  });
  return { client, answer: () => answer };
}

/** An operation, its example as a program would write it, and the result. */
interface Called {
  readonly id: string;
  readonly options: Json;
  readonly data: Json;
}

Deno.test("Every operation takes its example through the client, with the types of both", async () => {
  await using world = await openWorld();
  const api = await readDocument(world);
  const owner = await signIn(world, api);
  world.advance(1);
  const others = api.operations.filter(({ id }) => !Object.hasOwn(ROUTES, id)).map(({ id }) => id);
  assertEquals(others.sort(), [
    "account.export_content",
    "account.import",
    "attachment.content",
    "attachment.create",
    "attachment.thumbnail",
    "attachment.thumbnail.put",
    "calendar.named.read",
    "calendar.read",
    "healthz",
    "import.create",
    "openapi.json",
    "passkey.related_origins",
    "readyz",
    "relationship.person.vcard",
  ]);
  const reads = api.operations.filter(({ method }) => method === "GET");
  const standing = {
    ...await makeThings(world, api, owner, reads.flatMap(parametersOf)),
    revision: "1",
  };
  const called: Called[] = [];
  const ordered = [
    ...api.operations.filter(({ id }) => !LAST.includes(id)),
    ...LAST.map((id) => api.operation(id)),
  ];
  for (const operation of ordered) {
    const { id, method } = operation;
    const isAlone = method !== "GET" &&
      /^(identity|taxonomy|second_factor|account|import)\./.test(id);
    const caller = isAlone ? await world.createCaller() : owner;
    const values = method === "GET"
      ? await withLegacyRecord(world, owner, operation, standing)
      : await makeFor(world, api, caller, operation);
    const example = exampleOf(api, operation, values);
    const { query, body } = await namedFor(world, caller, operation, example);
    const headers = await proofFor(world, { operation: id }, caller);
    if (others.includes(id)) {
      const response = await api.call(operation, caller, values, body, { headers, ...query });
      api.assertAllows(operation, response);
      assert(isDone(response), `${id}: ${response.status} ${response.text}`);
      continue;
    }
    const path = parametersIn(operation.path).map((
      { name, upTo },
    ) => [name, values[upTo] ?? values[name]]);
    const search = Object.fromEntries([
      ...requiredQueryOf(operation),
      ...new URLSearchParams(query?.query),
    ]);
    const options = {
      ...path.length > 0 && { path: Object.fromEntries(path) },
      ...Object.keys(search).length > 0 && { query: search },
      ...body !== undefined && { body },
    };
    const sent = { ...options, headers } as CallOptions<Operation>;
    const { client, answer } = clientOf(world, caller);
    const call = () => client.call(id as Operation, sent);
    if (id === "auth.setup" || isClosed(operation)) {
      const error = await assertRejects(call, Refusal);
      assertEquals(error.status, id === "auth.setup" ? 409 : 410, id);
      called.push({ id, options, data: undefined });
    } else {
      const { data } = await call();
      called.push({ id, options, data });
    }
    const response = await answer();
    assert(response !== undefined, id);
    api.assertAllows(operation, response);
  }
  assertEquals(await errorsOf(programOf(called)), "");
});

/** A program that calls each operation with its example, and declares the type of the result. */
function programOf(called: readonly Called[]): string {
  const lines = called.flatMap(({ id, options, data }) => {
    const name = JSON.stringify(id);
    const text = JSON.stringify(
      options,
      (key, value) => key === "revision" ? Number(value) : value,
    );
    return [
      `call(${name}, ${text});`,
      ...data === undefined ? [] : [`(${JSON.stringify(data)}) satisfies Result<${name}>["data"];`],
      // A member that the operation does not take.
      `// @ts-expect-error\ncall(${name}, { ...${text}, other: 1 } satisfies CallOptions<${name}>);`,
      `// @ts-expect-error\n"NO_SUCH_CODE" satisfies RefusalCode<${name}>;`,
      `"HTTP_502" satisfies RefusalCode<${name}>;`,
      ...Object.keys(options).map((member) => {
        const less = JSON.stringify({ ...options, [member]: 7 });
        return `// @ts-expect-error\ncall(${name}, ${less});`;
      }),
    ];
  });
  return `
import type {
  CallArguments, CallOptions, ChangeOperation, Item, ListOperation, Operation, RefusalCode, Result,
} from ${JSON.stringify(`${PROJECT}/src/client/mod.ts`)};
declare function call<Name extends Operation>(
  name: Name, ...args: CallArguments<Name>
): Promise<Result<Name>>;
${lines.join("\n")}
"search" satisfies ListOperation;
"record.modify" satisfies ChangeOperation;
({} as Item<"record.list">).payload;
// @ts-expect-error
"record.create" satisfies ListOperation;
// @ts-expect-error
"record.create" satisfies ChangeOperation;
// @ts-expect-error
call("record.destroy");
`;
}

/** The errors that the type check finds in a program; empty without any. */
async function errorsOf(program: string): Promise<string> {
  const path = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(path, program);
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["check", "--quiet", "--no-config", path],
      env: { NO_COLOR: "1" },
    }).output();
    const text = new TextDecoder().decode(stderr);
    assert(success || text !== "");
    return text;
  } finally {
    await Deno.remove(path);
  }
}
