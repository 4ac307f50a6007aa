/** English: other products. */
export default {
  comingFromText: "Export there, then choose the file here. You see a preview first.",
  monicaAddress: "Address of your Monica",
  "from.contacts": "Contacts: Apple, Google, Outlook",
  "from.calendars": "Calendars: Apple, Google, Outlook, Thunderbird",
  "from.table": "Any other app",
  "from.health.how": "Health app → your picture → Export All Health Data. Choose the zip.",
  "from.health.comes":
    "Comes over: steps and sleep of each day, daily means of heart rate and oxygen, weight, blood pressure, glucose, temperature, and workouts. If two devices counted the same walk, it counts once.",
  "from.health.stays":
    "Stays there: routes, electrocardiograms, clinical documents, the names of your devices, and other kinds of values unless you choose them.",
  "from.bear.how":
    "File → Backup Notes; on a phone Settings → Backup → Export. Or export notes as TextBundle and put them into a zip. Give each backup the same name here.",
  "from.bear.comes":
    "Comes over: texts as they are, pictures, files, tags, time of creation, and archived notes.",
  "from.bear.stays": "Stays there: encrypted notes, pins, and the trash unless you choose it.",
  "from.contacts.how":
    "Apple: select all → File → Export → Export vCard. Google: contacts.google.com → Export → vCard. Outlook: People → Manage contacts → Export, then choose the preset here.",
  "from.contacts.comes":
    "Comes over: names, numbers, addresses, birthdays and other days, relations, notes, pictures inside cards, groups and labels.",
  "from.contacts.stays": "Stays there: pictures that are only an address on the web.",
  "from.calendars.how":
    "Google: Settings → Import & export → Export. Apple: File → Export → Export. Outlook: File → Save Calendar. Thunderbird: Events and Tasks → Export. Choose the .ics file or the zip.",
  "from.calendars.comes":
    "Comes over: events with title, time, place and text, tasks with their state, and journal entries. A series comes in as its first event, with its rule.",
  "from.calendars.stays": "Stays there: guests, alarms, and the other days of a series.",
  "from.dayOne.how":
    "Settings → Import/Export → Export Day One JSON; on a Mac File → Export → JSON. Choose the zip.",
  "from.dayOne.comes":
    "Comes over: entries with time and zone, tags, pictures, sound, videos, place, weather and star.",
  "from.dayOne.stays": "Stays there: steps and music. Links between entries stay as they are.",
  "from.daylio.how": "More → Export Entries → CSV. Then choose the preset here.",
  "from.daylio.comes":
    "Comes over: notes with mood and activities, and each mood as a number from 1 to 5.",
  "from.daylio.stays":
    "Stays there: pictures and goals. Moods with names of your own come as words, not as numbers.",
  "from.evernote.how":
    "Select a notebook → ⋯ → Export notebook → ENEX, in the app. Put several files into one zip.",
  "from.evernote.comes":
    "Comes over: texts as Markdown, pictures, files, tags, tasks, reminders, author, place and address.",
  "from.evernote.stays":
    "Encrypted parts stay encrypted. A note that you rename there comes in as another note.",
  "from.watches.how":
    "Fitbit: Settings → Data Export → CSV. Garmin: Reports → Weight or Sleep → Export CSV. Withings: Profile → Settings → Download your data. Then choose the preset here.",
  "from.watches.comes":
    "Comes over: weight and sleep; of Fitbit also steps, of Garmin resting heart rate, of Withings blood pressure and pulse.",
  "from.watches.stays": "Stays there: other values. The preview counts them.",
  "from.books.how":
    "Goodreads: My Books → Import and export → Export Library. StoryGraph: Manage Account → Export. Then choose the preset here.",
  "from.books.comes":
    "Comes over: books with author, ISBN, shelves, your review and notes, rating and dates.",
  "from.books.stays": "Stays there: covers.",
  "from.keep.how":
    "takeout.google.com → Deselect all → Keep → Next step → Create export. Choose the zip or tgz.",
  "from.keep.comes":
    "Comes over: texts, lists with ticks, labels as tags, pictures, sound, links, archived notes, time of creation.",
  "from.keep.stays":
    "Stays there: colours, people with whom you share a note, and the trash unless you choose it.",
  "from.timeline.how":
    "iPhone: Google Maps → your picture → Your Timeline → ⋯ → Location and privacy settings → Export Timeline data. Android: Settings → Location → Location services → Timeline → Export Timeline data. An older download of Takeout works, too.",
  "from.timeline.comes":
    "Comes over: the places that you visited, with the first and last visit, and trips.",
  "from.timeline.stays":
    "Stays there: routes, single points of where you were, and each visit unless you choose it. Phones export no names of places.",
  "from.joplin.how":
    "File → Export all → JEX; on a phone Configuration → Import and Export. Choose the .jex file.",
  "from.joplin.comes":
    "Comes over: texts, notebooks and tags, pictures, files, tasks, links between notes, place and address.",
  "from.joplin.stays":
    "Stays there: encrypted notes, earlier versions, and the trash unless you choose it.",
  "from.journey.how": "Settings → Export → ZIP. Choose the zip.",
  "from.journey.comes":
    "Comes over: entries with time and zone, tags, pictures, sound, videos, place, weather, mood and star.",
  "from.journey.stays": "Stays there: folders and labels.",
  "from.loop.how": "Settings → Export as CSV. Choose the zip, then the preset.",
  "from.loop.comes": "Comes over: each day on which you did a habit, and its number.",
  "from.loop.stays": "Stays there: days without a tick, scores, and notes of days.",
  "from.monica.how":
    "In Monica, Settings → API → Create New Token. Save the token in a file that only you can read. These commands, on your own computer, then fetch everything and import it. Or without them: Settings → Export data → Export to Json.",
  "from.monica.comes":
    "Comes over: people with details, notes, calls, activities, reminders, tasks, gifts, debts, pets, life events, documents, photos and journal.",
  "from.monica.stays":
    "Stays there: ratings of days. Monica's API also leaves out archived people whom nothing else names, and whether a reminder has ended.",
  "from.notion.how":
    "Settings → General → Export all workspace content → Markdown & CSV. Give each export the same name here.",
  "from.notion.comes":
    "Comes over: pages with titles, dates and tags, pictures, files. Links between pages stay as they are.",
  "from.notion.stays": "Stays there: comments, and tables of databases; their rows come as pages.",
  "from.obsidian.how": "Put the folder of the vault into a zip.",
  "from.obsidian.comes":
    "Comes over: notes, front matter, tags, and the pictures and files that notes show. Daily notes become memories.",
  "from.obsidian.stays": "Stays there: canvases, settings, and files that no note shows.",
  "from.pocket.how": "Choose the zip of your export, or the CSV file in it, then the preset.",
  "from.pocket.comes": "Comes over: links with title, tags, time, and whether you read them.",
  "from.pocket.stays": "Stays there: the texts of the pages.",
  "from.readwise.how": "readwise.io/export → CSV. Then choose the preset here.",
  "from.readwise.comes": "Comes over: each book with its highlights, your notes and its tags.",
  "from.readwise.stays": "Stays there: colours and tags of highlights.",
  "from.table.how": "Choose a CSV file from any other app, and say what each column becomes.",
  "from.table.comes": "Comes over: every column that you give a field.",
  "from.table.stays": "Stays there: other columns. The preview counts them by name.",
};
