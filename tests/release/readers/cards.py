"""
Prints cards as a library reads them: cards.py LIBRARY < CARDS. Each is a list of the name, birthday,
anniversary, numbers, and whether there is a picture. LIBRARY `properties` prints vobject's lines.
"""

import json
import re
import sys


def vobject(text):
    from vobject import readComponents

    def first(card, *names):
        return next((card.contents[name][0].value for name in names if name in card.contents), "")

    def shown(card):
        labels = {each.group: each.value for each in card.contents.get("x-ablabel", [])}
        phones = [labels.get(each.group, "") + " " + each.value for each in card.contents.get("tel", [])]
        return [
            *(card.fn.value, first(card, "bday"), first(card, "anniversary", "x-anniversary")),
            *(" ".join(phones).strip(), "photo" in card.contents),
        ]

    return [shown(card) for card in readComponents(text)]


def eds(text):
    import gi

    gi.require_version("EBookContacts", "1.2")
    from gi.repository import EBookContacts

    def date(value):
        return "%d-%d-%d" % (value.year, value.month, value.day) if value else ""

    def shown(card):
        phones = card.get_attributes_set([EBookContacts.ContactField.TEL])
        return [
            *(card.get_property("full-name"), date(card.get_property("birth-date"))),
            date(card.get_property("anniversary")),
            " ".join(each.get_value() for each in phones),
            card.get_property("photo") is not None,
        ]

    cards = re.findall("BEGIN:VCARD.*?END:VCARD\r\n", text, re.S)
    return [shown(EBookContacts.Contact.new_from_vcard(card)) for card in cards]


def properties(text):
    from vobject import readComponents

    def flat(value):
        parts = vars(value).values() if hasattr(value, "__dict__") else value
        if isinstance(parts, str):
            return parts
        return ";".join(",".join(each) if isinstance(each, list) else each for each in parts)

    return [
        sorted(line.name + ":" + flat(line.value) for line in card.lines())
        for card in readComponents(text)
    ]


text = sys.stdin.buffer.read().decode()
print(json.dumps(globals()[sys.argv[1]](text)))
