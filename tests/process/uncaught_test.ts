// engines: none
import { assertEquals } from "@std/assert";
import { PROJECT } from "../support/server_process.ts";

/** Runs a script with the service's uncaught-error handler. */
async function run(script: string): Promise<{ code: number; lines: string[]; stderr: string }> {
  const module = `${PROJECT}/src/operator/programs/uncaught_errors.ts`;
  const text = `import { endOnUncaughtErrors } from "${module}"; endOnUncaughtErrors(); ${script}`;
  const args = ["eval", "--no-config", text];
  const output = await new Deno.Command(Deno.execPath(), { args, env: { NO_COLOR: "1" } }).output();
  const [stdout = "", stderr = ""] = [output.stdout, output.stderr].map((bytes) =>
    new TextDecoder().decode(bytes)
  );
  return { code: output.code, lines: stdout.split("\n").filter((line) => line !== ""), stderr };
}

const ERRORS = {
  "An error that no code catches": `setTimeout(() => { throw new RangeError("a secret"); }, 0);`,
  "A rejection that no code handles": `Promise.reject(new RangeError("a secret"));`,
};

for (const [name, script] of Object.entries(ERRORS)) {
  Deno.test(`${name} is logged in one line without its message, with exit code 1`, async () => {
    const { code, lines, stderr } = await run(`${script} setInterval(() => {}, 1000);`);
    assertEquals([code, stderr], [1, ""]);
    const [line, ...more] = lines.map((text) => JSON.parse(text));
    assertEquals(more, []);
    const { level, event, error } = line;
    assertEquals({ level, event, error }, {
      level: "error",
      event: "uncaught_error",
      error: "RangeError",
    });
  });
}
