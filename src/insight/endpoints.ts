/** Endpoints of `/api/v2/insight`: counts over an owner's records. */

import { COUNTS_AT_ONCE } from "../core/shares.ts";
import { AccountPlaces } from "../http/account_places.ts";
import type { Endpoint } from "../http/route.ts";
import { createCalibrationEndpoint } from "./calibration_routes.ts";
import { createContactsEndpoint } from "./contacts_routes.ts";
import { createDaysEndpoint } from "./days_routes.ts";
import type { InsightServices } from "./insight_services.ts";
import { createRoutinesEndpoint } from "./routines_routes.ts";
import { createSeriesEndpoint } from "./series_routes.ts";
import { createWeekEndpoint } from "./week_routes.ts";

export interface InsightEndpoints {
  readonly series: Endpoint;
  readonly days: Endpoint;
  readonly contacts: Endpoint;
  readonly routines: Endpoint;
  readonly calibration: Endpoint;
  readonly week: Endpoint;
}

export function createInsightEndpoints(services: InsightServices): InsightEndpoints {
  const counting = { ...services, counts: new AccountPlaces(COUNTS_AT_ONCE) };
  return {
    series: createSeriesEndpoint(counting),
    days: createDaysEndpoint(counting),
    contacts: createContactsEndpoint(services),
    routines: createRoutinesEndpoint(counting),
    calibration: createCalibrationEndpoint(services),
    week: createWeekEndpoint(counting),
  };
}
