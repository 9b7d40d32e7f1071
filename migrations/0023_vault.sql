-- Sealed with the encryption key: who cannot open it has another key than the one that everything else is sealed with.
create table vault_mark (
  only_one boolean primary key default true check (only_one),
  sealed text not null,
  made_at timestamptz not null default now()
);
