import { RESOURCE_ROOT } from "../../families/resource/resource.ts";
import { SNAPSHOT_COLUMNS } from "../../families/resource/snapshot.ts";
import { declaredColumns, declaredRoot, lineType, projectedAs } from "../description.ts";

export const RESOURCE_LINES = declaredRoot("resource", RESOURCE_ROOT, {
  projection: projectedAs("resource"),
});

export const RESOURCE_SNAPSHOT_LINES = lineType("resourceSnapshot", {
  table: "resource_snapshots",
  columns: declaredColumns(SNAPSHOT_COLUMNS),
});
