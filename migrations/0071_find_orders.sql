-- What an order is found by: its customer's name, folded, and the digits of his numbers, with a space before and after each word.
alter table orders add column words text not null default '';
update orders set words = ' ' || translate(lower(customer_name), 'àâäáãåéèêëíìîïóòôöõúùûüçñýÿأإآٱىةؤئ-_./''ًٌٍَُِّْٰـء', 'aaaaaaeeeeiiiiooooouuuucnyyاااايهوي    ')
  || ' ' || regexp_replace(customer_phone, '\D', '', 'g') || ' ' || regexp_replace(coalesce(customer_phone_alt, ''), '\D', '', 'g') || ' ';
drop index orders_customer;
create index orders_words on orders using gin (store_id, words gin_trgm_ops) where deleted_at is null;

-- What a list is filtered by, in the order that it is sorted by.
create index orders_state on orders (store_id, (destination ->> 'stateCode'), id) where deleted_at is null;
create index orders_state_updated on orders (store_id, (destination ->> 'stateCode'), updated_at, id) where deleted_at is null;
create index orders_source on orders (store_id, source, id) where deleted_at is null;
create index orders_source_updated on orders (store_id, source, updated_at, id) where deleted_at is null;
-- Nearly all orders are paid at the door: of those that are not paid beforehand the index of the sort knows enough.
create index orders_payment on orders (store_id, payment_status, id) where payment_status <> 'unpaid' and deleted_at is null;
create index orders_payment_updated on orders (store_id, payment_status, updated_at, id) where payment_status <> 'unpaid' and deleted_at is null;
create index orders_unassigned on orders (store_id, id) where assigned_to is null and deleted_at is null;
create index orders_unassigned_updated on orders (store_id, updated_at, id) where assigned_to is null and deleted_at is null;

-- What a store's people said in place of what is reckoned: taken off besides a promotion, and what delivery costs; null where it is priced.
alter table orders
  add column discount_by_hand numeric(19, 4) not null default 0 check (discount_by_hand >= 0),
  add column delivery_by_hand numeric(19, 4) check (delivery_by_hand >= 0);
