import { retireAccount } from "../../accounts/moving.ts";
import { describeLost } from "../../attachments/loss.ts";
import { CommandRunner } from "../../command/runner.ts";
import { IncompleteError } from "../../errors/operator_error.ts";
import {
  exportMovingAccount,
  importMovingAccount,
  type MoveServices,
} from "../../portability/moves.ts";
import { SpoolFolder } from "../../portability/spool.ts";
import { placeInDataDir, placeOfNewFile } from "./data_file.ts";
import { type AdminServices, refuseWriting, type Runners, unchanged } from "./runner.ts";

export const MOVE_COMMANDS = {
  "account export": async (services, { email, file }, context) =>
    await copying(services, async (copied) => {
      const { dataDir } = services.config;
      const path = `${dataDir}/${await placeOfNewFile(dataDir, `${dataDir}/${file}`)}`;
      const { size, sha256, lost } = await exportMovingAccount(copied, email, path, context);
      const line = `The file has ${size} bytes with the SHA-256 ${sha256}`;
      if (lost.length === 0) return [line];
      const about = `Lost attachments, which the file names without their bytes: ${lost.length}`;
      throw new IncompleteError([line, about, ...describeLost(lost)]);
    }),
  "account import": async (services, { email, file }, context, report) =>
    await copying(services, async (copied) => {
      const { dataDir } = services.config;
      const path = `${dataDir}/${await placeInDataDir(dataDir, `${dataDir}/${file}`)}`;
      const { isNew, size, sha256 } = await importMovingAccount(
        copied,
        email,
        path,
        context,
        report,
      ).catch(refuseWriting);
      const whole = `all ${size} bytes of the file, with the SHA-256 ${sha256}`;
      return isNew
        ? [`The account is here and frozen: ${whole}`]
        : unchanged(`the account is already here: ${whole}`);
    }),
  "account retire": async ({ database }, { email, "moved-to": movedTo }, context) =>
    await retireAccount(database, email, movedTo, context())
      ? [`The account has moved to ${movedTo}; its sessions and tokens here have ended permanently`]
      : unchanged("the account has already moved there"),
} satisfies Partial<Runners>;

/** Runs `use` with the folders for copying an account. */
async function copying<T>(
  { database, clock, openObjects, limits, config: { dataDir } }: AdminServices,
  use: (services: MoveServices) => Promise<T>,
): Promise<T> {
  await using opened = new AsyncDisposableStack();
  const objects = opened.adopt(await openObjects(), (store) => store.close());
  const spool = opened.adopt(
    await SpoolFolder.open(`${dataDir}/spool`, clock),
    (folder) => folder.close(),
  );
  return await use({ database, objects, spool, commands: new CommandRunner(database, limits) });
}
