/** German: other products. */
export default {
  comingFromText: "Exportiere dort, dann wähle hier die Datei. Zuerst siehst du eine Vorschau.",
  monicaAddress: "Adresse deines Monica",
  "from.contacts": "Kontakte: Apple, Google, Outlook",
  "from.calendars": "Kalender: Apple, Google, Outlook, Thunderbird",
  "from.table": "Jede andere App",
  "from.health.how": "Health-App: dein Bild, Alle Gesundheitsdaten exportieren. Wähle das Zip.",
  "from.health.comes":
    "Kommt mit: Schritte und Schlaf jedes Tages, Mittelwerte von Puls und Sauerstoff, Gewicht, Blutdruck, Blutzucker, Temperatur und Trainings. Zwei Geräte, die denselben Weg zählten, zählen einmal.",
  "from.health.stays":
    "Bleibt dort: Routen, EKGs, klinische Dokumente, und andere Arten von Werten, wenn du sie nicht wählst. Namen deiner Geräte.",
  "from.bear.how":
    "Ablage, Notizen exportieren, TextBundle; oder Ablage, Notizen sichern. Packe mehrere in ein Zip.",
  "from.bear.comes":
    "Kommt mit: Texte, wie sie sind, Bilder, Dateien, Tags, Zeit der Erstellung, Archiv und, wenn du es wählst, Papierkorb.",
  "from.bear.stays": "Bleibt dort: Verschlüsselte Notizen.",
  "from.contacts.how":
    "Apple: alle wählen, Ablage, vCard exportieren. Google: contacts.google.com, Exportieren, vCard oder CSV. Outlook: Personen, Kontakte verwalten, Exportieren.",
  "from.contacts.comes":
    "Kommt mit: Namen, Nummern, Adressen, Tage, Notizen, Bilder in Karten, Gruppen und Labels.",
  "from.contacts.stays": "Bleibt dort: Bilder, auf die eine Tabelle nur verweist.",
  "from.calendars.how":
    "Google: Einstellungen, Importieren und Exportieren, Exportieren. Apple: Ablage, Exportieren. Outlook: Datei, Kalender speichern. Thunderbird: Termine und Aufgaben, Exportieren. Wähle die .ics-Datei oder das Zip.",
  "from.calendars.comes":
    "Kommt mit: Termine mit Titel, Zeit, Ort und Text, Aufgaben mit ihrem Stand und Journaleinträge. Eine Serie kommt einmal herein, mit ihrer Regel.",
  "from.calendars.stays": "Bleibt dort: Gäste, Erinnerungen und die einzelnen Tage einer Serie.",
  "from.dayOne.how": "Einstellungen, Import/Export, Day One JSON exportieren. Wähle das Zip.",
  "from.dayOne.comes":
    "Kommt mit: Einträge mit Zeit und Zone, Tags, Bilder, Ton, Ort, Wetter und Stern.",
  "from.dayOne.stays": "Bleibt dort: Links zwischen Einträgen bleiben Adressen von Day One.",
  "from.daylio.how": "Mehr, Einträge exportieren, CSV. Wähle die Vorgabe dafür.",
  "from.daylio.comes":
    "Kommt mit: Notizen mit Stimmung und Aktivitäten, und jede Stimmung als Zahl von 1 bis 5.",
  "from.daylio.stays":
    "Bleibt dort: Bilder, Ziele, und Stimmungen mit eigenen Namen, wenn die Zuordnung ihnen keine Zahl gibt.",
  "from.evernote.how":
    "Notizen oder ein Notizbuch wählen, Exportieren, ENEX. Packe mehrere Dateien in ein Zip.",
  "from.evernote.comes":
    "Kommt mit: Texte als Markdown, Bilder, Dateien, Tags, Aufgaben, Erinnerungen, Autor, Ort und Adresse.",
  "from.evernote.stays":
    "Bleibt dort: Verschlüsselte Teile bleiben verschlüsselt. Eine umbenannte Notiz kommt als andere Notiz herein.",
  "from.watches.how":
    "Fitbit: Einstellungen, Deine Daten, als CSV exportieren. Garmin: der Bericht eines Werts, CSV exportieren. Withings: Profil, Einstellungen, Daten herunterladen. Wähle die Vorgabe.",
  "from.watches.comes": "Kommt mit: Gewicht, Schlaf, Schritte, Blutdruck und Puls.",
  "from.watches.stays": "Bleibt dort: Andere Spalten werden mit ihrem Namen gezählt.",
  "from.books.how":
    "Goodreads: My Books, Import and export, Export Library. StoryGraph: Manage Account, Export. Wähle die Vorgabe.",
  "from.books.comes": "Kommt mit: Bücher mit Autor, ISBN, Regal, Rezension, Bewertung und Daten.",
  "from.books.stays": "Bleibt dort: Titelbilder.",
  "from.keep.how":
    "takeout.google.com: nichts auswählen, dann Keep, herunterladen. Wähle das Zip oder tgz.",
  "from.keep.comes":
    "Kommt mit: Texte, Listen mit Haken, Labels als Tags, Bilder, Ton, Links, Archiv, Zeit der Erstellung.",
  "from.keep.stays":
    "Bleibt dort: Farben, und Personen, mit denen du eine Notiz teilst. Der Papierkorb, wenn du ihn nicht wählst.",
  "from.timeline.how":
    "Auf dem Telefon: Einstellungen, Standort, Zeitachse, Exportieren. Oder ein älterer Download von Takeout.",
  "from.timeline.comes":
    "Kommt mit: Die Orte, die du besucht hast, mit erstem und letztem Besuch, und Reisen.",
  "from.timeline.stays":
    "Bleibt dort: Wege, und einzelne Punkte, an denen du warst. Jeder Besuch, wenn du ihn nicht wählst.",
  "from.joplin.how": "Datei, Alle exportieren, JEX.",
  "from.joplin.comes":
    "Kommt mit: Texte, Notizbücher und Tags, Bilder, Dateien, Aufgaben, Links zwischen Notizen, Ort und Adresse.",
  "from.joplin.stays": "Bleibt dort: Verschlüsselte Notizen und frühere Fassungen.",
  "from.journey.how": "Einstellungen, Import/Export, als Zip exportieren.",
  "from.journey.comes":
    "Kommt mit: Einträge mit Zeit und Zone, Tags, Bilder, Ort, Wetter, Stimmung und Stern.",
  "from.journey.stays": "Bleibt dort: Ordner und Labels.",
  "from.loop.how":
    "Einstellungen, als CSV exportieren. Wähle das Zip oder Checkmarks.csv, und die Vorgabe.",
  "from.loop.comes":
    "Kommt mit: Jeder Tag, an dem du eine Gewohnheit erfüllt hast, und seine Zahl.",
  "from.loop.stays": "Bleibt dort: Tage ohne Haken, und Punkte.",
  "from.monica.how":
    "Einstellungen, API: erzeuge ein Token und speichere es in einer Datei, die nur du lesen kannst. Dieser Befehl holt dann alles auf deinem eigenen Rechner. Ohne ihn: Einstellungen, Daten exportieren, JSON.",
  "from.monica.comes":
    "Kommt mit: Personen mit Angaben, Notizen, Anrufe, Aktivitäten, Erinnerungen, Aufgaben, Geschenke, Schulden, Haustiere, Lebensereignisse, Dokumente, Fotos und Tagebuch.",
  "from.monica.stays":
    "Bleibt dort: Archivierte Personen, die nirgends genannt sind, und das Ende einer Erinnerung: die Schnittstelle von Monica nennt sie nicht.",
  "from.notion.how": "Einstellungen, Allgemein, Alle Inhalte exportieren, Markdown & CSV.",
  "from.notion.comes":
    "Kommt mit: Seiten, Bilder, Dateien, Links zwischen Seiten, Titel und Daten.",
  "from.notion.stays": "Bleibt dort: Tabellen von Datenbanken: importiere jede CSV-Datei.",
  "from.obsidian.how": "Packe den Ordner des Tresors in ein Zip.",
  "from.obsidian.comes":
    "Kommt mit: Notizen, Kopfdaten, Tags, Bilder, Dateien und Links. Tagesnotizen werden Erinnerungen.",
  "from.obsidian.stays": "Bleibt dort: Canvas-Dateien und Einstellungen.",
  "from.pocket.how": "Die CSV-Datei oder das Zip deines Exports. Wähle die Vorgabe.",
  "from.pocket.comes": "Kommt mit: Links mit Titel, Tags, Zeit und ob du sie gelesen hast.",
  "from.pocket.stays": "Bleibt dort: Die Texte der Seiten.",
  "from.readwise.how": "readwise.io/export, CSV. Wähle die Vorgabe.",
  "from.readwise.comes": "Kommt mit: Jedes Buch mit seinen Markierungen, Notizen und Tags.",
  "from.readwise.stays": "Bleibt dort: Farben.",
  "from.table.how": "Eine CSV-Datei aus irgendeiner App: sag, was jede Spalte wird.",
  "from.table.comes": "Kommt mit: Jede Spalte, die du zuordnest.",
  "from.table.stays": "Bleibt dort: Spalten ohne Feld werden mit ihrem Namen gezählt.",
};
