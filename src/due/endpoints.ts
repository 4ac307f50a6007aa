import type { Endpoint, PublicEndpoint } from "../http/route.ts";
import { type CalendarServices, createCalendarEndpoint } from "./calendar_routes.ts";
import { createDueEndpoint, type DueServices } from "./due_routes.ts";
import { createFeedEndpoints, type FeedEndpoints, type FeedServices } from "./feed_routes.ts";

export interface DueEndpoints {
  readonly list: Endpoint;
  readonly feeds: FeedEndpoints;
  readonly calendar: PublicEndpoint;
}

export function createDueEndpoints(
  services: DueServices & FeedServices & CalendarServices,
): DueEndpoints {
  return {
    list: createDueEndpoint(services),
    feeds: createFeedEndpoints(services),
    calendar: createCalendarEndpoint(services),
  };
}
