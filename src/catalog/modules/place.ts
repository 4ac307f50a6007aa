import { datetime, feature, number, select, text, textarea } from "../fields.ts";
import type { CatalogModule } from "../module.ts";
import { notInTheFuture, ordered, requires, rule } from "../rules.ts";

const LATITUDE_REQUIRES_LONGITUDE = requires("latitude", "number", "longitude");
const LONGITUDE_REQUIRES_LATITUDE = requires("longitude", "number", "latitude");

export const PLACE: CatalogModule = {
  code: "place",
  prefix: "PLC",
  group: "Experience and archive",
  completion: "partial",
  access: "GENERIC",
  fields: [
    text("placeName", { required: true }),
    select("placeType", ["HOME", "WORK", "STUDY", "CITY", "REGION", "NATURE", "VENUE", "OTHER"], {
      required: true,
    }),
    text("address", { sensitive: true }),
    number("latitude", { sensitive: true, minimum: -90, maximum: 90 }),
    number("longitude", { sensitive: true, minimum: -180, maximum: 180 }),
    datetime("firstVisitedAt"),
    datetime("lastVisitedAt"),
    textarea("notes", { sensitive: true }),
  ],
  times: ["lastVisitedAt", "firstVisitedAt"],
  rules: [
    rule("place.coordinates_are_complete", "latitude and longitude are both set or both absent", {
      fields: ["latitude", "longitude"],
      holds: (payload, context) =>
        LATITUDE_REQUIRES_LONGITUDE.holds(payload, context) &&
        LONGITUDE_REQUIRES_LATITUDE.holds(payload, context),
    }),
    rule(
      "place.first_visited_at_not_after_last_visited_at",
      "firstVisitedAt <= lastVisitedAt when both are set",
      ordered("firstVisitedAt", "lastVisitedAt"),
    ),
    rule(
      "place.last_visited_at_not_in_the_future",
      "lastVisitedAt is not in the future",
      notInTheFuture("lastVisitedAt"),
    ),
  ],
  features: [
    feature("PLC-001", "place record", "record", "V1.0"),
    feature("PLC-002", "visit log", "record", "V1.0"),
    feature("PLC-003", "home history", "record", "V1.0"),
    feature("PLC-004", "place memory", "record", "V1.0"),
    feature("PLC-005", "map view", "record", "V2.0"),
    feature("PLC-006", "travel plan", "schedule", "V2.0"),
    feature("PLC-007", "place statistics", "analyze", "V2.0"),
    feature("PLC-008", "place history import", "import", "V3.0"),
  ],
};
