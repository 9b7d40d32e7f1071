-- An administrator of the platform who did it in the person's name.
alter table audit_entries add column admin_id text;
alter table order_status_changes add column admin_id text;

-- What a person reads mails in, where he has said; or what his program wanted when he signed up.
alter table users add column language text check (language in ('en', 'fr', 'ar'));

-- A code for the first password of a person whom an administrator made.
alter table one_time_codes add column welcomes boolean not null default false;
