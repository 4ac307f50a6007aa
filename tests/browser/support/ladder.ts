/** The record that journeys write. */

export const LADDER = {
  title: "The ladder",
  payload: { commitmentType: "BORROWED", content: "Bring it back", completionStatus: "OPEN" },
};

/** Its list page. */
export const LIST = "/console/records/commitment";

/** Its path in the API. */
export const API = "/api/v2/records/commitment";
