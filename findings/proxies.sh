# shellcheck shell=bash disable=SC2154
# Sourced by the findings about proxies: nginx, Caddy, lighttpd and HAProxy in front of
# `source_port`, each as configured by default, and nginx and Caddy once more with compression.
source_port=$(free_port)
nginx_port=$(free_port)
nginx_gzip_port=$(free_port)
caddy_port=$(free_port)
caddy_gzip_port=$(free_port)
lighttpd_port=$(free_port)
haproxy_port=$(free_port)

cat > nginx.conf <<CONF
daemon off;
pid $folder/nginx.pid;
error_log $folder/nginx.log;
events {}
http {
  access_log off;
  client_body_temp_path $folder/nginx_body;
  proxy_temp_path $folder/nginx_proxy;
  fastcgi_temp_path $folder/nginx_fastcgi;
  uwsgi_temp_path $folder/nginx_uwsgi;
  scgi_temp_path $folder/nginx_scgi;
  server {
    listen 127.0.0.1:$nginx_port;
    location / { proxy_pass http://127.0.0.1:$source_port; }
  }
  server {
    listen 127.0.0.1:$nginx_gzip_port;
    gzip on;
    gzip_proxied any;
    gzip_types text/plain;
    location / { proxy_pass http://127.0.0.1:$source_port; proxy_http_version 1.1; }
  }
}
CONF
cat > Caddyfile <<CONF
{
  admin off
  auto_https off
}
http://127.0.0.1:$caddy_port {
  reverse_proxy 127.0.0.1:$source_port
}
http://127.0.0.1:$caddy_gzip_port {
  encode gzip
  reverse_proxy 127.0.0.1:$source_port
}
CONF
cat > lighttpd.conf <<CONF
server.document-root = "$folder"
server.bind = "127.0.0.1"
server.port = $lighttpd_port
server.modules = ("mod_proxy")
proxy.server = ("/" => (("host" => "127.0.0.1", "port" => $source_port)))
CONF
cat > haproxy.cfg <<CONF
defaults
  mode http
  timeout connect 5s
  timeout client 5s
  timeout server 5s
listen proxy
  bind 127.0.0.1:$haproxy_port
  compression algo gzip
  compression type text/plain
  server source 127.0.0.1:$source_port
CONF

start_proxies() {
  chmod 711 "$folder"
  serve nginx -c "$folder/nginx.conf"
  serve env HOME="$folder" caddy run --config Caddyfile --adapter caddyfile
  serve lighttpd -D -f lighttpd.conf
  serve haproxy -f haproxy.cfg
  local port
  for port in "$source_port" "$nginx_port" "$caddy_gzip_port" "$lighttpd_port" "$haproxy_port"; do
    wait_for bash -c ": < /dev/tcp/127.0.0.1/$port"
  done
}
