#!/usr/bin/env bash
# Deno 2.9.6 (npm): if the reader of standard output has ended, console.log succeeds and the line is
# lost silently; neither a signal nor an error ends the program. Deno.stdout.writeSync throws
# BrokenPipe in the caller.
#   console.log: no error
#   Deno.stdout.writeSync: BrokenPipe
. "$(dirname "$0")/lib.sh"
install_deno 2.9.6
cat > write.ts <<'TS'
function attempt(write: () => unknown): string {
  try {
    write();
    return "no error";
  } catch (error) {
    return (error as Error).name;
  }
}
await new Promise((resolve) => setTimeout(resolve, 1000));
const seen = [
  attempt(() => console.log("line")),
  attempt(() => Deno.stdout.writeSync(new TextEncoder().encode("line\n"))),
];
Deno.writeTextFileSync("seen.txt", seen.join("\n") + "\n");
TS
"$deno" run --allow-write=seen.txt write.ts | true
observe console.log "no error" "$(sed -n 1p seen.txt)"
observe Deno.stdout.writeSync BrokenPipe "$(sed -n 2p seen.txt)"
