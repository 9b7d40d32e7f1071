-- When a parcel was packed and handed over to its carrier, as the store scanned it, and by whom.

alter table parcels
  add column packed_at timestamptz,
  add column packed_by jsonb,
  add column handed_over_at timestamptz,
  add column handed_over_by jsonb;
comment on column parcels.packed_at is 'First time that the store scanned it as packed; null when it never did.';
comment on column parcels.packed_by is 'Actor of that scan; null for the system.';
comment on column parcels.handed_over_at is 'First time that the store scanned it as handed over to its carrier; null when it never did.';
comment on column parcels.handed_over_by is 'Actor of that scan; null for the system.';
