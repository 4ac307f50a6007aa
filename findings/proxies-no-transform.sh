#!/usr/bin/env bash
# nginx 1.22.1, Caddy 2.6.2, HAProxy 2.6.12 (Debian 12) that compress: "Cache-Control:
# no-transform", with which RFC 9110 forbids a proxy to change the content, is followed by HAProxy
# only. nginx compresses and makes the entity tag weak; Caddy compresses and leaves the strong tag,
# which now names two forms of content.
#   nginx: gzip, W/"v1"
#   Caddy: gzip, "v1"
#   HAProxy: identity, "v1"
#   HAProxy without no-transform: gzip, W/"v1"
. "$(dirname "$0")/lib.sh"
debian nginx 1.22.1-9+deb12u11
debian caddy 2.6.2-5
debian lighttpd 1.4.69-1
debian haproxy 2.6.12-1+deb12u4
debian curl 7.88.1-10+deb12u15
. "$findings/proxies.sh"
cat > source.mjs <<'JS'
import { createServer } from "node:http";
const body = "line of a long answer\n".repeat(400);
createServer(({ url }, response) => {
  const directives = url === "/free" ? "no-cache" : "no-cache, no-transform";
  response.writeHead(200, {
    "Cache-Control": directives,
    "Content-Length": body.length,
    "Content-Type": "text/plain",
    ETag: '"v1"',
  }).end(body);
}).listen(Number(process.argv[2]), "127.0.0.1");
JS
serve node source.mjs "$source_port"
start_proxies

# Prints the encoding of the content and its entity tag.
form() {
  curl --silent --output /dev/null --dump-header head.txt --header "Accept-Encoding: gzip" \
    "http://127.0.0.1:$1/${2:-}"
  header() { sed -n "s/^$1: \(.*\)\r$/\1/Ip" head.txt; }
  local encoding
  encoding=$(header content-encoding)
  echo "${encoding:-identity}, $(header etag)"
}

observe nginx 'gzip, W/"v1"' "$(form "$nginx_gzip_port")"
observe Caddy 'gzip, "v1"' "$(form "$caddy_gzip_port")"
observe HAProxy 'identity, "v1"' "$(form "$haproxy_port")"
observe "HAProxy without no-transform" 'gzip, W/"v1"' "$(form "$haproxy_port" free)"
