-- What a person answered about a payment is not asked again because nothing has changed.
alter table payments
  -- So much of what its refunds come to a person was told to be missing at the gateway.
  add column missing numeric(19,4) not null default 0 check (missing >= 0),
  add column taken_back boolean not null default false,
  -- What was odd about it, and how much, when a person said that it counts all the same.
  add column accepted_as text;
update payments set taken_back = true where concern = 'taken_back';
