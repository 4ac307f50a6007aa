/** The options of `fetch monica`. All are checked before the first request. */

import { isLoopback } from "../../core/loopback.ts";
import { CommandError, EXIT, UsageError } from "../failures.ts";
import { readIfPrivate } from "../folders.ts";
import type { Input } from "../options.ts";

interface FetchOptions {
  /** The address of Monica without `/api`, and without a slash at its end. */
  readonly url: string;
  readonly token: string;
  /** The folder of the new file. */
  readonly folder: string;
}

/** @throws CommandError without a value of an option. */
export async function readFetchOptions({ option }: Input): Promise<FetchOptions> {
  const required = (name: string) => {
    const value = option(name);
    if (!value) throw new UsageError(`${name}: required`);
    return value;
  };
  const url = readUrl(required("--from"));
  const folder = required("--out").replace(/(?<=.)\/+$/, "");
  return { url, folder, token: await readToken(required("--token-file")) };
}

function readUrl(text: string): string {
  const url = URL.canParse(text) && !/[?#\\]/.test(text) ? new URL(text) : null;
  const isSafe = url?.protocol === "https:" ||
    url?.protocol === "http:" && isLoopback(url.hostname);
  if (url === null || !isSafe || url.username !== "" || url.password !== "") {
    throw new UsageError(
      "--from: must be https://HOST, or http on this machine, with a path or none",
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, "").replace(/\/api$/, "").replace(/\/+$/, "");
}

async function readToken(path: string): Promise<string> {
  const [line = ""] = (await readIfPrivate(path) ?? "").split(/[\r\n]/, 1);
  const token = line.trim();
  // An error of the runtime would repeat a token that cannot be a header.
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new CommandError("--token-file: holds no token", EXIT.signIn);
  }
  return token;
}
