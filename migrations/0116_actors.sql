-- Who did it: beside people and API keys also connected shops, carriers that report, and the public.
alter table audit_entries drop constraint audit_entries_by_kind_check;
alter table audit_entries add check (by_kind in ('person', 'key', 'connector', 'carrier', 'public', 'system'));
alter table order_status_changes drop constraint order_status_changes_by_kind_check;
alter table order_status_changes add check (by_kind in ('person', 'key', 'connector', 'carrier', 'public', 'system'));
-- The app that acted as the person.
alter table order_status_changes add column app_id text;

-- Actor that made the order: {kind, id, appId, adminId}; null of orders from before, and of what the system made.
alter table orders add column made_by jsonb;
-- Actor that asked for the sending of the parcel, likewise.
alter table parcels add column sent_by jsonb;
-- Actor that asked for the batch, likewise.
alter table parcel_batches add column made_by jsonb;
