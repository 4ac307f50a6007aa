import { assertEquals } from "@std/assert";
import { AuthorizationIdentifierConflictError } from "../../../../src/access/authorization.ts";
import { ServerSecretError } from "../../../../src/access/server_secret.ts";
import { MigrationError } from "../../../../src/database/migrate.ts";
import { ServiceError } from "../../../../src/errors/service_error.ts";
import { OperatorError } from "../../../../src/errors/operator_error.ts";
import { ConfigError } from "../../../../src/operator/config/config.ts";
import { exitCodeOf, explainFailure } from "../../../../src/operator/programs/start_failure.ts";

const CANNOT = "Cannot start";

Deno.test("A failure ends a program with its code and one sentence", () => {
  const ends: readonly (readonly [error: unknown, code: number, said: string])[] = [
    [new ConfigError(["PORT: not valid"]), 78, new ConfigError(["PORT: not valid"]).message],
    [new ServerSecretError("it differs"), 78, "it differs"],
    [new AuthorizationIdentifierConflictError(), 3, ""],
    [new MigrationError("too new"), 1, "too new"],
    [new OperatorError("no such account"), 1, "no such account"],
    [new ServiceError("HTTP_503"), 1, `${CANNOT}: the database cannot be reached`],
    [new Deno.errors.AddrInUse("127.0.0.1:1"), 1, `${CANNOT}: HOST and PORT are in use`],
    [new RangeError("a secret"), 1, `${CANNOT}: RangeError`],
  ];
  for (const [error, code, said] of ends) {
    assertEquals(exitCodeOf(error), code, said);
    if (said !== "") assertEquals(explainFailure(error, CANNOT), said);
  }
});
