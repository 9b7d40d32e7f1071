-- A customer is looked for by his store and his phone, never by his id alone: no index over all stores is needed, nor could it be kept by many nodes.
alter table customers drop constraint customers_id_key;
