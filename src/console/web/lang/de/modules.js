/** German: what each module is for, and an example. */
export default {
  moduleTexts: `
relationship|Menschen, die dir wichtig sind, und was mit ihnen war.|Anna, eine Freundin, jeden Monat anrufen
commitment|Was du versprochen, verliehen oder geliehen hast, bis es erledigt ist.|Jonas bis Freitag die Leiter zurückgeben
identity|Wer du gerade bist.|Gärtner und Vater von zwei Kindern
constitution|Die Grundsätze, Werte und Überzeugungen, nach denen du lebst.|Briefe beantworte ich innerhalb einer Woche
resource|Was du einsetzen kannst: Zeit, Kraft, Geld, Können.|20 freie Stunden pro Woche
decision|Entscheidungen mit Möglichkeiten, Gründen und Ausgang.|In der Stadt bleiben oder aufs Land ziehen?
health|Messwerte deines Körpers, und wie es dir geht.|72,4 kg heute Morgen
action|Visionen, Ziele, Projekte und Aufgaben, und woran ihr Gelingen zu sehen ist.|Vor dem Winter die Küche streichen
routine|Was alle paar Tage oder Monate wiederkehrt.|Alle 4 Tage die Pflanzen gießen
review|Ein Blick zurück auf einen Tag, eine Woche oder ein Jahr.|Was diese Woche gut lief
ai-agent|Gespräche mit Assistenten, und was du ihnen erlaubt hast.|Rat zu einem schwierigen Brief
personal-model|Was du über dich glaubst, und wie sicher du bist.|Morgens entscheide ich besser
interview|Fragen zu deinem Leben, und deine Antworten.|Was hat dir deine Großmutter beigebracht?
memory|Woran du dich erinnerst, in deinen Worten, so genau du weißt, wann.|Der See im Sommer 1998
capture|Gedanken, wie sie kommen. Sortiere sie später.|Maria nach dem Rezept fragen
timeline|Was dein Leben geprägt hat, der Reihe nach.|2011 nach Hamburg gezogen
knowledge|Was du liest oder lesen willst, mit deinen Anmerkungen.|Ein Aufsatz über Schlaf, ungelesen
media|Fotos und Aufnahmen, und warum sie zählen.|Vaters Stimme an seinem 70. Geburtstag
taxonomy|Wörter, die Aufzeichnungen verbinden.|Garten
integration|Dienste, aus denen du Daten holst.|Ein Kalender, von Hand importiert
legacy|Was andere bekommen oder wissen sollen, wenn du nicht mehr da bist.|Ein Brief an meine Tochter
community|Gruppen, zu denen du gehörst oder gehörtest.|Der Chor, seit 2015
place|Orte, die dir etwas bedeuten.|Die Bank über dem Fluss
publication|Texte, die du veröffentlichst, vom Entwurf an.|Ein Essay über das Gehen`,
};
