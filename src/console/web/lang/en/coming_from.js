/** English: other products. */
export default {
  comingFromText: "Export there, then choose the file here. You see a preview first.",
  monicaAddress: "Address of your Monica",
  "from.contacts": "Contacts: Apple, Google, Outlook",
  "from.calendars": "Calendars: Apple, Google, Outlook, Thunderbird",
  "from.table": "Any other app",
  "from.health.how": "Health app: your picture, Export All Health Data. Choose the zip.",
  "from.health.comes":
    "Comes over: Steps and sleep of each day, means of heart rate and oxygen, weight, blood pressure, glucose, temperature, and workouts. Two devices that counted the same walk count once.",
  "from.health.stays":
    "Stays there: Routes, electrocardiograms, clinical documents, and other kinds of values unless you choose them. Names of your devices.",
  "from.bear.how":
    "File, Export Notes, TextBundle; or File, Back Up Notes. Put several into one zip.",
  "from.bear.comes":
    "Comes over: Texts as they are, pictures, files, tags, time of creation, archive and, if you choose it, trash.",
  "from.bear.stays": "Stays there: Encrypted notes.",
  "from.contacts.how":
    "Apple: select all, File, Export vCard. Google: contacts.google.com, Export, vCard or CSV. Outlook: People, Manage contacts, Export.",
  "from.contacts.comes":
    "Comes over: Names, numbers, addresses, dates, notes, pictures in cards, groups and labels.",
  "from.contacts.stays": "Stays there: Pictures that a table only links to.",
  "from.calendars.how":
    "Google: Settings, Import & export, Export. Apple: File, Export. Outlook: File, Save Calendar. Thunderbird: Events and Tasks, Export. Choose the .ics file or the zip.",
  "from.calendars.comes":
    "Comes over: Events with title, time, place and text, tasks with their state, and journal entries. A series comes in once, with its rule.",
  "from.calendars.stays": "Stays there: Guests, alarms, and the single days of a series.",
  "from.dayOne.how": "Settings, Import/Export, Export Day One JSON. Choose the zip.",
  "from.dayOne.comes":
    "Comes over: Entries with time and zone, tags, pictures, sound, place, weather and star.",
  "from.dayOne.stays": "Stays there: Links between entries stay addresses of Day One.",
  "from.daylio.how": "More, Export Entries, CSV. Choose its preset.",
  "from.daylio.comes":
    "Comes over: Notes with mood and activities, and each mood as a number of 1 to 5.",
  "from.daylio.stays":
    "Stays there: Pictures, goals, and moods with your own names unless the mapping gives them a number.",
  "from.evernote.how": "Select notes or a notebook, Export, ENEX. Put several files into one zip.",
  "from.evernote.comes":
    "Comes over: Texts as Markdown, pictures, files, tags, tasks, reminders, author, place and address.",
  "from.evernote.stays":
    "Stays there: Encrypted parts stay encrypted. A note that you rename comes in as another note.",
  "from.watches.how":
    "Fitbit: Settings, Your data, Export as CSV. Garmin: the report of a value, Export CSV. Withings: Profile, Settings, Download your data. Choose the preset.",
  "from.watches.comes": "Comes over: Weight, sleep, steps, blood pressure and heart rate.",
  "from.watches.stays": "Stays there: Other columns are counted by name.",
  "from.books.how":
    "Goodreads: My Books, Import and export, Export Library. StoryGraph: Manage Account, Export. Choose the preset.",
  "from.books.comes": "Comes over: Books with author, ISBN, shelf, review, rating and dates.",
  "from.books.stays": "Stays there: Covers.",
  "from.keep.how":
    "takeout.google.com: deselect all, choose Keep, download. Choose the zip or tgz.",
  "from.keep.comes":
    "Comes over: Texts, lists with ticks, labels as tags, pictures, sound, links, archive, time of creation.",
  "from.keep.stays":
    "Stays there: Colours and people with whom you share a note. Trash, unless you choose it.",
  "from.timeline.how":
    "On the phone: Settings, Location, Timeline, Export. Or an older download of Takeout.",
  "from.timeline.comes":
    "Comes over: The places that you visited, with the first and last visit, and trips.",
  "from.timeline.stays":
    "Stays there: Paths, and single points of where you were. Each visit, unless you choose it.",
  "from.joplin.how": "File, Export all, JEX.",
  "from.joplin.comes":
    "Comes over: Texts, notebooks and tags, pictures, files, tasks, links between notes, place and address.",
  "from.joplin.stays": "Stays there: Encrypted notes, and earlier versions.",
  "from.journey.how": "Settings, Import/Export, Export to zip.",
  "from.journey.comes":
    "Comes over: Entries with time and zone, tags, pictures, place, weather, mood and star.",
  "from.journey.stays": "Stays there: Folders and labels.",
  "from.loop.how": "Settings, Export as CSV. Choose the zip or Checkmarks.csv, and the preset.",
  "from.loop.comes": "Comes over: Each day on which you did a habit, and its number.",
  "from.loop.stays": "Stays there: Days without a tick, and scores.",
  "from.monica.how":
    "Settings, API: make a token and save it in a file that only you can read. This command then fetches everything on your own computer. Without it: Settings, Export data, JSON.",
  "from.monica.comes":
    "Comes over: People with details, notes, calls, activities, reminders, tasks, gifts, debts, pets, life events, documents, photos and journal.",
  "from.monica.stays":
    "Stays there: Archived people whom nothing names, and the end of a reminder: the interface of Monica does not tell them.",
  "from.notion.how": "Settings, General, Export all workspace content, Markdown & CSV.",
  "from.notion.comes": "Comes over: Pages, pictures, files, links between pages, titles and dates.",
  "from.notion.stays": "Stays there: Tables of databases: import each CSV file.",
  "from.obsidian.how": "Put the folder of the vault into a zip.",
  "from.obsidian.comes":
    "Comes over: Notes, front matter, tags, pictures, files, and links. Daily notes become memories.",
  "from.obsidian.stays": "Stays there: Canvases and settings.",
  "from.pocket.how": "The CSV file or zip of your export. Choose the preset.",
  "from.pocket.comes": "Comes over: Links with title, tags, time and whether you read them.",
  "from.pocket.stays": "Stays there: The texts of the pages.",
  "from.readwise.how": "readwise.io/export, CSV. Choose the preset.",
  "from.readwise.comes": "Comes over: Each book with its highlights, notes and tags.",
  "from.readwise.stays": "Stays there: Colours.",
  "from.table.how": "A CSV file from any other app: say what each column becomes.",
  "from.table.comes": "Comes over: Every column that you map.",
  "from.table.stays": "Stays there: Columns without a field are counted by name.",
};
