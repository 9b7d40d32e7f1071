with made as (
  insert into least.parcels (reference, status, body) values (gen_random_uuid(), 'created', jsonb_build_object('name', 'Amina Saadi', 'phone', '+213550123456', 'city', 'Bab Ezzouar', 'amount', 1000)) returning id
)
insert into least.events (type, body) select 'parcel.created', jsonb_build_object('parcel', id) from made;
