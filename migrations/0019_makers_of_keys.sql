-- Who made a key: with a session, or with another key of his. Unknown for those that were made before.
alter table api_keys add column created_by text references users on delete set null;
create index on api_keys (created_by) where revoked_at is null;
