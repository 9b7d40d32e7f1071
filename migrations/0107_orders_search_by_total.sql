-- Lists of one status, carrier, parcel status or commune by total. The index by total alone is read past every dearer order that does not match.

create index order_search_carrier_total on order_search (project_id, carrier, total, id) where carrier is not null;
create index order_search_city_total on order_search (project_id, city_key, total, id);
create index order_search_parcel_total on order_search (project_id, parcel_status, total, id);
create index order_search_status_total on order_search (project_id, status, total, id);
