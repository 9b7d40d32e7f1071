-- Apps are remembered as they say who they are: what that rests on is told of where it changes.
create trigger forget_changed
  after delete or update of name, secret_hash, redirect_uris, scopes, pushed_requests_only, bound_tokens_only on apps for each row
  execute function forget_remembered('app', 'id');
