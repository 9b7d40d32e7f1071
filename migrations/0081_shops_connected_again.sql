-- What its shop could not be told of an order is said again later, each time later than before.
alter table channel_orders
  add column tell_failures integer not null default 0,
  add column tell_after timestamptz;

-- Callbacks that are worked again.
create index channel_callbacks_unworked on channel_callbacks (id) where worked_at is null;
create index channel_callbacks_of on channel_callbacks (connection_id, received_at);
