-- Returned goods that the store has seen: when, by whom, and in which condition.

alter table parcels
  add column return_received_at timestamptz,
  add column return_received_by jsonb,
  add column return_condition text,
  add constraint parcels_return_condition_check check (return_condition in ('good', 'damaged')),
  add constraint parcels_return_received_check check ((return_received_at is null) = (return_condition is null));
comment on column parcels.return_received_at is 'Time that the store scanned it in as come back; null when it never did.';
comment on column parcels.return_received_by is 'Actor of that scan; null for the system.';
comment on column parcels.return_condition is 'Condition of the goods at that scan. Damaged ones never go back to stock by themselves.';
create index parcels_return_expected on parcels (project_id, returned_at, id) where status = 'returned' and return_received_at is null;
