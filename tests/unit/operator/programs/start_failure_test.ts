import { assertEquals } from "@std/assert";
import { AuthorizationIdentifierConflictError } from "../../../../src/access/authorization.ts";
import { ServerSecretError } from "../../../../src/access/server_secret.ts";
import { EmbeddedDatabaseError } from "../../../../src/database/embedded.ts";
import { ConnectionLostError } from "../../../../src/database/failures.ts";
import { DatabaseServerError } from "../../../../src/database/server_check.ts";
import { MigrationError } from "../../../../src/database/migrate.ts";
import { ServiceError } from "../../../../src/errors/service_error.ts";
import { OperatorError } from "../../../../src/errors/operator_error.ts";
import { ConfigError } from "../../../../src/operator/config/config.ts";
import { exitCodeOf, explainFailure } from "../../../../src/operator/programs/start_failure.ts";

const CANNOT = "Cannot start";

const NO_RIGHTS = "the user of this process may not use a file, or may not listen on PORT";

function failed(code: string): Error {
  return Object.assign(new Error(`${code} (os error 1): open '/srv/the data'`), { code });
}

Deno.test("A failure ends a program with its code and one sentence", () => {
  const ends: readonly (readonly [error: unknown, code: number, said: string])[] = [
    [new ConfigError(["PORT: not valid"]), 78, new ConfigError(["PORT: not valid"]).message],
    [new ServerSecretError("it differs"), 78, "it differs"],
    [new AuthorizationIdentifierConflictError(), 3, ""],
    [new MigrationError("too new"), 78, "too new"],
    [new DatabaseServerError("no answer"), 1, "no answer"],
    [new DatabaseServerError("no role", { isPermanent: true }), 78, "no role"],
    [new EmbeddedDatabaseError("in use"), 1, "in use"],
    [new EmbeddedDatabaseError("another version", { isPermanent: true }), 78, "another version"],
    [new OperatorError("no such account"), 1, "no such account"],
    [new OperatorError("no rights", { isPermanent: true }), 78, "no rights"],
    [new ServiceError("HTTP_503"), 1, `${CANNOT}: the database cannot be reached`],
    [new Deno.errors.AddrInUse("127.0.0.1:1"), 1, `${CANNOT}: HOST and PORT are in use`],
    [
      new ServiceError("HTTP_503", { cause: new ConnectionLostError() }),
      1,
      `${CANNOT}: the database server closed the connection, or did not answer for 15 seconds, as while ` +
      "a commit waits for a standby",
    ],
    [failed("ENOSPC"), 1, `${CANNOT}: the disk of /srv/the data is full`],
    [
      new Deno.errors.PermissionDenied("Permission denied (os error 13)"),
      78,
      `${CANNOT}: ${NO_RIGHTS}`,
    ],
    [
      Object.assign(new Error("os error 28"), { code: "ENOSPC" }),
      1,
      `${CANNOT}: the disk of DATA_DIR is full`,
    ],
    [
      failed("58P02"),
      1,
      `${CANNOT}: the database could not open a new file: raise the limit of open files (ulimit -n, ` +
      "LimitNOFILE)",
    ],
    [failed("EEXIST"), 1, `${CANNOT}: /srv/the data exists already, and is not a folder`],
    [failed("ENOTDIR"), 1, `${CANNOT}: a part of /srv/the data is not a folder`],
    [failed("ENOLCK"), 1, `${CANNOT}: the file system of /srv/the data has no locks`],
    [failed("EROFS"), 1, `${CANNOT}: /srv/the data is on a file system that is read-only`],
    [
      failed("EMFILE"),
      1,
      `${CANNOT}: this process may not open more files: raise its limit (ulimit -n, LimitNOFILE)`,
    ],
    [
      new Deno.errors.PermissionDenied("Permission denied (os error 13): open '/srv/prs/lock'"),
      78,
      `${CANNOT}: the user of this process may not use /srv/prs/lock`,
    ],
    [
      new Deno.errors.NotCapable('Requires write access to "/srv/other", run again'),
      78,
      `${CANNOT}: this program has no permission for /srv/other: it may use DATA_DIR and the folders ` +
      "of src/operator/programs/README.md",
    ],
    [new RangeError("a secret"), 1, `${CANNOT}: RangeError`],
  ];
  for (const [error, code, said] of ends) {
    assertEquals(exitCodeOf(error), code, said);
    if (said !== "") assertEquals(explainFailure(error, CANNOT), said);
  }
});
