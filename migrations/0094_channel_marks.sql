-- Of which orders a shop may have to be told, so that nobody looks through all others for them. A mark is only ever added: who moves an order waits
-- for nobody who tells.
create table channel_marks (
  connection_id text collate "C" not null,
  -- The shop's order, as we call it.
  channel_order_id text collate "C" not null,
  id bigint generated always as identity,
  at timestamptz not null default now(),
  primary key (connection_id, channel_order_id, id)
);
create index on channel_marks (at);

create function channels_mark_moved() returns trigger language plpgsql as $$
begin
  insert into channel_marks (connection_id, channel_order_id)
  select connection_id, id from channel_orders where store_id = new.store_id and order_id = new.id;
  return null;
end $$;
create trigger channels_moved after update on orders for each row
  when ((old.status, old.parcel_id) is distinct from (new.status, new.parcel_id)) execute function channels_mark_moved();

create function channels_mark_numbered() returns trigger language plpgsql as $$
begin
  insert into channel_marks (connection_id, channel_order_id)
  select c.connection_id, c.id from orders o join channel_orders c on c.store_id = o.store_id and c.order_id = o.id where o.id = new.order_id;
  return null;
end $$;
create trigger channels_numbered after update on parcels for each row
  when (new.order_id is not null and old.tracking_id is distinct from new.tracking_id) execute function channels_mark_numbered();

create function channels_mark_known() returns trigger language plpgsql as $$
begin
  insert into channel_marks (connection_id, channel_order_id) values (new.connection_id, new.id);
  return null;
end $$;
create trigger channels_waits after insert on channel_orders for each row when (new.why is not null) execute function channels_mark_known();
create trigger channels_settled after update on channel_orders for each row
  when ((old.state, old.why) is distinct from (new.state, new.why) and (new.pushed is null or new.pushed ->> 'why' is distinct from new.why))
  execute function channels_mark_known();

insert into channel_marks (connection_id, channel_order_id) select connection_id, id from channel_orders where updated_at > now() - interval '60 days';
drop index channel_orders_moved;
