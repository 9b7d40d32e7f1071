-- What assistants proposed, and who was given an order to carry, is forgotten after a while, a slice at a time.
create index chat_proposals_age on chat_proposals ((coalesce(decided_at, created_at)));
create index dispatches_age on dispatches (at) where outcome <> 'running';

-- Batches with something free, the oldest first: what is taken is read off it until there is enough. By a column of its own, which seldom changes:
-- an index by the counters themselves would be written with every movement.
alter table inventory_balances add column has_free boolean not null generated always as (on_hand > reserved) stored;
create index inventory_balances_oldest on inventory_balances (project_id, namespace, key, created_at, batch) where has_free;
