-- An app that is deleted is gone at once; what people allowed it follows in slices, and its row at last. Its maker may be gone before.
alter table apps alter column owner_id drop not null, add column deleted_at timestamptz;
