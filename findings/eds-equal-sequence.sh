#!/usr/bin/env bash
# Guess: a subscribed calendar that is sent again, with another ETag, is shown as sent. Evolution
# Data Server 3.46.4 (Debian 12) keeps an event whose SEQUENCE, DTSTAMP and LAST-MODIFIED are equal,
# and never shows another title. Each of a higher SEQUENCE and later times suffices.
#   another title, equal SEQUENCE and times: Ina
#   later DTSTAMP and LAST-MODIFIED: Ida
#   a higher SEQUENCE: Ivy
. "$(dirname "$0")/lib.sh"
debian dbus 1.14.10-1~deb12u1
debian evolution-data-server 3.46.4-2+deb12u1
debian python3-gi 3.42.2-3+b1
debian gir1.2-ecal-2.0 3.46.4-2+deb12u1
cat > subscribe.py <<'PY'
import http.server, threading, gi
gi.require_version("ECal", "2.0")
gi.require_version("EDataServer", "1.2")
from gi.repository import ECal, EDataServer, GLib

# SEQUENCE, the times, and the title.
sent = [(1, "20260101T000000Z", "Ina"), (1, "20260101T000000Z", "Eva"),
    (1, "20260102T000000Z", "Ida"), (2, "20260102T000000Z", "Ivy")]
step = 0
EVENT = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:findings
BEGIN:VEVENT
UID:a
DTSTART;VALUE=DATE:20270705
DTEND;VALUE=DATE:20270706
SEQUENCE:{0}
DTSTAMP:{1}
LAST-MODIFIED:{1}
SUMMARY:{2}
END:VEVENT
END:VCALENDAR
"""

class Calendar(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = EVENT.format(*sent[step]).replace("\n", "\r\n").encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/calendar")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("ETag", '"%d"' % step)
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Calendar)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = "http://127.0.0.1:%d/due.ics" % server.server_port
registry = EDataServer.SourceRegistry.new_sync(None)
source = EDataServer.Source.new(None, None)
source.set_parent("webcal-stub")
source.get_extension(EDataServer.SOURCE_EXTENSION_CALENDAR).set_backend_name("webcal")
uri = GLib.Uri.parse(address, GLib.UriFlags.ENCODED)
source.get_extension(EDataServer.SOURCE_EXTENSION_WEBDAV_BACKEND).set_uri(uri)
registry.commit_source_sync(source, None)
client = ECal.Client.connect_sync(source, ECal.ClientSourceType.EVENTS, 1, None)
loop = GLib.MainLoop()
for step in range(len(sent)):
    client.refresh_sync(None)
    GLib.timeout_add(4000, loop.quit)
    loop.run()
    _, events = client.get_object_list_as_comps_sync("#t", None)
    print(" ".join(each.get_summary().get_value() for each in events), flush=True)
PY
shown=$(HOME="$folder" XDG_RUNTIME_DIR="$folder" dbus-run-session -- /usr/bin/python3 subscribe.py \
  2> /dev/null)
line() { sed -n "$1p" <<< "$shown"; }
observe "at first" Ina "$(line 1)"
observe "another title, equal SEQUENCE and times" Ina "$(line 2)"
observe "later DTSTAMP and LAST-MODIFIED" Ida "$(line 3)"
observe "a higher SEQUENCE" Ivy "$(line 4)"
