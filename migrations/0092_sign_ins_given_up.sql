-- What a provider is told by that a sign-in is not needed any more: a token of its own, sealed. Null where it wants to hear nothing of that.
alter table social_tickets add column sealed_token text;
alter table social_identities add column sealed_token text;
