-- Events of a shop's webhook, as its adapter read them when it arrived: the adapter is asked once for each webhook.
-- Text, not jsonb: what customers type may hold characters that jsonb refuses.
alter table connector_callbacks
  add column signed boolean not null default true,
  add column events text;
