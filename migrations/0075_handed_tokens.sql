-- Tokens that the other side handed over: until when the newest of them last, so that one that is sent again, or late, is not taken for a newer one.
alter table oauth_tokens add column handed_until timestamptz;
