-- Orders of a shop that could not be read (`why = 'unreadable'`): JSON of what the shop sent, shown beside the reason until the order can be read.
alter table channel_orders add column raw jsonb;
-- Of the orders of a reading, those that could not be read.
alter table channels add column pull_unreadable integer not null default 0;
create index channel_orders_why on channel_orders (connection_id, why, id) where why is not null;
