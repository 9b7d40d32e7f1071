-- From where an order without a credential came, and until when it holds its stock unless somebody confirms it.
alter table orders add column network text, add column held_until timestamptz;
create index orders_held on orders (held_until) where held_until is not null;
create index orders_public_phone on orders (store_id, customer_phone) where source = 'storefront' and status in ('pending', 'unreachable', 'postponed');
create index orders_public_network on orders (store_id, network) where source = 'storefront' and status in ('pending', 'unreachable', 'postponed');

-- What its promotion promised when it was taken: later changes of the promotion are none of the order's.
alter table orders add column offer jsonb;
