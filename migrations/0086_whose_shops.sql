-- Whose account a connection is of, as its platform tells it, and whether it is to be asked (again).
alter table channels
  add column account text,
  add column account_unsure boolean not null default true,
  -- From when on callbacks are worked again, those that came and were worked before that was asked for; null where nobody asks.
  add column replay_since timestamptz,
  add column replay_asked_at timestamptz;
create index channels_account on channels (account) where account is not null;
