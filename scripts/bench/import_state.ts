import { IMPORTS } from "../../tests/http/imports.ts";
import type { Caller, Json } from "../../tests/support/world.ts";

/**
 * Waits without a limit until an import has a state, and returns it.
 *
 * @throws Error for a refused import.
 */
export async function untilState(caller: Caller, importId: string, state: string): Promise<Json> {
  while (true) {
    const { data } = (await caller.call("GET", `${IMPORTS}/${importId}`)).body;
    if (data.state === state) return data;
    if (data.state === "REFUSED") throw new Error(JSON.stringify(data.refusal));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
