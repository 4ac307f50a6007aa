#!/usr/bin/env bash
# Deno 2.9.6 (npm): connecting to a Unix socket needs three permissions: read and write for its
# path, and --allow-net too, although no network is involved. --allow-net=unix:PATH gives it for one
# socket.
#   --allow-read --allow-write: NotCapable
#   --allow-net: NotCapable
#   --allow-net --allow-read: NotCapable
#   all three: connected
#   all three, net for this socket alone: connected
. "$(dirname "$0")/lib.sh"
install_deno 2.9.6
socket="$folder/socket"
serve node -e 'require("net").createServer((s) => s.end()).listen(process.argv[1])' "$socket"
wait_for test -S "$socket"
cat > connect.ts <<'TS'
try {
  (await Deno.connect({ transport: "unix", path: Deno.args[0]! })).close();
  console.log("connected");
} catch (error) {
  console.log((error as Error).name);
}
TS
try() { "$deno" run --no-prompt "$@" connect.ts "$socket"; }
observe "--allow-read --allow-write" NotCapable "$(try --allow-read --allow-write)"
observe "--allow-net" NotCapable "$(try --allow-net)"
observe "--allow-net --allow-read" NotCapable "$(try --allow-net --allow-read)"
observe "all three" connected "$(try --allow-net --allow-read --allow-write)"
observe "all three, net for this socket alone" connected \
  "$(try "--allow-net=unix:$socket" "--allow-read=$socket" "--allow-write=$socket")"
