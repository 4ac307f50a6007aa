"""Counts the items of exports, independently of the service.

Reads lines `FORMAT<tab>PATH`; writes a line of JSON for each: the numbers of items by kind, and
SHA-256 of the files that they must have, the rules of the items that must be refused; null for a
file that is no export.
"""

import base64
import collections
import csv
import datetime
import gzip
import hashlib
import html
import io
import json
import pathlib
import posixpath
import re
import sys
import tarfile
import urllib.parse
import zipfile
import zoneinfo


def digest(data):
    return hashlib.sha256(data).hexdigest()


def members(data):
    """The files of an archive by name; None for any other file."""
    if data[:2] == b'\x1f\x8b':
        data = gzip.decompress(data)
    if zipfile.is_zipfile(io.BytesIO(data)):
        archive = zipfile.ZipFile(io.BytesIO(data))
        files = {each.filename: archive.read(each) for each in archive.infolist() if not each.is_dir()}
    elif data[257:262] == b'ustar':
        archive = tarfile.open(fileobj=io.BytesIO(data))
        files = {each.name: archive.extractfile(each).read() for each in archive if each.isfile()}
    else:
        return None
    hidden = re.compile(r'(^|/)(\.(?!/)|__MACOSX)')
    return {name: files[name] for name in files if not hidden.search(name)}


def texts(data, ending):
    files = members(data)
    bare = [data] if files is None else [files[name] for name in files if name.lower().endswith(ending)]
    return [text.decode('utf-8-sig', 'replace') for text in bare]


def enex(data):
    counts, files = collections.Counter(), set()
    for text in texts(data, '.enex'):
        for kind, data in re.findall(r'src="data:([^",]*),([^"]+)"', text):
            data = urllib.parse.unquote_to_bytes(html.unescape(data))
            files.add(digest(base64.b64decode(data) if kind.endswith(';base64') else data))
        text = re.sub(r'<content>.*?</content>|<recognition>.*?</recognition>', '', text, flags=re.S)
        for name, tag in [('items', 'note'), ('tasks', 'task'), ('reminders', 'reminder-time')]:
            counts[name] += len(re.findall(f'<{tag}[\\s>]', text))
        for block in re.findall(r'<data[^>]*>(.*?)</data>', text, flags=re.S):
            try:
                files.add(digest(base64.b64decode(block)))
            except ValueError:
                pass
    files.discard(digest(b''))
    return counts, files


def joplin(data):
    types, texts_of, named = {}, [], members(data)
    for name, content in named.items():
        if re.search(r'(^|/)[0-9a-f]{32}\.md$', name):
            text = content.decode().rstrip()
            kind = text.rsplit('\n', 1)[-1]
            types[posixpath.basename(name)[:-3]] = kind
            if kind == 'type_: 1':
                texts_of.append(text)
    linked = set(re.findall(r':/([0-9a-f]{32})', '\n'.join(texts_of)))
    files = {digest(content) for name, content in named.items()
             if 'resources/' in name and posixpath.basename(name)[:32] in linked
             and types.get(posixpath.basename(name)[:32]) == 'type_: 4'}
    return {'items': len(texts_of)}, files


def json_of(content):
    try:
        value = json.loads(content.decode('utf-8-sig'))
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def google_keep(data):
    named, count, files = members(data), 0, set()
    for name, content in named.items():
        note = json_of(content) if name.endswith('.json') else {}
        if 'userEditedTimestampUsec' in note or 'createdTimestampUsec' in note:
            count += 1
            for each in note.get('attachments', []):
                stem = posixpath.join(posixpath.dirname(name), each['filePath']).rsplit('.', 1)[0]
                # The ending in the JSON can differ from that of the file.
                files |= {digest(named[other]) for other in named if other.rsplit('.', 1)[0] == stem}
    return {'items': count}, files


def journey(data):
    named, count, files = members(data), 0, set()
    for name, content in named.items():
        entry = json_of(content) if name.endswith('.json') else {}
        if 'date_journal' in entry and 'id' in entry:
            count += 1
            folder = posixpath.dirname(name)
            paths = [posixpath.join(folder, photo) for photo in entry.get('photos', [])]
            files |= {digest(named[path]) for path in paths if path in named}
    return {'items': count}, files


def textbundle(data):
    count, files = 0, set()
    for name, content in members(data).items():
        if name.endswith('.textpack') and zipfile.is_zipfile(io.BytesIO(content)):
            inner, inner_files = textbundle(content)
            count += inner['items']
            files |= inner_files
        else:
            count += bool(re.search(r'(\.textbundle/|^)text\.[^/]+$', name))
            if '/assets/' in f'/{name}':
                files.add(digest(content))
    return {'items': count}, files


