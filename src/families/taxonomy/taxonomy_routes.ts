/** Endpoints of `/api/v2/taxonomy`, one file a topic. */

import type { Endpoint } from "../../http/route.ts";
import { createAssignmentListEndpoint } from "./assignment_list_routes.ts";
import { type AssignmentServices, createAssignmentEndpoints } from "./assignment_routes.ts";
import { createCategoryEndpoints } from "./category_routes.ts";
import { createExportEndpoint } from "./export_routes.ts";
import { createImportEndpoint } from "./import_routes.ts";
import { createSearchEndpoint } from "./search_routes.ts";
import { createTagEndpoints } from "./tag_routes.ts";
import type { TermListServices } from "./term_routes.ts";
import { createUsageEndpoint } from "./usage_routes.ts";

export interface TaxonomyEndpoints {
  readonly tags: ReturnType<typeof createTagEndpoints>;
  readonly categories: ReturnType<typeof createCategoryEndpoints>;
  readonly assignments:
    & ReturnType<typeof createAssignmentEndpoints>
    & { readonly list: Endpoint };
  readonly search: Endpoint;
  readonly usage: Endpoint;
  readonly export: Endpoint;
  readonly import: Endpoint;
}

export function createTaxonomyEndpoints(
  services: AssignmentServices & TermListServices,
): TaxonomyEndpoints {
  return {
    tags: createTagEndpoints(services),
    categories: createCategoryEndpoints(services),
    assignments: {
      ...createAssignmentEndpoints(services),
      list: createAssignmentListEndpoint(services),
    },
    search: createSearchEndpoint(services),
    usage: createUsageEndpoint(services),
    export: createExportEndpoint(services),
    import: createImportEndpoint(services),
  };
}
