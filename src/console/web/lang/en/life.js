/** English: figures of people, places and weeks. */
export default {
  nearTitle: "Days since the last contact",
  nearText:
    "{count} person you want to be near, {late} overdue. A line across a bar marks your wish.|{count} people you want to be near, {late} overdue. A line across a bar marks your wish.",
  nearFirst: "The first {count} to be called are read.",
  nearMore: "Show {count} people",
  nearDays: "Days since",
  nearWish: "Days wished",
  daysLong: "{count} day|{count} days",
  nearToday: "due today",
  nearOver: "{count} overdue",
  nearLeft: "{count} left",
  nearNever: "no contact yet, counted since added",
  places: "Places",
  placesText: "{count} place with coordinates.|{count} places with coordinates.",
  placesFew:
    "{count} place with coordinates, too few to say.|{count} places with coordinates, too few to say.",
  placesWithout: "{count} place has none.|{count} places have none.",
  placesFirst: "These are the {count} places visited last.",
  placesMore: "Show more places",
  latitude: "Latitude",
  longitude: "Longitude",
  north: "{degrees}° N",
  south: "{degrees}° S",
  east: "{degrees}° E",
  west: "{degrees}° W",
};
