-- Who ordered in a store: told of once, with the first order, however many are made at once.
create table customers (
  store_id text not null references stores on delete cascade,
  phone text not null,
  id text collate "C" not null unique,
  name text not null,
  phone_alt text,
  email text,
  first_order_id text not null,
  created_at timestamptz not null default now(),
  primary key (store_id, phone)
);
-- Those of before are known already: nobody is told of them.
insert into customers (store_id, phone, id, name, phone_alt, email, first_order_id, created_at)
select distinct on (store_id, customer_phone) store_id, customer_phone, 'cus_' || substr(id, 5), customer_name, customer_phone_alt, customer_email, id, created_at
from orders order by store_id, customer_phone, id;

-- A store's webhooks are counted and listed apart from those of its project.
create index webhook_endpoints_of_store on webhook_endpoints (store_id, id) where store_id is not null;
