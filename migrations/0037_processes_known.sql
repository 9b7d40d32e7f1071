-- Which processes live: those that stand here. One that stops saying so is taken out by others, with what it had taken up, and never comes
-- back under its number: whoever was only held up finds that out, and takes another.
create table processes (
  number bigint generated always as identity primary key,
  -- Under which it holds jobs.
  worker_ids text[] not null default '{}',
  seen_at timestamptz not null default clock_timestamp()
) with (fillfactor = 50);
drop table worker_processes;

-- Whose lease it is: good while that process lives, and until its time is over.
alter table webhook_deliveries add column locked_by bigint;
alter table parcels add column submitting_by bigint;
create index parcels_submitting_by on parcels (submitting_by) where status = 'submitting' and submitting_by is not null;
