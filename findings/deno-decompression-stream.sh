#!/usr/bin/env bash
# Deno 2.9.6 (npm): DecompressionStream answers each chunk that is written with one chunk that holds
# all of its output, whatever its size; reading slowly does not limit it. Node (seen: 20.20.2)
# answers in pieces of at most 16 KiB. Only small chunks of input bound the memory.
#   deno: 8388608 bytes in the largest of 1
#   node: 16384 bytes in the largest of 512
#   deno, 512 bytes written at a time: below 1 MiB
. "$(dirname "$0")/lib.sh"
install_deno 2.9.6
echo "node: $(node --version)"
cat > unpack.mjs <<'JS'
const pack = new Blob([new Uint8Array(8 << 20)]).stream().pipeThrough(new CompressionStream("gzip"));
const packed = new Uint8Array(await new Response(pack).arrayBuffer());
async function sizes(bytesAtATime) {
  const stream = new DecompressionStream("gzip");
  const writer = stream.writable.getWriter();
  (async () => {
    for (let at = 0; at < packed.length; at += bytesAtATime) {
      await writer.write(packed.slice(at, at + bytesAtATime));
    }
    await writer.close();
  })();
  const found = [];
  for await (const chunk of stream.readable) found.push(chunk.length);
  return found;
}
const whole = await sizes(packed.length);
console.log(`${Math.max(...whole)} bytes in the largest of ${whole.length}`);
console.log(Math.max(...await sizes(512)) < 1 << 20 ? "below 1 MiB" : "1 MiB or more");
JS
seen=$("$deno" run unpack.mjs)
observe deno "8388608 bytes in the largest of 1" "$(sed -n 1p <<< "$seen")"
observe node "16384 bytes in the largest of 512" "$(node unpack.mjs | sed -n 1p)"
observe "deno, 512 bytes written at a time" "below 1 MiB" "$(sed -n 2p <<< "$seen")"
