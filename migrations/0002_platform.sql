-- Platform: places, currencies, files, mails, webhooks and the audit.

create table countries (
  code text not null,
  name text not null,
  native_name text not null,
  currencies jsonb not null,
  calling_codes jsonb not null,
  languages jsonb not null,
  id text collate "C" not null,
  enabled boolean not null default true,
  catalogued boolean not null default false,
  edited boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint countries_id_key unique (id),
  constraint countries_pkey primary key (code),
  constraint countries_code_check check (code ~ '^[A-Z]{2}$')
);
comment on table countries is 'Country that parcels can go to, with its currencies and calling codes.';
create index countries_name on countries (name, id);
create index countries_updated on countries (updated_at, id);
create index countries_words on countries using gin (folded(name) gin_trgm_ops);

create table states (
  country_code text not null,
  code text not null,
  name text not null,
  name_ar text,
  carrier_code text,
  id text collate "C" not null,
  enabled boolean not null default true,
  catalogued boolean not null default false,
  edited boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint states_id_key unique (id),
  constraint states_pkey primary key (country_code, code),
  constraint states_country_code_carrier_code_fkey foreign key (country_code, carrier_code) references states(country_code, code) deferrable initially deferred,
  constraint states_country_code_fkey foreign key (country_code) references countries(code)
);
comment on table states is 'State (wilaya, province) of a country. carrier_code differs from code where carriers still use the code of an older division.';
create index states_id on states (country_code, id);
create index states_name on states (country_code, name, id);
create index states_updated on states (country_code, updated_at, id);
create index states_words on states using gin (folded(name) gin_trgm_ops);

create table cities (
  country_code text not null,
  state_code text not null,
  code text not null,
  name text not null,
  name_ar text,
  postal_code text,
  latitude double precision,
  longitude double precision,
  current_state_code text,
  id text collate "C" not null,
  folded text not null default '',
  enabled boolean not null default true,
  catalogued boolean not null default false,
  edited boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint cities_id_key unique (id),
  constraint cities_pkey primary key (country_code, code),
  constraint cities_country_code_current_state_code_fkey foreign key (country_code, current_state_code) references states(country_code, code),
  constraint cities_country_code_state_code_fkey foreign key (country_code, state_code) references states(country_code, code),
  constraint cities_latitude_check check (latitude >= '-90'::integer::double precision and latitude <= 90::double precision),
  constraint cities_longitude_check check (longitude >= '-180'::integer::double precision and longitude <= 180::double precision)
);
comment on table cities is 'City (commune) of a state. current_state_code is set where the city belongs to a newer state than carriers know.';
create index cities_country_code_current_state_code_idx on cities (country_code, current_state_code);
create index cities_country_code_postal_code_idx on cities (country_code, postal_code);
create index cities_country_code_state_code_idx on cities (country_code, state_code);
create index cities_folded on cities using gin (folded gin_trgm_ops);
create index cities_id on cities (country_code, state_code, id);
create index cities_name on cities (country_code, state_code, name, id);
create index cities_updated on cities (country_code, state_code, updated_at, id);
create index cities_words on cities using gin (folded(name) gin_trgm_ops);

create table geo_catalogue (
  country_code text not null,
  fingerprint text not null,
  loaded_at timestamptz not null default now(),
  attribution text not null default '',
  imported boolean not null default false,
  constraint geo_catalogue_pkey primary key (country_code),
  constraint geo_catalogue_country_code_fkey foreign key (country_code) references countries(code)
);
comment on table geo_catalogue is 'Catalogue of places that was loaded last for a country, so that a start with the same one writes nothing.';

create table geo_borders (
  country_code text not null,
  kind text not null,
  code text not null,
  state_code text not null,
  coordinates text not null,
  constraint geo_borders_pkey primary key (country_code, kind, code),
  constraint geo_borders_kind_check check (kind in ('state', 'city'))
);
comment on table geo_borders is 'Border of a country, state or city, as the coordinates of a MultiPolygon.';
create index geo_borders_country_code_kind_state_code_idx on geo_borders (country_code, kind, state_code);

create table geo_imported (
  country_code text not null,
  kind text not null,
  code text not null,
  place jsonb not null,
  constraint geo_imported_pkey primary key (country_code, kind, code),
  constraint geo_imported_kind_check check (kind in ('state', 'city'))
);
comment on table geo_imported is 'Place of an imported country, as its file gave it. Addresses are resolved by these; lists read states and cities.';

