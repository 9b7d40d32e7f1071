-- Calls of carriers whose accounts have rate windows, noted before they leave: who keeps the windows and forgot them, begins with these.
create table carrier_calls (
  connection_id text not null,
  at timestamptz not null,
  -- No window counts it after this.
  expires_at timestamptz not null
);
create index carrier_calls_account on carrier_calls (connection_id, at desc);
create index carrier_calls_expired on carrier_calls (expires_at);
insert into carrier_calls
  select connection_id, at + ms * interval '1 millisecond', at + interval '2 hours' from carrier_traces, generate_series(1, calls) where at > now() - interval '1 hour';
-- They were counted here before; goes with its index.
alter table carrier_traces drop column calls;

-- Whose parcels are due is looked for account by account: one with many does not hide the others.
drop index parcels_poll;
create index parcels_poll on parcels (carrier_account_id, poll_at) where poll_at is not null;
