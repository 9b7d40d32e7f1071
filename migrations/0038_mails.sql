-- Mails: written in the transaction of what they tell of, sent by jobs, kept for 30 days. What they say, which may be a code, is sealed, and
-- forgotten once they are sent or given up.
create table mails (
  id text collate "C" primary key,
  template text not null,
  recipient text not null,
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed')),
  content text,
  -- Who calls it the same mail: it is written once.
  once text unique,
  -- After that nobody has any use for it.
  good_until timestamptz,
  attempts integer not null default 0,
  last_error text,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  check ((state = 'queued') = (settled_at is null)),
  check (state = 'queued' or content is null)
);
create index on mails (lower(recipient), template, created_at);
create index on mails (created_at);
