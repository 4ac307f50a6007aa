import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import type { Caller, TestResponse } from "../support/world.ts";
import { COMMITMENT, COMMITMENTS } from "./kernel.ts";

/** The members of a creation that tests change. */
interface RecordBody extends JsonObject {
  readonly title: string;
  readonly payload: JsonObject;
}

export function recordOf(characters: number): RecordBody {
  return { title: "A title", payload: { ...COMMITMENT, content: "a".repeat(characters) } };
}

/** Creates records until one is rejected; returns that response. */
export async function fillStorage(caller: Caller, characters = 50_000): Promise<TestResponse> {
  for (let count = 0; count < 100; count++) {
    const body = recordOf(characters);
    const answer = await caller.call("POST", COMMITMENTS, { key: ulid(), body });
    if (answer.status !== 201) return answer;
  }
  throw new Error("The account was never full");
}
