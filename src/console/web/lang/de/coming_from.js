/** German: other products. */
export default {
  comingFromText: "Exportiere dort, dann wähle hier die Datei. Zuerst siehst du eine Vorschau.",
  monicaAddress: "Adresse deines Monica",
  "from.contacts": "Kontakte: Apple, Google, Outlook",
  "from.calendars": "Kalender: Apple, Google, Outlook, Thunderbird",
  "from.table": "Jede andere App",
  "from.health.how":
    "Health-App → dein Bild → Alle Gesundheitsdaten exportieren. Wähle die Zip-Datei.",
  "from.health.comes":
    "Kommt mit: Schritte und Schlaf jedes Tages, Tagesmittel von Puls und Sauerstoff, Gewicht, Blutdruck, Blutzucker, Temperatur und Trainings. Haben zwei Geräte denselben Weg gezählt, zählt er einmal.",
  "from.health.stays":
    "Bleibt dort: Routen, EKGs, klinische Dokumente, die Namen deiner Geräte und andere Arten von Werten, außer du wählst sie.",
  "from.bear.how":
    "Ablage → Notizen sichern; auf dem Telefon Einstellungen → Backup → Exportieren. Oder exportiere Notizen als TextBundle und packe sie in eine Zip-Datei. Gib hier jeder Sicherung denselben Namen.",
  "from.bear.comes":
    "Kommt mit: Texte, wie sie sind, Bilder, Dateien, Schlagwörter, Zeit der Erstellung und archivierte Notizen.",
  "from.bear.stays":
    "Bleibt dort: verschlüsselte Notizen, Anheftungen und der Papierkorb, außer du wählst ihn.",
  "from.contacts.how":
    "Apple: alle auswählen → Ablage → Exportieren → vCard exportieren. Google: contacts.google.com → Exportieren → vCard. Outlook: Personen → Kontakte verwalten → Exportieren, dann wähle hier die Vorlage.",
  "from.contacts.comes":
    "Kommt mit: Namen, Nummern, Adressen, Geburtstage und andere Tage, Beziehungen, Notizen, Bilder in Karten, Gruppen und Labels.",
  "from.contacts.stays": "Bleibt dort: Bilder, die nur eine Adresse im Netz sind.",
  "from.calendars.how":
    "Google: Einstellungen → Importieren & Exportieren → Exportieren. Apple: Ablage → Exportieren → Exportieren. Outlook: Datei → Kalender speichern. Thunderbird: Termine und Aufgaben → Exportieren. Wähle die .ics-Datei oder die Zip-Datei.",
  "from.calendars.comes":
    "Kommt mit: Termine mit Titel, Zeit, Ort und Text, Aufgaben mit ihrem Stand und Journaleinträge. Eine Serie kommt als ihr erster Termin, mit ihrer Regel.",
  "from.calendars.stays": "Bleibt dort: Gäste, Erinnerungen und die anderen Tage einer Serie.",
  "from.dayOne.how":
    "Einstellungen → Import/Export → Day One JSON exportieren; am Mac Ablage → Exportieren → JSON. Wähle die Zip-Datei.",
  "from.dayOne.comes":
    "Kommt mit: Einträge mit Zeit und Zone, Schlagwörter, Bilder, Ton, Videos, Ort, Wetter und Stern.",
  "from.dayOne.stays":
    "Bleibt dort: Schritte und Musik. Links zwischen Einträgen bleiben, wie sie sind.",
  "from.daylio.how": "Mehr → Einträge exportieren → CSV. Dann wähle hier die Vorlage.",
  "from.daylio.comes":
    "Kommt mit: Notizen mit Stimmung und Aktivitäten, und jede Stimmung als Zahl von 1 bis 5.",
  "from.daylio.stays":
    "Bleibt dort: Bilder und Ziele. Stimmungen mit eigenen Namen kommen als Wort, nicht als Zahl.",
  "from.evernote.how":
    "In der App ein Notizbuch wählen → ⋯ → Notizbuch exportieren → ENEX. Packe mehrere Dateien in eine Zip-Datei.",
  "from.evernote.comes":
    "Kommt mit: Texte als Markdown, Bilder, Dateien, Schlagwörter, Aufgaben, Erinnerungen, Autor, Ort und Adresse.",
  "from.evernote.stays":
    "Verschlüsselte Teile bleiben verschlüsselt. Eine Notiz, die du dort umbenennst, kommt als andere Notiz herein.",
  "from.watches.how":
    "Fitbit: Einstellungen → Datenexport → CSV. Garmin: Berichte → Gewicht oder Schlaf → CSV exportieren. Withings: Profil → Einstellungen → Daten herunterladen. Dann wähle hier die Vorlage.",
  "from.watches.comes":
    "Kommt mit: Gewicht und Schlaf; von Fitbit auch Schritte, von Garmin der Ruhepuls, von Withings Blutdruck und Puls.",
  "from.watches.stays": "Bleibt dort: andere Werte. Die Vorschau zählt sie.",
  "from.books.how":
    "Goodreads: My Books → Import and export → Export Library. StoryGraph: Manage Account → Export. Dann wähle hier die Vorlage.",
  "from.books.comes":
    "Kommt mit: Bücher mit Autor, ISBN, Regalen, deiner Rezension, deinen Notizen, Bewertung und Daten.",
  "from.books.stays": "Bleibt dort: Titelbilder.",
  "from.keep.how":
    "takeout.google.com → Auswahl aufheben → Google Notizen → Nächster Schritt → Export erstellen. Wähle die Zip- oder tgz-Datei.",
  "from.keep.comes":
    "Kommt mit: Texte, Listen mit Haken, Labels als Schlagwörter, Bilder, Ton, Links, archivierte Notizen, Zeit der Erstellung.",
  "from.keep.stays":
    "Bleibt dort: Farben, Personen, mit denen du eine Notiz teilst, und der Papierkorb, außer du wählst ihn.",
  "from.timeline.how":
    "iPhone: Google Maps → dein Bild → Deine Zeitachse → ⋯ → Standort- und Datenschutzeinstellungen → Zeitachsendaten exportieren. Android: Einstellungen → Standort → Standortdienste → Zeitachse → Zeitachsendaten exportieren. Ein älterer Download von Takeout geht auch.",
  "from.timeline.comes":
    "Kommt mit: die Orte, die du besucht hast, mit erstem und letztem Besuch, und Reisen.",
  "from.timeline.stays":
    "Bleibt dort: Strecken, einzelne Punkte, an denen du warst, und jeder Besuch, außer du wählst das. Telefone exportieren keine Namen von Orten.",
  "from.joplin.how":
    "Datei → Alles exportieren → JEX; auf dem Telefon Konfiguration → Importieren und Exportieren. Wähle die .jex-Datei.",
  "from.joplin.comes":
    "Kommt mit: Texte, Notizbücher und Schlagwörter, Bilder, Dateien, Aufgaben, Links zwischen Notizen, Ort und Adresse.",
  "from.joplin.stays":
    "Bleibt dort: verschlüsselte Notizen, frühere Fassungen und der Papierkorb, außer du wählst ihn.",
  "from.journey.how": "Einstellungen → Exportieren → ZIP. Wähle die Zip-Datei.",
  "from.journey.comes":
    "Kommt mit: Einträge mit Zeit und Zone, Schlagwörter, Bilder, Ton, Videos, Ort, Wetter, Stimmung und Stern.",
  "from.journey.stays": "Bleibt dort: Ordner und Labels.",
  "from.loop.how": "Einstellungen → Als CSV exportieren. Wähle die Zip-Datei, dann die Vorlage.",
  "from.loop.comes":
    "Kommt mit: jeder Tag, an dem du eine Gewohnheit erfüllt hast, und seine Zahl.",
  "from.loop.stays": "Bleibt dort: Tage ohne Haken, Punktzahlen und Notizen zu Tagen.",
  "from.monica.how":
    "In Monica: Einstellungen → API → Neues Token erstellen. Speichere das Token in einer Datei, die nur du lesen kannst. Diese Befehle holen dann alles auf deinen eigenen Rechner und importieren es. Oder ohne sie: Einstellungen → Daten exportieren → Als JSON exportieren.",
  "from.monica.comes":
    "Kommt mit: Personen mit Angaben, Notizen, Anrufe, Aktivitäten, Erinnerungen, Aufgaben, Geschenke, Schulden, Haustiere, Lebensereignisse, Dokumente, Fotos und Tagebuch.",
  "from.monica.stays":
    "Bleibt dort: Bewertungen von Tagen. Die API von Monica lässt auch archivierte Personen aus, die sonst nirgends genannt sind, und ob eine Erinnerung beendet ist.",
  "from.notion.how":
    "Einstellungen → Allgemein → Alle Inhalte des Workspace exportieren → Markdown & CSV. Gib hier jedem Export denselben Namen.",
  "from.notion.comes":
    "Kommt mit: Seiten mit Titel, Daten und Schlagwörtern, Bilder, Dateien. Links zwischen Seiten bleiben, wie sie sind.",
  "from.notion.stays":
    "Bleibt dort: Kommentare und die Tabellen von Datenbanken; ihre Zeilen kommen als Seiten.",
  "from.obsidian.how": "Packe den Ordner des Vaults in eine Zip-Datei.",
  "from.obsidian.comes":
    "Kommt mit: Notizen, Vorspann, Schlagwörter und die Bilder und Dateien, die Notizen zeigen. Tagesnotizen werden Erinnerungen.",
  "from.obsidian.stays":
    "Bleibt dort: Canvas-Dateien, Einstellungen und Dateien, die keine Notiz zeigt.",
  "from.pocket.how":
    "Wähle die Zip-Datei deines Exports oder die CSV-Datei darin, dann die Vorlage.",
  "from.pocket.comes":
    "Kommt mit: Links mit Titel, Schlagwörtern, Zeit, und ob du sie gelesen hast.",
  "from.pocket.stays": "Bleibt dort: die Texte der Seiten.",
  "from.readwise.how": "readwise.io/export → CSV. Dann wähle hier die Vorlage.",
  "from.readwise.comes":
    "Kommt mit: jedes Buch mit seinen Markierungen, deinen Notizen und seinen Schlagwörtern.",
  "from.readwise.stays": "Bleibt dort: Farben und Schlagwörter von Markierungen.",
  "from.table.how": "Wähle eine CSV-Datei aus einer anderen App und sag, was jede Spalte wird.",
  "from.table.comes": "Kommt mit: jede Spalte, der du ein Feld gibst.",
  "from.table.stays": "Bleibt dort: andere Spalten. Die Vorschau zählt sie mit ihrem Namen.",
};
