-- Pages that visitors of storefronts looked at, counted by the quarter of an hour, since days begin with one everywhere; of a store in all,
-- of each of its products and of each landing page.
create table store_views (
  store_id text collate "C" not null references stores on delete cascade,
  dimension text not null check (dimension in ('store', 'productId', 'landingPageId')),
  -- Nothing where it is the store.
  key text collate "C" not null,
  at timestamptz not null,
  views bigint not null,
  primary key (store_id, dimension, key, at)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
create index store_views_at on store_views (at);

-- Landing pages that views were told of, so that strangers cannot name more of them than a store may have.
create table store_landing_pages (
  store_id text collate "C" not null references stores on delete cascade,
  id text collate "C" not null,
  primary key (store_id, id)
);
