-- Every purpose that a proof can have. The step for exports of accounts left out that of second factors,
-- which had come before it.

alter table step_up_proofs
  drop constraint step_up_purpose_known,
  add constraint step_up_purpose_known check (purpose in (
    'RELATIONSHIP_EVALUATION_CONFIRM', 'MEMORY_PRIVACY_DOWNGRADE', 'MEMORY_SECRET_EXPORT',
    'IDENTITY_LEGACY_DRILL', 'IDENTITY_PUBLISH', 'ACCOUNT_EXPORT', 'TOKEN_CREATE',
    'SECOND_FACTOR_CHANGE'));
