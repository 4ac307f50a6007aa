/** The words of the sample life in German. */

/** @type {LifeTexts} */
export const TEXTS = {
  language: "de",
  source: "beispielleben",
  name: "Beispielleben",
  phones: ["+49 171 3920018", "+49 171 3920042", "+49 171 3920057", "+49 171 3920081"],
  tags: { family: "Familie", water: "Wasser", garden: "Garten" },
  kinds: {
    WEIGHT: "Gewicht",
    MOOD: "Stimmung",
    SLEEP_DURATION: "Schlafdauer",
    RESTING_HEART_RATE: "Ruhepuls",
  },
  people: {
    ruth: {
      name: "Ruth Hagedorn",
      street: "Mühlweg 4",
      town: "Eschwasser",
      contacts: [
        "Das Knie ist besser. Sie hat selbst mit dem Zaun angefangen und wollte von Hilfe nichts hören.",
        "Mittagessen, danach die Fotokisten vom Dachboden. Die Hälfte der Leute darin hat keinen Namen.",
        "Sie hat dreimal gefragt, wann die Aufführung ist. Ihr groß aufschreiben.",
      ],
      note: ["Wie sie Nein sagt", "Sie sagt „Das sehen wir dann“. Das heißt Nein, immer schon."],
    },
    jonah: {
      name: "Jonas Lindt",
      contacts: [],
      note: ["Tee", "Stark, ohne Zucker, in der blauen Tasse. Nie in der grünen."],
    },
    mia: { name: "Mia", contacts: [] },
    tom: {
      name: "Tom Hagedorn",
      contacts: [
        "Neue Wohnung, vierter Stock, kein Aufzug. Er klang zum ersten Mal in diesem Jahr ausgeruht.",
      ],
      note: [
        "Zum Geburtstag",
        "Die Mundharmonika, die er mit neunzehn verkauft hat, oder eine wie sie.",
      ],
    },
    ines: {
      name: "Ines Varga",
      contacts: ["Sie möchte die Fotos von der Insel. Bis Ende der Woche versprochen."],
      note: [
        "Wie wir uns kennengelernt haben",
        "Sie nahm den falschen Koffer vom Band und rief mich aus einem Hotel zwei Städte weiter an.",
      ],
    },
    brandt: {
      name: "Herr Brandt",
      contacts: ["Schach, zweimal verloren. Er hat mir für die Regenrinne seine Leiter geliehen."],
    },
    leyla: {
      name: "Leyla Demir",
      company: "Bücherei Eschwasser",
      contacts: [
        "Zusammen nach Hause gegangen. Sie überlegt zu kündigen, das soll unter uns bleiben.",
      ],
    },
    emil: {
      name: "Emil Hagedorn",
      contacts: [],
      note: ["Sein Satz", "„Zweimal messen, und dann noch einmal, weil du geredet hast.“"],
    },
  },
  memories: {
    ice: {
      title: "Das singende Eis",
      time: "Als ich ungefähr sieben war",
      text:
        "Opa Emil weckte mich, als es noch dunkel war. Wir gingen auf den See hinaus, und das Eis sang unter uns, ein langer tiefer Ton vom anderen Ufer. Er sagte, das Wasser drehe sich im Schlaf um. Das habe ich jahrelang geglaubt, und ich weiß nicht, ob ich damit aufgehört habe.",
    },
    kitchen: {
      title: "Großmutters Küche",
      text:
        "Das Radio auf der Fensterbank, Pflaumenkuchen unter einem Tuch. Ich durfte die Pflaumen in den Teig drücken. Wenn ich wegsah, rückte sie jede Reihe wieder gerade.",
    },
    bicycle: {
      title: "Der Sommer mit dem roten Fahrrad",
      text:
        "Tom und ich hatten zusammen ein Fahrrad und eine Regel: Wer hinfällt, geht zu Fuß. Wir haben beide gelernt, langsam zu fallen.",
    },
    train: {
      title: "Der Nachtzug",
      text:
        "Ich fuhr mit zwei Taschen und einer Adresse auf einer Serviette. Eine Frau im Abteil schälte eine Orange, gab mir wortlos die Hälfte und schlief bis zur Grenze.",
    },
    suitcase: {
      title: "Jonas und der Regenschirm",
      text:
        "Er hielt ihn über meine Bücher und nicht über mich. Ich dachte: Der hat etwas verstanden.",
    },
    born: {
      title: "Der Tag, an dem Mia geboren wurde",
      text:
        "Die ganze Nacht Regen, und um zwanzig nach fünf hörte er auf. Sie sah mich an, als hätte man ihr von mir erzählt und sie prüfe es nach.",
    },
    move: {
      title: "Einzug ins schiefe Haus",
      text:
        "Nichts darin war gerade. Wir legten eine Murmel auf den Küchenboden, und sie fand allein zur Gartentür. Mia nannte es das Haus, das nach draußen will.",
    },
    emil: {
      title: "Opas letzter Brief",
      text:
        "Er kam vier Tage nach seinem Tod. Eine halbe Seite über das Boot und dann: „Der Leim braucht zwei Tage. Sei nicht ungeduldig mit ihm, und mit niemandem.“",
    },
    lighthouse: {
      title: "Einundsechzig Stufen",
      text:
        "Mia zählte sie laut, den ganzen Leuchtturm hinauf, und oben war ihr die Aussicht völlig egal. Sie wollte hinunter und nachsehen, ob es genauso viele sind.",
    },
    rejected: {
      title: "Wofür die Absage gut war",
      text:
        "Ich habe die Stelle nicht bekommen. Nach einer Woche fiel mir auf, dass ich jede Nacht durchgeschlafen hatte. Ich wollte gefragt werden. Die Arbeit wollte ich nicht.",
    },
    island: {
      title: "Zwei Wochen auf der Insel",
      text:
        "Kein Auto, ein Laden, Brot um zehn. Ab dem dritten Tag fragte niemand mehr nach der Uhrzeit. Ines fotografierte alles, was blau war, und sonst nichts.",
    },
    dark: {
      title: "Der Abend ohne Licht",
      text:
        "Beim Essen wurde die ganze Straße dunkel. Wir saßen mit Kerzen auf der Treppe, dann kamen die Nachbarn mit ihren dazu und Herr Brandt mit einem Kuchen. Als die Lampen wieder angingen, sagte jemand: schade.",
    },
    waiting: {
      title: "Im Wartezimmer",
      text:
        "Mutter hielt ihre Handtasche mit beiden Händen. Mir fiel auf, dass ich meine genauso halte. Es war nichts, nur das Knie, aber seitdem bin ich sanfter.",
    },
    dream: {
      title: "Das Haus mit einem Zimmer mehr",
      text:
        "Hinter der Speisekammer war eine Tür, die wir übertapeziert hatten. Darin stand Opas Boot, fertig und trocken.",
    },
    chess: {
      title: "Der beste Zug von Herrn Brandt",
      text:
        "Er bot Remis an, obwohl er gewann, weil seine Suppe überkochte. Ich nahm an. Wir haben die Suppe gegessen.",
    },
    reading: {
      title: "Mia liest mir vor",
      text:
        "Ich war erkältet und hatte keine Stimme. Sie brachte ihr eigenes Buch mit, setzte sich auf meine Füße und las alle Stimmen. Der Drache klang wie mein Bruder.",
    },
  },
  events: {
    birth: ["Geboren in Eschwasser", "Das zweite Kind, drei Wochen zu früh, mitten in der Ernte."],
    school: ["Schulabschluss", "Mit guten Noten und ohne Plan."],
    south: ["Fünf Jahre im Süden", "Buchläden, zwei Sprachen, viele Orangen."],
    library: ["Anfang in der Bücherei", "Erst die Rückgabe, dann die Kinderetage."],
    wedding: ["Hochzeit mit Jonas", "Im Rathaus, mit elf Leuten und einem Hund."],
    mia: ["Mia wird geboren", "Um zwanzig nach fünf am Morgen."],
    house: ["Einzug ins schiefe Haus", "Gekauft mit Ruths Hilfe und gegen Toms Rat."],
    loss: ["Opa Emil stirbt", "Mit einundneunzig, in seinem Sessel, nach dem Frühstück."],
  },
  commitments: {
    ladder: [
      "Die Leiter zurückbringen",
      "Herr Brandt hat sie für die Regenrinne geliehen. Er braucht sie am Wochenende.",
    ],
    photographs: ["Ines die Fotos schicken", "Die blauen von der Insel, in voller Größe."],
    school: ["Antwort der Schule", "Ob Mia nach den Ferien in die Musikklasse wechseln kann."],
    book: ["Der Atlas ist bei Leyla", "Mit dem gepressten Blatt auf Seite 40. Sie weiß Bescheid."],
    dentist: ["Beim Zahnarzt anrufen", "Für Mia, nach halb vier, nicht donnerstags."],
    cake: ["Kuchen fürs Gartenfest backen", "Pflaume, ein Blech."],
  },
  actions: {
    swim: ["Einen Kilometer am Stück schwimmen", "Im See, und danach noch reden können."],
    shelves: ["Regale für den Keller", "Vor dem Herbstregen steht nichts mehr auf dem Boden."],
    paint: ["Farbe für die Regale kaufen", "Zwei Liter, das Grau der Treppe."],
    passport: ["Reisepass verlängern", "Er liegt in der Schublade."],
    seeds: ["Die Samenkiste sortieren", "Nichts darin ist älter als drei Jahre."],
    gutter: ["Regenrinne reinigen", "Die Regentonne wird wieder voll."],
  },
  routines: {
    plants: ["Pflanzen gießen", "Haus"],
    bins: ["Mülltonnen rausstellen", "Haus"],
    backup: ["Fotos auf die zweite Platte kopieren", "Unterlagen"],
    walk: ["Einmal um den See gehen", "Gesundheit"],
  },
  captures: [
    "Eine Tür im Blau der Insel. Jonas fragen, was er davon hält.",
    "Geburtstag für Tom: Mundharmonika? Im Laden hinter dem Bahnhof fragen.",
    "Leylas Wort für den Tag nach dem Urlaub: Heimkehrtag.",
  ],
  knowledge: {
    mornings: [
      "Handbuch der langsamen Morgen",
      "Petra Quill",
      "Kapitel 3: nichts unternehmen, bis es hell ist.",
    ],
    glue: ["Holz, Leim, Geduld", "A. Norrland", "Opas Exemplar, mit seinen Bleistiftstrichen."],
    lake: ["Wie Seen atmen", "Mara Osei", "Warum das Eis singt. Er hatte fast recht."],
  },
  principles: {
    ask: [
      "Erst fragen, dann raten",
      "Ich frage, was jemand braucht, bevor ich sage, was ich tun würde.",
    ],
    slow: [
      "Große Dinge brauchen eine Nacht",
      "Nichts über einem Monatslohn und kein Brief im Zorn vor dem nächsten Morgen.",
    ],
    evenings: ["Der Abend gehört dem Haus", "Keine Arbeit nach sieben, außer es brennt."],
  },
  places: {
    bench: ["Die Bank am See", "Blick nach Westen. Hier fallen die Entscheidungen."],
    house: ["Das schiefe Haus", "Vorsicht, zweite Stufe."],
    library: ["Bücherei Eschwasser", "Seitentür, der Code ist das Baujahr."],
  },
  communities: {
    allotment: ["Kleingartenverein", "Parzelle 17 und an Festtagen der Kuchen"],
    choir: ["Dienstagschor", "Zweiter Alt, hintere Reihe"],
  },
  review: {
    title: "Eine Woche in Ordnung",
    summary: "Ruhiger als befürchtet. Zwei Abende nur zu dritt.",
    achievements: "Die Regenrinne ist frei. Tom einen Brief mit der Hand geschrieben.",
    next: "Leiter zurück. Fotos an Ines. Ein freier Abend.",
  },
  interviews: {
    brave: [
      "Wann warst du zuletzt mutig?",
      "Als ich in der Bücherei gesagt habe, dass ich lieber die Kinderetage möchte als die Beförderung.",
    ],
    forgive: ["Wem hast du noch nicht verziehen?", ""],
  },
  pattern: [
    "Am Telefon sage ich Ja",
    "Am Telefon stimme ich Dingen zu, die ich schriftlich ablehnen würde.",
  ],
  legacy: ["Ein Brief für Mia zum Achtzehnten", "Jonas oder Tom soll ihn ihr geben."],
};
