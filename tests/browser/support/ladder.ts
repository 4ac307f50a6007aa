/** The record that the journeys write, and where it is found. */

/** A commitment as it is sent to the API. */
export const LADDER = {
  title: "The ladder",
  payload: { commitmentType: "BORROWED", content: "Bring it back", completionStatus: "OPEN" },
};

/** The page of its module. */
export const LIST = "/console/records/commitment";

/** Its module in the API. */
export const API = "/api/v2/records/commitment";