create table currencies (
  id text collate "C" not null,
  code text not null,
  name text not null,
  symbol text not null,
  decimals integer not null,
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint currencies_code_key unique (code),
  constraint currencies_pkey primary key (id),
  constraint currencies_decimals_check check (decimals >= 0 and decimals <= 4)
);
comment on table currencies is 'A currency that stores and plans can use, with its number of decimals.';
create index currencies_code on currencies (code, id);
create index currencies_name on currencies (name, id);
create index currencies_updated on currencies (updated_at, id);
create index currencies_words on currencies using gin (folded(name) gin_trgm_ops);

create table options (
  key text collate "C" not null,
  value jsonb not null,
  is_public boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint options_pkey primary key (key)
);
comment on table options is 'A named setting of the platform that administrators change, public or not.';

create table vault_mark (
  only_one boolean not null default true,
  sealed text not null,
  made_at timestamptz not null default now(),
  constraint vault_mark_pkey primary key (only_one),
  constraint vault_mark_only_one_check check (only_one)
);
comment on table vault_mark is 'One sealed value. A start with another encryption key cannot open it, and stops.';

create table files (
  id text collate "C" not null,
  -- Set for files of a store; other files belong to a user or a project.
  store_id text,
  user_id text collate "C",
  key text not null,
  name text not null,
  content_type text not null,
  bytes bigint not null,
  width integer,
  height integer,
  -- SHA-256 of the bytes.
  hash text not null,
  created_at timestamptz not null default now(),
  project_id text,
  constraint files_key_key unique (key),
  constraint files_pkey primary key (id),
  constraint files_bytes_check check (bytes > 0),
  constraint files_check1 check ((width is null) = (height is null)),
  constraint files_owner check (num_nonnulls(store_id, user_id, project_id) = 1)
);
comment on table files is 'Uploaded or generated file with its owner. Its bytes are in the file store under key, before the row is written and until it is deleted.';
create index files_of_person on files (user_id, id) include (bytes) where user_id is not null;
create index files_of_project on files (project_id, id) include (bytes) where project_id is not null;
create index files_of_store on files (store_id, id) include (bytes) where store_id is not null;

create table mails (
  id text collate "C" not null,
  template text not null,
  recipient text not null,
  state text not null default 'queued',
  content text,
  -- Key that makes the same mail be written once.
  once text,
  -- After this the mail is not sent any more.
  good_until timestamptz,
  attempts integer not null default 0,
  last_error text,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  is_near boolean not null default false,
  constraint mails_once_key unique (once),
  constraint mails_pkey primary key (id),
  constraint mails_check check ((state = 'queued') = (settled_at is null)),
  constraint mails_check1 check (state = 'queued' or content is null),
  constraint mails_state_check check (state in ('queued', 'sent', 'failed'))
);
comment on table mails is 'Mail that is to be sent or was sent. Written in the transaction that it tells about. Its content is sealed, and deleted once it is sent or given up.';
create index mails_created_at_idx on mails (created_at);
create index mails_lower_template_created_at_idx on mails (lower(recipient), template, created_at);

create table audit_entries (
  store_id text collate "C" not null,
  id text collate "C" not null,
  -- User or API key; empty for the system.
  by_id text collate "C" not null,
  by_kind text not null,
  -- App that acted for the user.
  app_id text,
  what text not null,
  thing text not null,
  before jsonb,
  after jsonb,
  created_at timestamptz not null default now(),
  -- Administrator who acted as the user.
  admin_id text,
  constraint audit_entries_pkey primary key (store_id, id),
  constraint audit_entries_by_kind_check check (by_kind in ('person', 'key', 'connector', 'carrier', 'public', 'system'))
) partition by range (id);
comment on table audit_entries is 'Change in a store by a person, an API key or the system, with the values before and after. Partitioned by quarter.';
create table audit_entries_rest partition of audit_entries for values from (minvalue) to (maxvalue);
create index audit_entries_by on audit_entries (store_id, by_id, id);
create index audit_entries_thing on audit_entries (store_id, thing, id);
create index audit_entries_what on audit_entries (store_id, what, id);

create function webhook_topics(events text[])
 returns text[]
 language sql
 immutable parallel safe
as $function$
  select coalesce(array_agg(regexp_replace(regexp_replace(regexp_replace(regexp_replace(event,
    '([\\%_])', '\\\1', 'g'), '\*$', '%'), '^([^/]*)\*/', '\1%' || chr(1)), '^([^/' || chr(1) || ']*)/', '\1' || chr(1))), '{}')
  from unnest(events) as event where event like '%:%/%'
