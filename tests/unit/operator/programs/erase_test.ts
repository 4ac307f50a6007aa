import { assertEquals } from "@std/assert";
import { parseErase } from "../../../../src/operator/programs/erase.ts";

const EMAIL = ["--email", "me@example.org"];
const ID = "01KAGQ0000RANK000000000001";
const RUN = ["run", "--plan", "0".repeat(64), "--into", "./data/new", "--reason", "LAW"];

Deno.test("Words of an erasure are understood, or not", () => {
  const valid = [
    ["plan", ...EMAIL, "--account"],
    ["plan", "--record", ID, ...EMAIL, "--json", "--memory", ID, "--record", ID],
    [...RUN, "--json"],
    ["verify"],
    ["verify", "--file", "./data/backup", "--identity-file", "./secrets/key", "--json"],
  ];
  for (const words of valid) assertEquals(parseErase(words) === null, false, words.join(" "));

  const many = Array.from({ length: 501 }, () => ["--record", ID]).flat();
  const invalid = [
    [],
    ["forget"],
    ["plan", ...EMAIL],
    ["plan", "--record", ID],
    ["plan", ...EMAIL, "--account", "--record", ID],
    ["plan", ...EMAIL, "--account", "--account"],
    ["plan", ...EMAIL, "--record", "no-ulid"],
    ["plan", ...EMAIL, "--record"],
    ["plan", ...EMAIL, "--folder", ID],
    ["plan", ...EMAIL, ...many],
    RUN.with(2, "no-digest"),
    RUN.with(6, "WHY"),
    RUN.with(4, "./data/one,./data/two"),
    RUN.slice(0, 5),
    ["verify", "--identity-file", "./secrets/key"],
    ["verify", ID],
  ];
  for (const words of invalid) assertEquals(parseErase(words), null, words.join(" "));
});
