/** German: figures of people, places and weeks. */
export default {
  nearTitle: "Tage seit dem letzten Kontakt",
  nearText:
    "{count} Person, der du nah sein willst, {late} überfällig. Der Strich quer zum Balken ist dein Wunsch.|{count} Personen, denen du nah sein willst, {late} überfällig. Der Strich quer zum Balken ist dein Wunsch.",
  nearFirst: "Gelesen sind die {count}, die zuerst an der Reihe sind.",
  nearMore: "{count} Personen zeigen",
  nearDays: "Tage seither",
  nearWish: "Gewünschte Tage",
  daysLong: "{count} Tag|{count} Tage",
  nearToday: "heute fällig",
  nearOver: "{count} überfällig",
  nearLeft: "noch {count}",
  nearNever: "noch kein Kontakt, gezählt seit dem Anlegen",
  places: "Orte",
  placesText: "{count} Ort mit Koordinaten.|{count} Orte mit Koordinaten.",
  placesFew:
    "{count} Ort mit Koordinaten, zu wenige für eine Aussage.|{count} Orte mit Koordinaten, zu wenige für eine Aussage.",
  placesWithout: "{count} Ort hat keine.|{count} Orte haben keine.",
  placesFirst: "Das sind die {count} zuletzt besuchten Orte.",
  placesMore: "Mehr Orte zeigen",
  latitude: "Breite",
  longitude: "Länge",
  north: "{degrees}° N",
  south: "{degrees}° S",
  east: "{degrees}° O",
  west: "{degrees}° W",
};
