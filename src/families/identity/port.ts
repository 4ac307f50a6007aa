export { countProfiles, hasProfile } from "./profile_store.ts";
export { findIdentityIds } from "./typed_ids.ts";
