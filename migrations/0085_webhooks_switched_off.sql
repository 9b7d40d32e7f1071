-- What waits for an endpoint when it is switched off, or on again, is cancelled: all up to this place, whether its row says so yet or not.
alter table webhook_endpoints
  add column cancelled_to bigint not null default 0,
  -- Since when rows may not say so yet; null once all do.
  add column cancelling_since timestamptz;
