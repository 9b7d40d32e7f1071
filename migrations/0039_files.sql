-- Uploaded files: a row for each that is there. Its bytes lie in the files' store under `key`, and are there before the row and after it.
create table files (
  id text collate "C" primary key,
  -- Whose it is: a store's, or a person's own.
  store_id text references stores,
  user_id text collate "C" references users on delete cascade,
  key text not null unique,
  name text not null,
  content_type text not null,
  bytes bigint not null check (bytes > 0),
  width integer,
  height integer,
  -- SHA-256 of what is kept.
  hash text not null,
  created_at timestamptz not null default now(),
  check ((store_id is null) <> (user_id is null)),
  check ((width is null) = (height is null))
);
create index files_of_store on files (store_id, id) include (bytes) where store_id is not null;
create index files_of_person on files (user_id, id) include (bytes) where user_id is not null;
