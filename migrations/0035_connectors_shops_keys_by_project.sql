-- Connected shops, their orders, goods, stock, marks and webhooks are keyed by their project first.

alter table connector_orders drop constraint connector_orders_connection_id_fkey;
alter table connector_goods drop constraint connector_goods_connection_id_fkey;
alter table connector_stock drop constraint connector_stock_connection_id_fkey;
alter table row_sources drop constraint row_sources_connection_id_fkey;
select key_by_project('connector_orders', 'connector_goods', 'connector_stock', 'row_sources');

alter table connectors add column project_id text;
update connectors r set project_id = i.project_id from integrations i where i.id = r.connection_id;
alter table connectors alter column project_id set not null,
  drop constraint connectors_pkey, add constraint connectors_pkey primary key (project_id, connection_id),
  drop constraint connectors_connection_id_fkey,
  add constraint connectors_project_id_connection_id_fkey foreign key (project_id, connection_id) references integrations(project_id, id);
drop index connectors_account;
create index connectors_account on connectors (project_id, account) where account is not null;

alter table connector_orders
  drop constraint connector_orders_pkey, add constraint connector_orders_pkey primary key (project_id, connection_id, external_id),
  drop constraint connector_orders_id_key, add constraint connector_orders_project_id_id_key unique (project_id, id),
  add constraint connector_orders_project_id_connection_id_fkey foreign key (project_id, connection_id) references integrations(project_id, id);
drop index connector_orders_connection_id_id_idx, connector_orders_waiting, connector_orders_why;
create index connector_orders_project_id_connection_id_id_idx on connector_orders (project_id, connection_id, id);
create index connector_orders_waiting on connector_orders (project_id, connection_id, id) where state = 'waiting';
create index connector_orders_why on connector_orders (project_id, connection_id, why, id) where why is not null;

alter table connector_goods
  drop constraint connector_goods_pkey, add constraint connector_goods_pkey primary key (project_id, connection_id, key),
  drop constraint connector_goods_id_key, add constraint connector_goods_project_id_id_key unique (project_id, id),
  add constraint connector_goods_project_id_connection_id_fkey foreign key (project_id, connection_id) references integrations(project_id, id);
drop index connector_goods_connection_id_id_idx;
create index connector_goods_project_id_connection_id_id_idx on connector_goods (project_id, connection_id, id);

alter table connector_stock
  drop constraint connector_stock_pkey, add constraint connector_stock_pkey primary key (project_id, connection_id, sku),
  add constraint connector_stock_project_id_connection_id_fkey foreign key (project_id, connection_id) references integrations(project_id, id);
drop index connector_stock_project_id_idx;

alter table row_sources
  drop constraint row_sources_pkey, add constraint row_sources_pkey primary key (project_id, connection_id),
  add constraint row_sources_project_id_connection_id_fkey foreign key (project_id, connection_id) references integrations(project_id, id);
drop index row_sources_project_id_idx;

-- The job that works on a webhook names it by its id alone.
alter table connector_callbacks add column project_id text;
update connector_callbacks r set project_id = i.project_id from integrations i where i.id = r.connection_id;
alter table connector_callbacks alter column project_id set not null,
  drop constraint connector_callbacks_pkey, add constraint connector_callbacks_pkey primary key (project_id, id),
  drop constraint connector_callbacks_connection_id_fkey,
  add constraint connector_callbacks_project_id_connection_id_fkey foreign key (project_id, connection_id) references integrations(project_id, id);
create index connector_callbacks_id_idx on connector_callbacks (id);
drop index connector_callbacks_of;
create index connector_callbacks_of on connector_callbacks (project_id, connection_id, received_at);

alter table connector_marks add column project_id text;
update connector_marks r set project_id = i.project_id from integrations i where i.id = r.connection_id;
delete from connector_marks where project_id is null;
alter table connector_marks alter column project_id set not null,
  drop constraint connector_marks_pkey, add constraint connector_marks_pkey primary key (project_id, connection_id, connector_order_id, id);

create or replace function connectors_mark_moved()
 returns trigger
 language plpgsql
as $function$
begin
  insert into connector_marks (project_id, connection_id, connector_order_id)
  select project_id, connection_id, id from connector_orders where project_id = new.project_id and order_id = new.id;
  return null;
end $function$;

create or replace function connectors_mark_numbered()
 returns trigger
 language plpgsql
as $function$
begin
  insert into connector_marks (project_id, connection_id, connector_order_id)
  select project_id, connection_id, id from connector_orders where project_id = new.project_id and order_id = new.order_id;
  return null;
end $function$;

create or replace function connectors_mark_known()
 returns trigger
 language plpgsql
as $function$
begin
  insert into connector_marks (project_id, connection_id, connector_order_id) values (new.project_id, new.connection_id, new.id);
  return null;
end $function$;
