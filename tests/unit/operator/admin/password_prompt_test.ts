import { assertEquals, assertRejects } from "@std/assert";
import {
  promptPassword,
  readPassword,
  readPiped,
} from "../../../../src/operator/admin/password_prompt.ts";
import { OperatorError } from "../../../../src/errors/operator_error.ts";

/** Delivers the parts, then ends. */
function pieces(...parts: readonly (string | readonly number[])[]): {
  read(into: Uint8Array): Promise<number | null>;
} {
  const left = parts.map((part) =>
    typeof part === "string" ? new TextEncoder().encode(part) : Uint8Array.from(part)
  );
  return {
    read(into) {
      const [first] = left;
      if (first === undefined) return Promise.resolve(null);
      const count = Math.min(into.length, first.length);
      into.set(first.subarray(0, count));
      if (count === first.length) left.shift();
      else left[0] = first.subarray(count);
      return Promise.resolve(count);
    },
  };
}

/** `shown` is its display, `raw` its modes. */
function typed(...parts: readonly (string | readonly number[])[]) {
  const [shown, raw]: [string[], boolean[]] = [[], []];
  return {
    ...pieces(...parts),
    shown,
    raw,
    setRaw: (isRaw: boolean) => void raw.push(isRaw),
    write: (text: string) => void shown.push(text),
  };
}

Deno.test("Prompt asks twice, shows nothing typed, and restores the terminal", async () => {
  const terminal = typed("correct", " horse\r", "correct horse\n");
  assertEquals(await promptPassword(terminal), "correct horse");
  assertEquals(terminal.shown.join(""), "Password: \nRepeat the password: \n");
  assertEquals(terminal.raw, [true, false]);
});

Deno.test("Prompt accepts keys as a terminal sends them", async () => {
  const same: readonly (readonly (string | readonly number[])[])[] = [
    ["pass🙂\rpass🙂\r"],
    ["pass", [0xf0, 0x9f], [0x99, 0x82], "\r", "pass🙂\r"],
    ["paß\x7fss🙂🙂\b\r", "\x7fpass🙂\r"],
    ["wrong\x15pass🙂\r", "pa\tss🙂\0\r"],
  ];
  for (const parts of same) assertEquals(await promptPassword(typed(...parts)), "pass🙂");
});

Deno.test("Prompt restores the terminal also if it fails", async () => {
  const refused: readonly [readonly string[], string][] = [
    [["one\r", "two\r"], "The two passwords differ"],
    [["\r"], "No password was given"],
    [["half"], "No password was given"],
    [["one\r"], "No password was given"],
    [["one\x04"], "No password was given"],
  ];
  for (const [parts, words] of refused) {
    const terminal = typed(...parts);
    await assertRejects(() => promptPassword(terminal), OperatorError, words);
    assertEquals(terminal.raw, [true, false]);
    assertEquals(terminal.shown.join("").includes("one"), false);
  }
});

Deno.test("Piped password is the first line, complete", async () => {
  const same = [["pa ss\n"], ["pa", " s", "s"], ["pa ss\r\nmore"], ["\ufeffpa ss\nmore\n"]];
  for (const parts of same) assertEquals(await readPiped(pieces(...parts)), "pa ss");
  const refused: readonly [string | readonly number[], string][] = [
    ["", "No password was given"],
    ["\nsecond line", "No password was given"],
    ["p".repeat(5_000), "The password is too long"],
    [[0x70, 0xe4, 0x0a], "The password is not valid UTF-8"],
  ];
  for (const [part, words] of refused) {
    await assertRejects(() => readPiped(pieces(part)), OperatorError, words);
  }
});

Deno.test("Password file loses only its last line feed", async () => {
  const path = await Deno.makeTempFile();
  try {
    for (const end of ["", "\n", "\r\n"]) {
      await Deno.writeTextFile(path, ` pass\nword ${end}`);
      assertEquals(await readPassword(path), " pass\nword ");
    }
  } finally {
    await Deno.remove(path);
  }
  await assertRejects(() => readPassword(path), OperatorError, "--password-file: cannot be read");
});
