/** Another checkout of the service, so that one run measures it next to this one. */

import { pathToFileURL } from "node:url";
import type { ServicePlace, startServiceProcess } from "./service_process.ts";

type Environment = Record<string, string>;

/** The checkout's own ways to start its service. */
export interface Checkout {
  readonly folder: string;
  readonly taskFlags: (task: "start", dataDir: string, env: Environment) => string[];
  readonly ownEnvironment: () => Environment;
  readonly serviceEnvironment: (place: ServicePlace) => Environment;
  readonly startServiceProcess: typeof startServiceProcess;
}

export async function openCheckout(path: string): Promise<Checkout> {
  const folder = await Deno.realPath(path);
  const load = (file: string) => import(pathToFileURL(`${folder}/${file}`).href);
  const { taskFlags, ownEnvironment } = await load("tests/support/server_process.ts");
  const service = await load("scripts/bench/service_process.ts");
  return { folder, taskFlags, ownEnvironment, ...service };
}
