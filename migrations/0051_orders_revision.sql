-- Tells one state of an order from another, so that nobody overwrites a change that they have not seen.
alter table orders add column revision integer not null default 0;
comment on column orders.revision is 'Increases with each change of the order. Callers see it as version, and may change the order only if it is still the same.';
comment on column orders.version is 'Increases with each change that the parcel must copy: lines, amounts, customer, address.';
