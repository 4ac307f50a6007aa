"""The second opinion on XML: expat reads each file on standard input, a line of base64."""

import base64
import json
import sys
from xml.parsers import expat


def events(file):
    """The tags and texts of a file; None if it is not well-formed."""
    read = []
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = lambda name, attributes: read.append([name, attributes])
    parser.EndElementHandler = lambda name: read.append([name])

    def text(data):
        if read and isinstance(read[-1], str):
            read[-1] += data
        else:
            read.append(data)

    parser.CharacterDataHandler = text
    try:
        parser.Parse(file, True)
    except (expat.ExpatError, ValueError, LookupError):
        return None
    return read


for line in sys.stdin:
    print(json.dumps(events(base64.b64decode(line))))
