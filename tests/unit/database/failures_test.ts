import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import {
  ConnectionLostError,
  databaseFailure,
  EngineRecoveryError,
  isUnavailable,
  StaleStatementError,
  StandbyError,
  withOneRetry,
} from "../../../src/database/failures.ts";
import { ServiceError } from "../../../src/errors/service_error.ts";

function postgresError(code: string, constraint?: string): Error {
  const parts = { name: "PostgresError", code, constraint_name: constraint };
  return Object.assign(new Error("a row's value"), parts);
}

function driverError(code: string): Error {
  return Object.assign(new Error(`write ${code} 127.0.0.1:5432`), { code });
}

/** Attempts that fail with these errors, then succeed. */
function failing(...errors: unknown[]): { attempt: () => Promise<string>; attempts: () => number } {
  let attempts = 0;
  return {
    attempts: () => attempts,
    attempt: () => {
      const error = errors[attempts++];
      return error === undefined ? Promise.resolve("done") : Promise.reject(error);
    },
  };
}

const TRANSIENT = ["40P01", "55P03", "57014"];
const AWAY = [
  ...["57P01", "57P02", "57P03", "57P04", "57P05", "53300"].map((code) => postgresError(code)),
  ...["25P03", "25P04", "26000", "53200", "08006", "08P01"].map((code) => postgresError(code)),
  Object.assign(postgresError("0A000"), { routine: "RevalidateCachedQuery" }),
  new StaleStatementError(postgresError("42804")),
  new StandbyError(postgresError("25006")),
  new EngineRecoveryError(),
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "EAI_AGAIN", "EHOSTUNREACH"].map(driverError),
  ...["CONNECTION_CLOSED", "CONNECTION_ENDED", "CONNECT_TIMEOUT"].map(driverError),
  ...["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID", "DEPTH_ZERO_SELF_SIGNED_CERT"].map(driverError),
  ...["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "SELF_SIGNED_CERT_IN_CHAIN"].map(driverError),
  ...["ERR_TLS_CERT_ALTNAME_INVALID", "ERR_SSL_WRONG_VERSION_NUMBER", "EPROTO"].map(driverError),
  new ConnectionLostError(),
];
/** The session stays usable. */
const OUT_OF_ROOM = ["53000", "53100", "53400", "58030"].map((code) => postgresError(code));

async function assertUnavailable(attempt: () => Promise<unknown>, cause: unknown): Promise<void> {
  const error = await assertRejects(() => withOneRetry(attempt), ServiceError);
  assertEquals(error.code, "HTTP_503");
  assertStrictEquals(error.cause, cause);
}

Deno.test("withOneRetry() retries once after a lost lock, deadlock or time-out", async () => {
  for (const sqlstate of TRANSIENT) {
    const { attempt, attempts } = failing(postgresError(sqlstate));
    assertEquals(await withOneRetry(attempt), "done");
    assertEquals(attempts(), 2, sqlstate);
  }
});

Deno.test("withOneRetry() answers 503 if the second try fails the same way", async () => {
  for (const first of TRANSIENT) {
    for (const second of [...TRANSIENT.map((code) => postgresError(code)), ...AWAY]) {
      const { attempt, attempts } = failing(postgresError(first), second);
      await assertUnavailable(attempt, second);
      assertEquals(attempts(), 2);
    }
  }
});

Deno.test("withOneRetry() answers 503 immediately without a database or space", async () => {
  for (const error of [...AWAY, ...OUT_OF_ROOM]) {
    assertEquals(isUnavailable(error), AWAY.includes(error), String(error));
    const { attempt, attempts } = failing(error);
    await assertUnavailable(attempt, error);
    assertEquals(attempts(), 1);
  }
});

Deno.test("withOneRetry() passes other errors unchanged, without a retry", async () => {
  const others = [
    postgresError("23505", "account_email_unique"),
    ...["0A000", "25006", "3D000", "42501", "54001", "58P01", "XX000", "XX001"].map((code) =>
      postgresError(code)
    ),
    postgresError("PRS01"),
    new ServiceError("RECORD_NOT_FOUND"),
    new TypeError("a programming error"),
    ...["SOMETHING_ELSE", "EPROTONOSUPPORT"].map(driverError),
    // Only the driver's class has the server's code.
    Object.assign(new Error("x"), { code: "40P01" }),
  ];
  for (const error of others) {
    const { attempt, attempts } = failing(error);
    assertStrictEquals(await withOneRetry(attempt).catch((thrown) => thrown), error);
    assertEquals(attempts(), 1);
    const later = failing(postgresError("40P01"), error);
    assertStrictEquals(await withOneRetry(later.attempt).catch((thrown) => thrown), error);
    assertEquals(later.attempts(), 2);
  }
});

Deno.test("databaseFailure() reads SQLSTATE and constraint, and nothing else", () => {
  assertEquals(databaseFailure(postgresError("23505", "a_rule")), {
    sqlstate: "23505",
    constraint: "a_rule",
  });
  assertEquals(databaseFailure(postgresError("PRS01")), { sqlstate: "PRS01", constraint: null });
  for (const other of [null, undefined, "40P01", {}, new Error("x"), driverError("EPIPE")]) {
    assertEquals(databaseFailure(other), null);
  }
  assert(!JSON.stringify(databaseFailure(postgresError("23505"))).includes("value"));
});
