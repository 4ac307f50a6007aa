/** German: the features of each module, in the catalog's order. */
export default `
relationship: Profil; Status; gemeinsame Erlebnisse; letzter Kontakt; Einschätzung; Belege; Zeitleiste; Erinnerung an die Pflege
commitment: eigene Zusagen; Zusagen anderer; Offenes; Leihen und Verleihen; ausstehende Antwort; Rückblick; Verlässlichkeit; Nachhaken
identity: heutiges Profil; Lebensphasen; Verlauf der Rollen; früheres Ich; Vergleich; öffentliche Ansicht; Freigabe im Nachlass; Import und Export
constitution: Grundsatz; Rangfolge der Werte; Belege; eigene Bedeutung eines Worts; Verlauf; Widerspruch zum Verhalten; Bezug von Entscheidungen; öffentliche Grundsätze
resource: eigene Mittel; Zeit; Energie; Fähigkeiten; finanzielle Grenze; Netz; Warnung vor Überlastung; Export
decision: Entscheidung; Vergleich der Optionen; Begründung; Vorhersage; Ausgang; Treffsicherheit; Was wäre, wenn; Durchspielen
health: Messung; Import von Schlaf; Import von Bewegung; Import des Pulses; Verlauf; Versuch; Bezug zum Verhalten; vertraulicher Export
action: Vision; Fünfjahresplan; Ziele; Projekte; Aufgaben und nächster Schritt; Grenze für Gleichzeitiges; Abhängigkeiten; Einklang mit Zielen
routine: Routine; zuletzt erledigt; nächster Termin; Verlauf; Pflege des Lebens; Mahnung; Pflege von Beziehungen; angepasster Takt
review: täglich; wöchentlich; monatlich; vierteljährlich; jährlich; Fehlschläge; Erfolge; Protokoll der Veränderung
ai-agent: Gespräch mit Mentor; früheres Ich; Durchspielen eines Lebens; Rat nach Regeln; Erlaubnis für Werkzeuge; Prüfung des Verhaltens; überwachte Aufgabe; Versuch mit digitaler Person
personal-model: Einsichten; mögliche Muster; Belege; Widersprüche; mögliche Eigenschaft; Wandel; Prüfung des KI-Gedächtnisses; Neuberechnung
interview: Fragen; Vorschläge; Rangfolge; Gespräch; Nachfragen; Antwort im Wortlaut; Bestätigung der Deutung; seltener oder nie fragen
memory: Erinnerung; Zwischenstand; Entwurf sichert sich; Verlauf; Original und KI-Entwurf getrennt; ungenaue Zeit; Vertraulichkeit; Export als Markdown und JSON
capture: gemeinsamer Eingang; Notiz in 30 Sekunden; Teilen aus Programmen; Entwurf ohne Verbindung; gesprochene Notiz; Notiz als Bild; Bestätigung des Ziels; keine Doppelten
timeline: Ereignis; ungenaue Zeit; Reihenfolge; Orte; Lebenslauf; Lücken füllen; Strittiges; öffentliche Zeitleiste
knowledge: Link; Kopie der Seite; Fassungen; Anmerkungen; später lesen; Änderungen der Quelle; Wissensnetz; Archiv zum Mitnehmen
media: Hochladen; Bilder beschriften; Tonaufnahme; Abschrift prüfen; Unversehrtheit; Abgeleitetes; Ablage nach Gebrauch; laufende Aufzeichnung
integration: Anbindung; Freigabe eines Geräts; Import der Uhr; Import von Musik; Import von Gesprächen; Import von Fotos; Karten; Prüfung und Widerruf
legacy: Plan; Empfänger; Umschlag; Zeitkapsel; Bedingungen; Bestätigung durch mehrere; Probelauf; Lebensbuch
taxonomy: Schlagwort; Kategorien; andere Namen; Umbenennen; Zusammenlegen; Stilllegen; Gebrauch; Import und Export
community: Profil; Mitgliedschaft; Rollen; Ereignisse; Regeln; Beiträge; Zustand; Export
place: Ort; Besuche; frühere Wohnungen; Erinnerungen; Karte; Reiseplan; Zahlen; Import
publication: Entwurf; Schwärzen; Vorschau; Veröffentlichen; Zurückziehen; Zugriffe; Feed; Archiv`;
