-- Foundation: what the server keeps of itself. Nothing here belongs to a store.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

create table processes (
  number bigint not null generated always as identity,
  worker_ids text[] not null default '{}',
  seen_at timestamptz not null default clock_timestamp(),
  constraint processes_pkey primary key (number)
) with (fillfactor=50);
comment on table processes is 'One row per running server process. A process that no longer renews seen_at is dead, and others take over its work.';

create table trigger_settings (
  name text not null,
  value interval not null,
  constraint trigger_settings_pkey primary key (name)
);
comment on table trigger_settings is 'Intervals that triggers read. The server writes them at its start from its settings.';
insert into trigger_settings values ('confirmation.headStart', '30 minutes'), ('confirmation.pauseAfterCall', '1 hour');

create table idempotency_keys (
  owner text not null,
  key text not null,
  request_hash text not null,
  status integer not null,
  body text not null,
  created_at timestamptz not null default now(),
  -- Until when the first request may still be working; null when its answer is stored.
  settles_until timestamptz,
  constraint idempotency_keys_pkey primary key (owner, key, created_at)
) partition by range (created_at);
comment on table idempotency_keys is 'First answer to a write with an Idempotency-Key, sealed. Written in the transaction of that write, so that a repeated request gets it again. Partitioned by week.';
create table idempotency_keys_rest partition of idempotency_keys for values from (minvalue) to (maxvalue);

create function cash_fold(tracking text)
 returns text
 language sql
 immutable parallel safe strict
return upper(regexp_replace(tracking, '[[:space:]]+', '', 'g'));
comment on function cash_fold is 'Tracking number as it is matched: upper case, without spaces.';

create function confirmation_waits(status text, deleted_at timestamp with time zone)
 returns boolean
 language sql
 immutable
as $function$
  select deleted_at is null and status in ('pending', 'unreachable', 'postponed')
$function$;
comment on function confirmation_waits is 'Tells whether an order of this status waits for a call.';

create function folded(text)
 returns text
 language sql
 immutable parallel safe strict
as $function$
  select translate(
    replace(replace(replace(translate(
      regexp_replace(lower(normalize($1, nfkd)), '[\u0300-\u036f\u0610-\u061a\u0621\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]', '', 'g'),
      'ŒÆẞ', 'œæß'), 'œ', 'oe'), 'æ', 'ae'), 'ß', 'ss'),
    'ىیةھہەکٱڨگڤڭ', 'ييههههكاقققق')
$function$;
comment on function folded is 'Text without case, accents and punctuation, as names are compared.';

create function trigger_setting(setting text)
 returns interval
 language sql
 stable
as $function$
  select value from trigger_settings where name = setting
$function$;
comment on function trigger_setting is 'Interval of trigger_settings by its name.';
