-- What the ten operations promise, in as few tables, columns and indexes as that takes.
drop schema if exists least cascade;
create schema least;
create table least.balances (product integer primary key, on_hand integer not null, reserved integer not null, check (reserved <= on_hand)) with (fillfactor = 70);
create table least.orders (id bigint generated always as identity primary key, store integer not null, status text not null, note text not null, body jsonb not null);
create index on least.orders (store, id);
create table least.order_lines (order_id bigint not null references least.orders, line integer not null, product integer not null, quantity integer not null, price integer not null, primary key (order_id, line));
create table least.reservations (order_id bigint not null references least.orders, product integer not null references least.balances, quantity integer not null, primary key (order_id, product));
create table least.parcels (id bigint generated always as identity primary key, reference uuid not null unique, status text not null, body jsonb not null);
create table least.movements (id bigint generated always as identity primary key, product integer not null references least.balances, quantity integer not null);
create table least.events (id bigint generated always as identity primary key, type text not null, body jsonb not null);
insert into least.balances select i, 100000000, 0 from generate_series(1, 600) i;
insert into least.orders (store, status, note, body) select 1, 'pending', '', jsonb_build_object('address', repeat('x', 400)) from generate_series(1, 1000);
insert into least.parcels (reference, status, body) select gen_random_uuid(), 'submitted', jsonb_build_object('address', repeat('x', 400)) from generate_series(1, 600);
analyze;