$function$;
comment on function webhook_topics is 'Topics of an event that a subscription can name.';

create table webhook_endpoints (
  id text collate "C" not null,
  project_id text not null,
  -- Set for webhooks of a store.
  store_id text,
  url text not null,
  description text not null default '',
  events text[] not null,
  all_events boolean not null,
  event_names text[] not null,
  topic_patterns text[] not null,
  ordered boolean not null default false,
  max_per_second integer,
  enabled boolean not null default true,
  disabled_reason text,
  -- Newest first: [{"sealed", "until"}].
  secrets jsonb not null,
  failing_since timestamptz,
  last_failed_at timestamptz,
  told_percent integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  cancelled_to bigint not null default 0,
  cancelling_since timestamptz,
  topics text[] not null generated always as (webhook_topics(events)) stored,
  constraint webhook_endpoints_pkey primary key (id),
  constraint webhook_endpoints_disabled_reason_check check (disabled_reason in ('by_owner', 'gone', 'failing')),
  constraint webhook_endpoints_events_check check (cardinality(events) > 0),
  constraint webhook_endpoints_max_per_second_check check (max_per_second > 0)
);
comment on table webhook_endpoints is 'Address of a project or store that events are delivered to, with its subscription and its health.';
create index webhook_endpoints_of_store on webhook_endpoints (store_id, id) where store_id is not null;
create index webhook_endpoints_project_id_id_idx on webhook_endpoints (project_id, id);

create table events (
  id text collate "C" not null,
  project_id text not null,
  store_id text,
  type text not null,
  body text not null,
  created_at timestamptz not null default now(),
  constraint events_pkey primary key (project_id, id)
) partition by range (id);
comment on table events is 'Event as the exact bytes that are signed and sent. Only events with a subscriber are kept. Partitioned by week.';
create table events_rest partition of events for values from (minvalue) to (maxvalue);

create sequence webhook_deliveries_positions;

create table webhook_deliveries (
  endpoint_id text collate "C" not null,
  id text collate "C" not null,
  project_id text not null,
  event_id text collate "C" not null,
  event_type text not null,
  position bigint not null default nextval('webhook_deliveries_positions'::regclass),
  -- Set only for endpoints that ask for order.
  order_key text,
  status text not null default 'pending',
  next_attempt_at timestamptz not null default now(),
  -- End of the lease of the process that sends it.
  locked_until timestamptz,
  attempt_count integer not null default 0,
  -- [{"id", "at", "url", "signature", "durationMs", "status", "responseType", "responseHead", "error"}]
  attempts jsonb not null default '[]',
  redelivery_of text,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  locked_by bigint,
  constraint webhook_deliveries_pkey primary key (project_id, endpoint_id, id),
  constraint webhook_deliveries_status_check check (status in ('pending', 'delivered', 'failed', 'cancelled'))
) partition by range (id);
comment on table webhook_deliveries is 'Delivery of an event to an endpoint: queue and log in one. No foreign keys, because they would lock the endpoint in each orders transaction. Partitioned by week.';
create table webhook_deliveries_rest partition of webhook_deliveries for values from (minvalue) to (maxvalue) with (fillfactor=70, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_delay=0);
create index webhook_deliveries_endpoint_id_next_attempt_at_position_idx on webhook_deliveries (endpoint_id, next_attempt_at, "position") where status = 'pending';
create index webhook_deliveries_endpoint_id_order_key_position_idx on webhook_deliveries (endpoint_id, order_key, "position") where (status = 'pending') and (order_key is not null);
create index webhook_deliveries_endpoint_id_status_id_idx on webhook_deliveries (endpoint_id, status, id) where status in ('failed', 'cancelled');

create table webhook_notices (
  id text collate "C" not null,
  project_id text not null,
  endpoint_id text not null,
  kind text not null,
  percent integer not null,
  message text not null,
  created_at timestamptz not null default now(),
  constraint webhook_notices_pkey primary key (id),
  constraint webhook_notices_kind_check check (kind in ('failing', 'disabled_failing', 'disabled_gone'))
);
comment on table webhook_notices is 'Notice to the owner of an endpoint, such as that its deliveries fail.';
create index webhook_notices_project_id_id_idx on webhook_notices (project_id, id);
