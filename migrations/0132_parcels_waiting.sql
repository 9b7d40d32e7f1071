-- Parcels that wait for their turn at a carrier, for the list of those that are being submitted.
create index parcels_waiting on parcels (project_id, id) where status = 'created' and submit_at is not null;
