-- Indexes of what waits for a person. Each holds few rows, and is counted whenever somebody looks what is to do.

create index parcels_outcome_unknown on parcels (project_id, id) where outcome_unknown;
create index parcels_refused on parcels (project_id, id) where status = 'created' and last_error is not null and submit_at is null;
create index order_returns_awaited on order_returns (project_id, id) where status = 'awaited';
create index connector_goods_unmatched on connector_goods (project_id, connection_id, id) where product_id is null;
create index remittances_draft on remittances (project_id, created_at, id) where state = 'draft';
