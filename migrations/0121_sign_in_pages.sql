-- The page of ours that a sign-in with a provider was begun on, and leads back to: a path, never another host.
alter table social_states add column go_on_to text check (go_on_to ~ '^/[^/\\]');
alter table social_tickets add column go_on_to text check (go_on_to ~ '^/[^/\\]');
