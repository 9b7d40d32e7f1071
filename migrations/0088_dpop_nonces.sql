-- Proofs of keys carry a nonce of ours, where an app asks for that (RFC 9449, 8).
alter table apps add column dpop_nonces boolean not null default false;

-- What is remembered of an app rests on whether it is there, too: so do its tokens.
drop trigger forget_changed on apps;
create trigger forget_changed
  after delete or update of name, secret_hash, redirect_uris, scopes, pushed_requests_only, bound_tokens_only, dpop_nonces, deleted_at on apps for each row
  execute function forget_remembered('app', 'id');
