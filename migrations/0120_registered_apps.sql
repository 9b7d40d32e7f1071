-- Clients that registered themselves (RFC 7591), or whose client_id is the address of a metadata document. They have no owner.
alter table apps
  add column registration text check (registration in ('dynamic', 'document')),
  add column document_url text collate "C",
  -- When the document was read last.
  add column checked_at timestamptz,
  add constraint apps_of_documents check ((registration is not distinct from 'document') = (document_url is not null));
create unique index apps_document on apps (document_url) where document_url is not null;
create index apps_registered on apps (created_at) where registration is not null;
