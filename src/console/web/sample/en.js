/** The words of the sample life in English. */

/** @type {LifeTexts} */
export const TEXTS = {
  language: "en",
  source: "sample-life",
  name: "Sample life",
  phones: ["+44 7700 900118", "+44 7700 900342", "+44 7700 900507", "+44 7700 900861"],
  tags: { family: "family", water: "water", garden: "garden" },
  kinds: {
    WEIGHT: "Weight",
    MOOD: "Mood",
    SLEEP_DURATION: "Sleep",
    RESTING_HEART_RATE: "Resting heart rate",
  },
  people: {
    ruth: {
      name: "Ruth Hale",
      street: "Mill Lane 4",
      town: "Ashwater",
      contacts: [
        "Her knee is better. She has started on the fence herself, and would not hear of help.",
        "Lunch, and the photo boxes from the attic. Half the people in them have no name.",
        "She asked three times when the play is. Write it down for her, large.",
      ],
      note: ["How she says no", 'She says "we shall see". It means no, and always has.'],
    },
    jonah: {
      name: "Jonah Lindt",
      contacts: [],
      note: ["Tea", "Strong, no sugar, in the blue cup. Never the green one."],
    },
    mia: { name: "Mia", contacts: [] },
    tom: {
      name: "Tom Hale",
      contacts: [
        "New flat, fourth floor, no lift. He sounded rested for the first time this year.",
      ],
      note: ["For his birthday", "The harmonica he sold when he was nineteen, or one like it."],
    },
    ines: {
      name: "Ines Varga",
      contacts: ["She wants the photographs of the island. Promised them by the end of the week."],
      note: [
        "How we met",
        "She took the wrong suitcase from the belt, and rang me from a hotel two towns away.",
      ],
    },
    brandt: {
      name: "Mr Brandt",
      contacts: ["Chess, lost twice. He lent me his ladder for the gutter."],
    },
    leyla: {
      name: "Leyla Demir",
      company: "Ashwater Library",
      contacts: ["Walked home together. She is thinking of leaving, and wants it kept quiet."],
    },
    emil: {
      name: "Emil Hale",
      contacts: [],
      note: ["His sentence", '"Measure twice, and then once more, because you were talking."'],
    },
  },
  memories: {
    ice: {
      title: "The singing ice",
      time: "When I was about seven",
      text:
        "Grandpa Emil woke me while it was still dark. We walked out on the lake, and the ice sang under us, one long low note from the far shore. He said it was the water turning over in its sleep. I believed it for years, and I am not sure that I have stopped.",
    },
    kitchen: {
      title: "Grandmother's kitchen",
      text:
        "The radio on the sill, plum cake under a cloth. I was allowed to press the plums into the dough. When I looked away she put every row straight again.",
    },
    bicycle: {
      title: "The summer of the red bicycle",
      text:
        "Tom and I had one bicycle between us and a rule for it: whoever fell off had to walk. We both learned to fall slowly.",
    },
    train: {
      title: "The night train",
      text:
        "I left with two bags and an address on a napkin. A woman in the compartment peeled an orange, gave me half without a word, and slept until the border.",
    },
    suitcase: {
      title: "Jonah and the umbrella",
      text:
        "He held it over my books and not over me. I thought: this one has understood something.",
    },
    born: {
      title: "The day Mia was born",
      text:
        "Rain all night, and at twenty past five it stopped. She looked at me as if someone had told her about me and she was checking.",
    },
    move: {
      title: "Moving into the crooked house",
      text:
        "Nothing in it was level. We put a marble on the kitchen floor and it found the garden door by itself. Mia called it the house that wants to go outside.",
    },
    emil: {
      title: "The last letter from Grandpa",
      text:
        'It came four days after he died. Half a page about the boat, and then: "The glue needs two days. Do not be impatient with it, or with anyone."',
    },
    lighthouse: {
      title: "Sixty-one steps",
      text:
        "Mia counted them aloud, all the way up the lighthouse, and at the top she was not interested in the view at all. She wanted to go down and see whether it was the same number.",
    },
    rejected: {
      title: "What the no was good for",
      text:
        "I did not get the post. It took me a week to notice that I had slept through every night of it. I had wanted to be asked. I had not wanted the work.",
    },
    island: {
      title: "Two weeks on the island",
      text:
        "No car, one shop, bread at ten. By the third day nobody asked what time it was. Ines photographed everything that was blue and nothing else.",
    },
    dark: {
      title: "The evening without light",
      text:
        "The whole street went dark at dinner. We sat on the stairs with candles, then the neighbours came with theirs, and Mr Brandt with a cake. When the lamps came back on, somebody said: shame.",
    },
    waiting: {
      title: "In the waiting room",
      text:
        "Mother held her handbag with both hands. I noticed that I hold mine the same way. Nothing came of it, it was only the knee, but I have been gentler since.",
    },
    dream: {
      title: "The house with one more room",
      text:
        "Behind the pantry there was a door that we had papered over. Inside stood Grandpa's boat, finished, and dry.",
    },
    chess: {
      title: "Mr Brandt's best move",
      text:
        "He offered a draw when he was winning, because his soup was boiling over. I took it. We ate the soup.",
    },
    reading: {
      title: "Mia reads to me",
      text:
        "I had a cold and no voice. She brought her own book, sat on my feet, and did all the voices. The dragon sounded like my brother.",
    },
  },
  events: {
    birth: ["Born in Ashwater", "The second child, three weeks early, in the middle of a harvest."],
    school: ["Left school", "With good marks, and no idea."],
    south: ["Five years in the south", "Bookshops, two languages, a lot of oranges."],
    library: ["Began at the library", "First the returns, then the children's floor."],
    wedding: ["Married Jonah", "In the town hall, with eleven people and one dog."],
    mia: ["Mia is born", "At twenty past five in the morning."],
    house: [
      "Moved into the crooked house",
      "Bought with the help of Ruth and against the advice of Tom.",
    ],
    loss: ["Grandpa Emil dies", "At ninety-one, in his chair, after breakfast."],
  },
  commitments: {
    ladder: [
      "Bring back the ladder",
      "Mr Brandt lent it for the gutter. He needs it at the weekend.",
    ],
    photographs: ["Send Ines the photographs", "The blue ones from the island, in full size."],
    school: [
      "Answer from the school",
      "Whether Mia can change to the music class after the holidays.",
    ],
    book: ["The atlas is with Leyla", "With the pressed leaf on page 40. She knows."],
    dentist: ["Call the dentist", "For Mia, after half past three, not on a Thursday."],
    cake: ["Bake for the allotment feast", "Plum, one tray."],
  },
  actions: {
    swim: ["Swim a kilometre without stopping", "In the lake, and able to talk afterwards."],
    shelves: ["Shelves for the cellar", "Everything is off the floor before the autumn rain."],
    paint: ["Buy paint for the shelves", "Two litres, the grey of the stairs."],
    passport: ["Renew the passport", "It is in the drawer."],
    seeds: ["Sort the seed box", "Nothing older than three years is in it."],
    gutter: ["Clear the gutter", "The rain barrel fills again."],
  },
  routines: {
    plants: ["Water the plants", "House"],
    bins: ["Put out the bins", "House"],
    backup: ["Copy the photos to the second disk", "Papers"],
    walk: ["Walk around the lake", "Health"],
  },
  captures: [
    "A door in the blue of the island. Ask Jonah what he thinks of that.",
    "Birthday for Tom: harmonica? Ask in the shop behind the station.",
    "Leyla's word for the day after a holiday: homecome.",
  ],
  knowledge: {
    mornings: [
      "A Field Guide to Slow Mornings",
      "Petra Quill",
      "Chapter 3: do nothing about it until it is light.",
    ],
    glue: ["Wood, Glue, Patience", "A. Norrland", "Grandpa's copy, with his pencil marks."],
    lake: ["Lakes and How They Breathe", "Mara Osei", "Why the ice sings. He was nearly right."],
  },
  principles: {
    ask: ["Ask before I advise", "I ask what somebody needs before I say what I would do."],
    slow: [
      "Large things get a night",
      "Nothing over a month's pay, and no letter in anger, before the next morning.",
    ],
    evenings: ["Evenings belong to the house", "No work after seven, unless something burns."],
  },
  places: {
    bench: ["The bench at the lake", "Facing west. Where things are decided."],
    house: ["The crooked house", "Mind the second step."],
    library: ["Ashwater Library", "Side door, the code is the year it was built."],
  },
  communities: {
    allotment: ["Allotment club", "Plot 17, and the cake on feast days"],
    choir: ["Tuesday choir", "Second alto, in the back row"],
  },
  review: {
    title: "A week in good order",
    summary: "Quieter than I feared. Two evenings at home, just the three of us.",
    achievements: "The gutter is clear. Wrote to Tom by hand.",
    next: "Ladder back. Photographs to Ines. One free evening.",
  },
  interviews: {
    brave: [
      "When were you last brave?",
      "When I told them at the library that I would rather have the children's floor than the promotion.",
    ],
    forgive: ["Whom have you not forgiven yet?", ""],
  },
  pattern: [
    "I say yes on the telephone",
    "On the telephone I agree to things that I would refuse in writing.",
  ],
  legacy: ["A letter for Mia at eighteen", "To be given to her by Jonah, or by Tom."],
};
