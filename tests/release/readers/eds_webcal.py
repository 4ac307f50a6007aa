"""
Subscribes to a calendar with Evolution Data Server, and prints its events now and after each line of
the input: dbus-run-session eds_webcal.py ADDRESS. It needs a HOME of its own.
"""

import itertools
import json
import sys

import gi

gi.require_version("ECal", "2.0")
gi.require_version("EDataServer", "1.2")
from gi.repository import ECal, EDataServer, GLib

address = GLib.Uri.parse(sys.argv[1], GLib.UriFlags.ENCODED)
registry = EDataServer.SourceRegistry.new_sync(None)
source = EDataServer.Source.new(None, None)
source.set_parent("webcal-stub")
source.set_display_name("Due")
source.get_extension(EDataServer.SOURCE_EXTENSION_CALENDAR).set_backend_name("webcal")
source.get_extension(EDataServer.SOURCE_EXTENSION_WEBDAV_BACKEND).set_uri(address)
source.get_extension(EDataServer.SOURCE_EXTENSION_OFFLINE).set_stay_synchronized(True)
registry.commit_source_sync(source, None)
client = ECal.Client.connect_sync(source, ECal.ClientSourceType.EVENTS, 1, None)
loop = GLib.MainLoop()


def events():
    _, found = client.get_object_list_as_comps_sync("#t", None)
    return sorted([each.get_uid(), each.get_summary().get_value()] for each in found)


shown = []
for line in itertools.chain([""], sys.stdin):
    client.refresh_sync(None)
    # The answer comes before the events do.
    for _ in range(30):
        if events() != shown:
            break
        GLib.timeout_add(200, loop.quit)
        loop.run()
    shown = events()
    print(json.dumps(shown), flush=True)
