-- Who invited, and who came: looked up where a person leaves.
create index store_invitations_invited_by on store_invitations (invited_by);
create index store_invitations_accepted_by on store_invitations (accepted_by) where accepted_by is not null;
