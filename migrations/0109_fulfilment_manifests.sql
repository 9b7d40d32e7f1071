-- Lists of the parcels that a courier takes at once, for a signature.

create table manifests (
  project_id text not null,
  id text collate "C" not null,
  connection_id text not null,
  -- Slug and currency of the carrier, as they were then.
  carrier text not null,
  currency text not null,
  parcel_count integer not null default 0,
  cod_total numeric(19,4) not null default 0,
  created_at timestamptz not null default now(),
  created_by jsonb,
  closed_at timestamptz,
  closed_by jsonb,
  constraint manifests_pkey primary key (project_id, id),
  constraint manifests_project_id_fkey foreign key (project_id) references projects(id),
  constraint manifests_counts_check check (parcel_count >= 0 and cod_total >= 0),
  constraint manifests_closed_check check (closed_at is null or parcel_count > 0)
);
comment on table manifests is 'List of the parcels of one carrier that are handed over together. It is filled by scans, and does not change once it is closed.';
create index manifests_connection on manifests (project_id, connection_id, id);
create index manifests_open on manifests (project_id, id) where closed_at is null;

create table manifest_parcels (
  project_id text not null,
  manifest_id text collate "C" not null,
  parcel_id text collate "C" not null,
  position integer not null,
  tracking_id text not null,
  recipient_name text not null,
  city_name text not null,
  cod_amount numeric(19,4) not null,
  added_at timestamptz not null default now(),
  added_by jsonb,
  constraint manifest_parcels_pkey primary key (project_id, manifest_id, parcel_id),
  constraint manifest_parcels_one unique (project_id, parcel_id),
  constraint manifest_parcels_manifest_fkey foreign key (project_id, manifest_id) references manifests(project_id, id) on delete cascade
);
comment on table manifest_parcels is 'Parcel of a manifest, as it is printed there. A parcel is in one manifest at most.';
