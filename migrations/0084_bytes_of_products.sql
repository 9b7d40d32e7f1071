-- How much there is to read of a product: a page of a list ends before it is too much.
alter table products add column bytes integer not null generated always as (
  octet_length(description) + octet_length(seo::text) + octet_length(options::text) + octet_length(media::text) + octet_length(variants::text)
  + octet_length(tiers::text) + octet_length(bundles::text) + coalesce(octet_length(shipping::text), 0) + octet_length(metadata::text) + 500
) stored;
