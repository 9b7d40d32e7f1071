-- When a parcel is to be taken up by whoever hands parcels over: when its turn comes, when it is looked up, when its sender is dead.
alter table parcels add column submit_at timestamptz;
create index parcels_submit on parcels (carrier_account_id, submit_at) where submit_at is not null;
-- What its sending had to say: {"warnings": [{"code", "message"}], "rewritten": {"from", "to", "distanceKm"}}
alter table parcels add column told jsonb;
update parcels set submit_at = now() where status = 'submitting';
do $$
begin
  if to_regclass('graphile_worker._private_jobs') is null then return; end if;
  update parcels p set submit_at = now() from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'parcels.submit' and p.status = 'created' and j.payload::jsonb -> 'parcelIds' ? p.id;
  delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
    where t.id = j.task_id and t.identifier in ('parcels.submit', 'parcels.recover', 'parcels.batch');
end
$$;
alter table parcels add constraint parcels_submit_at_check check (submit_at is null or status in ('created', 'submitting'));

alter table parcel_events drop constraint parcel_events_type_check;
alter table parcel_events add constraint parcel_events_type_check check (type in ('created', 'submitted', 'status_changed', 'submission_failed'));

-- What became of each row of a batch. What was asked for stands there until the parcel does.
create table parcel_batch_rows (
  project_id text not null,
  batch_id text collate "C" not null,
  row integer not null,
  input jsonb,
  reference text,
  parcel_id text collate "C",
  status text not null check (status in ('waiting', 'created', 'submitting', 'submitted', 'failed', 'unknown', 'cancelled')),
  error jsonb,
  primary key (project_id, batch_id, row)
);
create index parcel_batch_rows_open on parcel_batch_rows (project_id, batch_id, row) where status in ('waiting', 'submitting');
create index parcel_batch_rows_parcel on parcel_batch_rows (project_id, parcel_id) where status in ('submitting', 'unknown');
create index parcel_batches_open on parcel_batches (created_at) where status = 'processing';

insert into parcel_batch_rows (project_id, batch_id, row, input, reference, parcel_id, status, error)
select b.project_id, b.id, r.place - 1, case when d.done is null then r.input end, coalesce(d.done ->> 'reference', r.input ->> 'reference'), d.done ->> 'parcelId',
  case when d.done is null then 'waiting' else d.done ->> 'status' end, nullif(d.done -> 'error', 'null')
from parcel_batches b cross join lateral jsonb_array_elements(b.rows) with ordinality as r (input, place)
  left join lateral (select b.results -> (r.place - 1)::integer as done) d on true;
alter table parcel_batches drop column rows, drop column results;

-- Until when the first request may still be working on its answer; null where the answer is there.
alter table idempotency_keys add column settles_until timestamptz;