def ical(data):
    named = members(data) or {'.ics': data}
    text = b'\n'.join(content for name, content in named.items() if name.lower().endswith('.ics'))
    text = re.sub(rb'\n[ \t]', b'', re.sub(rb'\r\n?', b'\n', text))
    names, files, refused = rb'^BEGIN:(VEVENT|VTODO|VJOURNAL)[ \t]*$', set(), []
    _, *parts = re.split(names, text, flags=re.M | re.I)
    for name, part in zip(parts[::2], parts[1::2]):
        body, *ends = re.split(rb'^END:%b[ \t]*$' % name, part, flags=re.M | re.I)
        if not ends:
            refused.append('ical.end')
        elif not is_utf8(body):
            refused.append('text.utf8')
        for line in body.split(b'\n'):
            line = re.sub(rb'"[^"]*"', b'', line)
            if re.match(rb'(?:ATTACH|IMAGE)\b[^:]*ENCODING=BASE64[^:]*:.', line, re.I):
                files.add(digest(base64.b64decode(line.split(b':', 1)[1])))
    return {'items': len(parts) // 2}, files, refused


def is_utf8(data):
    try:
        data.decode()
    except ValueError:
        return False
    return True


def timeline(data):
    counts = collections.Counter()
    visits = set()

    def visit(place, start):
        point = [place.get(name) for name in ('latitudeE7', 'longitudeE7', 'latLng')]
        visits.add(json.dumps([place.get('placeId') or place.get('placeID') or point, start]))

    def place_visit(each):
        visit(each.get('location', {}), each.get('duration'))
        for child in each.get('childVisits', []):
            place_visit(child)

    for text in texts(data, '.json'):
        value = json.loads(text)
        segments = value if isinstance(value, list) else value.get('semanticSegments', [])
        for each in segments:
            if 'visit' in each:
                candidate = each['visit'].get('topCandidate', {})
                place = candidate.get('placeLocation')
                place = place if isinstance(place, dict) else {'latLng': place}
                visit({**place, **candidate}, each.get('startTime'))
            counts['trips'] += 'timelineMemory' in each
        for each in value.get('timelineObjects', []) if isinstance(value, dict) else []:
            if 'placeVisit' in each:
                place_visit(each['placeVisit'])
    return counts | {'items': len(visits)}, set()


# The metric type, and the first hour of a day's values before its midnight; None for single values.
HEALTH = {
    'StepCount': ('STEPS', 0), 'SleepAnalysis': ('SLEEP_DURATION', 6), 'HeartRate': ('HEART_RATE', 0),
    'OxygenSaturation': ('OXYGEN_SATURATION', 0), 'RestingHeartRate': ('RESTING_HEART_RATE', 0),
    'BodyMass': ('WEIGHT', None), 'BloodPressureSystolic': ('BLOOD_PRESSURE_SYSTOLIC', None),
    'BloodPressureDiastolic': ('BLOOD_PRESSURE_DIASTOLIC', None),
    'BloodGlucose': ('BLOOD_GLUCOSE', None), 'BodyTemperature': ('BODY_TEMPERATURE', None),
}


def apple_health(data):
    text = next(each for each in texts(data, '.xml') if '<HealthData' in each)
    zones = collections.Counter(re.findall(r'key="HKTimeZone" value="([^"]+)"', text))
    common = min(zones, key=lambda zone: (-zones[zone], zone)) if zones else None
    seen = collections.defaultdict(set)
    for tag, rest in re.findall(r'<(Record|Workout)\s(.*?(?:/>|</\1>))', text, flags=re.S):
        attributes = dict(re.findall(r'(\w+)="([^"]*)"', rest.split('>', 1)[0]))
        start = datetime.datetime.strptime(attributes['startDate'], '%Y-%m-%d %H:%M:%S %z')
        if tag == 'Workout':
            seen['WORKOUT'].add((start, attributes['sourceName'], rest))
            continue
        metric, evening = HEALTH.get(re.sub(r'HK\w+?TypeIdentifier', '', attributes['type']), (None, 0))
        if metric is None or metric == 'SLEEP_DURATION' and 'Asleep' not in attributes['value']:
            continue
        own = re.search(r'key="HKTimeZone" value="([^"]+)"', rest)
        zone = own[1] if own else common
        local = start.astimezone(zoneinfo.ZoneInfo(zone)) if zone else start
        day = evening is not None and (local + datetime.timedelta(hours=evening)).date()
        seen[metric].add(day or (start, attributes['sourceName'], attributes['value']))
    return {metric: len(values) for metric, values in seen.items()}, set()


def rows(data):
    return [row for text in texts(data, '.csv') for row in csv.DictReader(io.StringIO(text))]


def loop(data):
    named = members(data) or {'': data}
    tables = [list(csv.reader(io.StringIO(content.decode('utf-8-sig')))) for name, content in
              named.items() if posixpath.basename(name) in ('', 'Checkmarks.csv')]
    table = max(tables, key=lambda each: len(each[0]))
    return {'items': sum(cell != '' for row in table[1:] for cell in row[1:])}, set()


COUNTERS = {
    'enex': enex, 'joplin': joplin, 'google-keep': google_keep, 'journey': journey,
    'textbundle': textbundle, 'ical': ical, 'google-timeline': timeline, 'apple-health': apple_health,
    'csv': lambda data: ({'items': len(rows(data))}, set()), 'loop': loop,
    'daylio': lambda data: ({'items': len(rows(data)), 'moods': len(rows(data))}, set()),
}

SIGNS = {'enex': rb'<en-export[\s>]', 'ical': rb'^\s*BEGIN:VCALENDAR'}

for line in sys.stdin:
    kind, path = line.rstrip('\n').split('\t')
    content = pathlib.Path(path).read_bytes()
    text = content.removeprefix(b'\xef\xbb\xbf')
    if members(content) is None and (b'\0' in text or not re.search(SIGNS.get(kind, b''), text, re.I)):
        print('null')
        continue
    counts, digests, *refused = COUNTERS[kind](content)
    counts = {name: count for name, count in counts.items() if count}
    print(json.dumps({'counts': counts, 'files': sorted(digests), 'refused': sum(refused, [])}))
