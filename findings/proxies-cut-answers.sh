#!/usr/bin/env bash
# nginx 1.22.1, Caddy 2.6.2, lighttpd 1.4.69, HAProxy 2.6.12 (Debian 12) in front of Deno 2.9.6
# (npm): a streamed answer that fails midway is complete for the client behind the first three, as
# they are configured by default: curl ends with 0. nginx asks by HTTP/1.0, in which the end of the
# connection is the end of the answer; Caddy and lighttpd notice the failure, but end the answer
# normally. With a Content-Length curl ends with 18 behind each of them, but not if Caddy
# compresses, which removes it.
#   proxy: without, with Content-Length
#   none: 18, 18
#   nginx: 0, 18
#   nginx, proxy_http_version 1.1: 18, 18
#   Caddy: 0, 18
#   Caddy, encode gzip: 0, 0
#   lighttpd: 0, 18
#   HAProxy: 18, 18
. "$(dirname "$0")/lib.sh"
install_deno 2.9.6
debian nginx 1.22.1-9+deb12u11
debian caddy 2.6.2-5
debian lighttpd 1.4.69-1
debian haproxy 2.6.12-1+deb12u4
debian curl 7.88.1-10+deb12u15
. "$findings/proxies.sh"
cat > source.ts <<'TS'
const part = new TextEncoder().encode("line of a long answer\n".repeat(400));
Deno.serve({ hostname: "127.0.0.1", port: Number(Deno.args[0]) }, ({ url }) => {
  const headers = new Headers({ "Content-Type": "text/plain" });
  if (url.endsWith("/length")) headers.set("Content-Length", "100000");
  let parts = 1;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (parts-- > 0) return controller.enqueue(part);
      await new Promise((resolve) => setTimeout(resolve, 300));
      controller.error(new Error("the source failed"));
    },
  });
  return new Response(body, { headers });
});
TS
serve "$deno" run --allow-net source.ts "$source_port"
start_proxies

# Prints how curl ends for an answer without and with Content-Length.
both() {
  local status=0 statuses=()
  for path in open length; do
    status=0
    curl --silent --compressed --output /dev/null "http://127.0.0.1:$1/$path" || status=$?
    statuses+=("$status")
  done
  echo "${statuses[0]}, ${statuses[1]}"
}

observe none "18, 18" "$(both "$source_port")"
observe nginx "0, 18" "$(both "$nginx_port")"
observe "nginx, proxy_http_version 1.1" "18, 18" "$(both "$nginx_gzip_port")"
observe Caddy "0, 18" "$(both "$caddy_port")"
observe "Caddy, encode gzip" "0, 0" "$(both "$caddy_gzip_port")"
observe lighttpd "0, 18" "$(both "$lighttpd_port")"
observe HAProxy "18, 18" "$(both "$haproxy_port")"
