-- The schema before the baseline, as pg_dump wrote it. Partitions are left out: they depend on the week.
set check_function_bodies = false;
create extension if not exists pg_trgm;
create extension if not exists btree_gin;
CREATE FUNCTION public.ads_follow() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into ads_events (connection_id, order_id, event, pixel_id, store_id, with_value)
  select r.connection_id, new.id, r.event, r.pixel_id, new.store_id, r.with_value
  from ads_rules r where r.store_id = new.store_id and r.status = new.status
  on conflict do nothing;
  return null;
end $$;
CREATE FUNCTION public.analytics_mark() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into analytics_marks values (new.store_id, new.created_at);
  return null;
end $$;
CREATE FUNCTION public.analytics_mark_exchanged() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform analytics_mark_of(new.store_id, new.exchange_of);
  return null;
end $$;
CREATE FUNCTION public.analytics_mark_of(whose text, which text) RETURNS void
    LANGUAGE sql
    AS $$
  insert into analytics_marks select store_id, created_at from orders where id = which and store_id = whose
$$;
CREATE FUNCTION public.analytics_mark_order() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform analytics_mark_of(new.store_id, new.order_id);
  return null;
end $$;
CREATE FUNCTION public.analytics_mark_parcel() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into analytics_marks select store_id, created_at from orders where id = new.order_id;
  return null;
end $$;
CREATE FUNCTION public.cash_fold(tracking text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN upper(regexp_replace(tracking, '[[:space:]]+'::text, ''::text, 'g'::text));
CREATE FUNCTION public.cash_refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if tg_op = 'DELETE' and current_setting('serai.removes_tenant', true) = 'yes' then return null; end if;
  raise exception '% is a ledger: its rows are never changed or deleted. Post what undoes them instead.', tg_table_name using errcode = 'restrict_violation';
end
$$;
CREATE FUNCTION public.channels_mark_known() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into channel_marks (connection_id, channel_order_id) values (new.connection_id, new.id);
  return null;
end $$;
CREATE FUNCTION public.channels_mark_moved() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into channel_marks (connection_id, channel_order_id)
  select connection_id, id from channel_orders where store_id = new.store_id and order_id = new.id;
  return null;
end $$;
CREATE FUNCTION public.channels_mark_numbered() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into channel_marks (connection_id, channel_order_id)
  select c.connection_id, c.id from orders o join channel_orders c on c.store_id = o.store_id and c.order_id = o.id where o.id = new.order_id;
  return null;
end $$;
CREATE FUNCTION public.confirmation_follow() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if not confirmation_waits(new.status, new.deleted_at) then
    delete from confirmation_queue where store_id = new.store_id and order_id = new.id;
    return null;
  end if;
  if tg_op = 'INSERT' or not confirmation_waits(old.status, old.deleted_at) then
    insert into confirmation_queue (store_id, order_id, due_at, language, skill, assigned_to)
    values (new.store_id, new.id, now() - trigger_setting('confirmation.headStart'),
      new.metadata ->> 'language', new.metadata ->> 'skill', new.assigned_to)
    on conflict do nothing;
    return null;
  end if;
  update confirmation_queue set
    language = new.metadata ->> 'language', skill = new.metadata ->> 'skill', assigned_to = new.assigned_to,
    attempts = case
      when (old.customer_phone, old.customer_phone_alt) is distinct from (new.customer_phone, new.customer_phone_alt) then 0 else attempts end,
    due_at = case
      -- Another number is tried at once.
      when (old.customer_phone, old.customer_phone_alt) is distinct from (new.customer_phone, new.customer_phone_alt) then least(due_at, now())
      -- A status other than pending was set by an agent who has just called.
      when old.status <> new.status and new.status <> 'pending'
        then greatest(due_at, now() + trigger_setting('confirmation.pauseAfterCall'))
      else due_at end
  where store_id = new.store_id and order_id = new.id;
  return null;
end $$;
CREATE FUNCTION public.confirmation_waits(status text, deleted_at timestamp with time zone) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
  select deleted_at is null and status in ('pending', 'unreachable', 'postponed')
$$;
CREATE FUNCTION public.folded(text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $_$
  select translate(
    replace(replace(replace(translate(
      regexp_replace(lower(normalize($1, nfkd)), '[\u0300-\u036f\u0610-\u061a\u0621\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]', '', 'g'),
      'ŒÆẞ', 'œæß'), 'œ', 'oe'), 'æ', 'ae'), 'ß', 'ss'),
    'ىیةھہەکٱڨگڤڭ', 'ييههههكاقققق')
$_$;
CREATE FUNCTION public.forget_remembered() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  before jsonb;
  after jsonb;
begin
  if tg_op <> 'INSERT' then before := to_jsonb(old); end if;
  if tg_op <> 'DELETE' then after := to_jsonb(new); end if;
  insert into revocations (tag)
    select distinct tg_argv[0] || ':' || replace(value, '\x', '') from (values (before ->> tg_argv[1]), (after ->> tg_argv[1])) of (value)
    where value is not null;
  return null;
end $$;
CREATE FUNCTION public.inventory_find_reversed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if not exists (select from inventory_operations where project_id = new.project_id and id = new.reverses_id) then
    raise foreign_key_violation using message = 'There is no operation ' || new.reverses_id || ' to reverse.';
  end if;
  return new;
end $$;
CREATE FUNCTION public.inventory_note_reversal() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into inventory_reversals values (new.project_id, new.reverses_id, new.id);
  return null;
end $$;
CREATE FUNCTION public.inventory_refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if tg_op = 'DELETE' and current_setting('serai.removes_tenant', true) = 'yes' then return null; end if;
  if tg_op = 'UPDATE' and tg_table_name like 'inventory\_operations%' and current_setting('serai.erases_person', true) = 'yes' then return null; end if;
  raise exception '% is a ledger: its rows are never changed or deleted. Post a reversal instead.', tg_table_name using errcode = 'restrict_violation';
end
$$;
CREATE FUNCTION public.projects_steered_by(who text) RETURNS TABLE(project_id text)
    LANGUAGE sql STABLE
    AS $$
  select p.id from projects p join tenants t on t.id = p.tenant_id where t.owner_id = who
  union select p.id from projects p join tenant_members m on m.tenant_id = p.tenant_id where m.user_id = who and m.role = 'admin'
  union select s.project_id from stores s join store_members m on m.store_id = s.id
    where m.user_id = who and m.role in ('owner', 'admin') and m.permissions is null and s.deleted_at is null
$$;
CREATE FUNCTION public.sheets_mark() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into sheet_rows (connection_id, order_id, store_id)
  select t.connection_id, new.id, new.store_id from sheet_targets t
  where t.store_id = new.store_id and (
    exists (select 1 from sheet_rows r where r.connection_id = t.connection_id and r.order_id = new.id)
    or (new.created_at >= t.since and new.deleted_at is null and (t.statuses is null or new.status = any (t.statuses))))
  on conflict (connection_id, order_id) do update set wanted = sheet_rows.wanted + 1;
  return null;
end $$;
CREATE FUNCTION public.trigger_setting(setting text) RETURNS interval
    LANGUAGE sql STABLE
    AS $$
  select value from trigger_settings where name = setting
$$;
CREATE FUNCTION public.webhook_topics(events text[]) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $_$
  select coalesce(array_agg(regexp_replace(regexp_replace(regexp_replace(regexp_replace(event,
    '([\\%_])', '\\\1', 'g'), '\*$', '%'), '^([^/]*)\*/', '\1%' || chr(1)), '^([^/' || chr(1) || ']*)/', '\1' || chr(1))), '{}')
  from unnest(events) as event where event like '%:%/%'
$_$;
CREATE TABLE public.account_transfers (
    id text NOT NULL COLLATE pg_catalog."C",
    from_id text NOT NULL,
    email text NOT NULL,
    token_hash text NOT NULL,
    status text DEFAULT 'open'::text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    settled_at timestamp with time zone,
    CONSTRAINT account_transfers_check CHECK (((status = 'open'::text) = (settled_at IS NULL))),
    CONSTRAINT account_transfers_status_check CHECK ((status = ANY (ARRAY['open'::text, 'accepted'::text, 'declined'::text, 'replaced'::text])))
);
CREATE TABLE public.adapter_memory (
    connection_id text NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    value jsonb NOT NULL
);
CREATE TABLE public.admin_actions (
    id text NOT NULL COLLATE pg_catalog."C",
    admin_id text,
    what text NOT NULL,
    user_id text,
    reason text DEFAULT ''::text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.ads_accounts (
    connection_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    store_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    currency text NOT NULL,
    time_zone text NOT NULL,
    read_at timestamp with time zone,
    due_at timestamp with time zone DEFAULT now() NOT NULL,
    problem text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    next_day text
);
CREATE TABLE public.ads_events (
    connection_id text NOT NULL COLLATE pg_catalog."C",
    order_id text NOT NULL COLLATE pg_catalog."C",
    event text NOT NULL,
    pixel_id text NOT NULL COLLATE pg_catalog."C",
    store_id text NOT NULL COLLATE pg_catalog."C",
    with_value boolean NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    state text DEFAULT 'waiting'::text NOT NULL,
    message text,
    attempts integer DEFAULT 0 NOT NULL,
    due_at timestamp with time zone DEFAULT now() NOT NULL,
    settled_at timestamp with time zone,
    CONSTRAINT ads_events_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'refused'::text, 'late'::text])))
);
CREATE TABLE public.ads_links (
    id text NOT NULL COLLATE pg_catalog."C",
    store_id text NOT NULL COLLATE pg_catalog."C",
    connection_id text NOT NULL COLLATE pg_catalog."C",
    level text NOT NULL,
    external_id text NOT NULL COLLATE pg_catalog."C",
    campaign_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    url text,
    product_id text COLLATE pg_catalog."C",
    landing_page_id text COLLATE pg_catalog."C",
    linked_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT ads_links_level_check CHECK ((level = ANY (ARRAY['campaign'::text, 'ad'::text]))),
    CONSTRAINT ads_links_linked_by_check CHECK ((linked_by = ANY (ARRAY['url'::text, 'person'::text])))
);
CREATE TABLE public.ads_rules (
    id text NOT NULL COLLATE pg_catalog."C",
    store_id text NOT NULL COLLATE pg_catalog."C",
    connection_id text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL,
    event text NOT NULL,
    pixel_id text NOT NULL COLLATE pg_catalog."C",
    with_value boolean NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.ads_spend (
    connection_id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    day date NOT NULL,
    ad_id text NOT NULL COLLATE pg_catalog."C",
    ad_set_id text NOT NULL COLLATE pg_catalog."C",
    campaign_id text NOT NULL COLLATE pg_catalog."C",
    campaign_name text,
    currency text NOT NULL,
    spend numeric(21,6) NOT NULL,
    impressions bigint NOT NULL,
    clicks bigint NOT NULL,
    purchases bigint NOT NULL,
    leads bigint NOT NULL
);
CREATE TABLE public.ai_accounts (
    project_id text NOT NULL,
    currency text NOT NULL,
    available numeric(38,18) DEFAULT 0 NOT NULL,
    held numeric(38,18) DEFAULT 0 NOT NULL,
    CONSTRAINT ai_accounts_available_check CHECK ((available >= (0)::numeric)),
    CONSTRAINT ai_accounts_held_check CHECK ((held >= (0)::numeric))
);
CREATE TABLE public.ai_entries (
    project_id text NOT NULL,
    id bigint NOT NULL,
    currency text NOT NULL,
    kind text NOT NULL,
    task_id text COLLATE pg_catalog."C",
    source numeric(38,18) DEFAULT 0 NOT NULL,
    available numeric(38,18) DEFAULT 0 NOT NULL,
    held numeric(38,18) DEFAULT 0 NOT NULL,
    spent numeric(38,18) DEFAULT 0 NOT NULL,
    note text DEFAULT ''::text NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT ai_entries_balanced CHECK (((((source + available) + held) + spent) = (0)::numeric)),
    CONSTRAINT ai_entries_check CHECK (((kind = 'credit'::text) = (task_id IS NULL))),
    CONSTRAINT ai_entries_kind_check CHECK ((kind = ANY (ARRAY['credit'::text, 'hold'::text, 'settlement'::text])))
);
ALTER TABLE public.ai_entries ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.ai_entries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.ai_task_files (
    project_id text NOT NULL,
    task_id text NOT NULL COLLATE pg_catalog."C",
    file_id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.ai_tasks (
    project_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL,
    model text NOT NULL,
    connection_id text NOT NULL COLLATE pg_catalog."C",
    gives text NOT NULL,
    input jsonb,
    result jsonb,
    metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    currency text NOT NULL,
    max_cost numeric(38,18),
    hold numeric(38,18) NOT NULL,
    cost numeric(38,18),
    charged numeric(38,18),
    usage jsonb,
    generation text,
    sent_at timestamp with time zone,
    cancel_asked_at timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    looks integer DEFAULT 0 NOT NULL,
    reason text,
    message text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT ai_tasks_check CHECK (((state = ANY (ARRAY['completed'::text, 'failed'::text, 'cancelled'::text])) = (ended_at IS NOT NULL))),
    CONSTRAINT ai_tasks_check1 CHECK (((state = ANY (ARRAY['completed'::text, 'failed'::text, 'cancelled'::text])) = (charged IS NOT NULL))),
    CONSTRAINT ai_tasks_gives_check CHECK ((gives = ANY (ARRAY['text'::text, 'image'::text, 'speech'::text]))),
    CONSTRAINT ai_tasks_hold_check CHECK ((hold >= (0)::numeric)),
    CONSTRAINT ai_tasks_max_cost_check CHECK ((max_cost >= (0)::numeric)),
    CONSTRAINT ai_tasks_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text, 'cancelled'::text, 'reconciliation_required'::text])))
);
CREATE TABLE public.analytics_cells (
    store_id text NOT NULL COLLATE pg_catalog."C",
    dimension text NOT NULL,
    day date NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL,
    orders integer NOT NULL,
    units bigint NOT NULL,
    goods numeric NOT NULL,
    delivery numeric NOT NULL,
    discount numeric NOT NULL,
    total numeric NOT NULL,
    paid numeric NOT NULL,
    cost numeric NOT NULL,
    units_without_cost bigint NOT NULL,
    exchanges integer NOT NULL,
    kept numeric NOT NULL,
    kept_delivery numeric NOT NULL,
    returned numeric NOT NULL,
    to_come numeric NOT NULL
);
CREATE TABLE public.analytics_days (
    store_id text NOT NULL COLLATE pg_catalog."C",
    day date NOT NULL,
    time_zone text NOT NULL
);
CREATE TABLE public.analytics_marks (
    store_id text NOT NULL COLLATE pg_catalog."C",
    at timestamp with time zone NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');
CREATE TABLE public.api_keys (
    id text NOT NULL COLLATE pg_catalog."C",
    project_id text NOT NULL,
    name text NOT NULL,
    key_hash text NOT NULL,
    last4 text NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    created_by text,
    last_used_at timestamp with time zone
);
CREATE TABLE public.app_user_data (
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    data jsonb NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.apps (
    id text NOT NULL COLLATE pg_catalog."C",
    owner_id text,
    name text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    website text,
    secret_hash text,
    secret_last4 text,
    redirect_uris text[] NOT NULL,
    scopes text[] NOT NULL,
    pushed_requests_only boolean DEFAULT false NOT NULL,
    bound_tokens_only boolean DEFAULT false NOT NULL,
    public_data jsonb DEFAULT '{}'::jsonb NOT NULL,
    private_data jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    deleted_at timestamp with time zone,
    dpop_nonces boolean DEFAULT false NOT NULL,
    registration text,
    document_url text COLLATE pg_catalog."C",
    checked_at timestamp with time zone,
    CONSTRAINT apps_of_documents CHECK (((NOT (registration IS DISTINCT FROM 'document'::text)) = (document_url IS NOT NULL))),
    CONSTRAINT apps_registration_check CHECK ((registration = ANY (ARRAY['dynamic'::text, 'document'::text])))
);
CREATE TABLE public.audit_entries (
    store_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    by_id text NOT NULL COLLATE pg_catalog."C",
    by_kind text NOT NULL,
    app_id text,
    what text NOT NULL,
    thing text NOT NULL,
    before jsonb,
    after jsonb,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    admin_id text,
    CONSTRAINT audit_entries_by_kind_check CHECK ((by_kind = ANY (ARRAY['person'::text, 'key'::text, 'connector'::text, 'carrier'::text, 'public'::text, 'system'::text])))
)
PARTITION BY RANGE (id);
CREATE TABLE public.carrier_calls (
    connection_id text NOT NULL,
    at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.carrier_places (
    connection_id text NOT NULL,
    matched jsonb NOT NULL,
    leftovers jsonb NOT NULL,
    synced_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.carrier_traces (
    connection_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    parcel_ids text[] NOT NULL,
    at timestamp with time zone NOT NULL,
    ms integer NOT NULL,
    operation text NOT NULL,
    outcome text NOT NULL,
    message text,
    exchanges jsonb NOT NULL,
    project_id text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C"
)
PARTITION BY RANGE (id);
CREATE TABLE public.cash_entries (
    project_id text NOT NULL,
    id bigint NOT NULL,
    connection_id text NOT NULL,
    kind text NOT NULL,
    parcel_id text COLLATE pg_catalog."C",
    remittance_id text COLLATE pg_catalog."C",
    undoes_id bigint,
    carrier numeric(19,4) DEFAULT 0 NOT NULL,
    sales numeric(19,4) DEFAULT 0 NOT NULL,
    fees numeric(19,4) DEFAULT 0 NOT NULL,
    bank numeric(19,4) DEFAULT 0 NOT NULL,
    difference numeric(19,4) DEFAULT 0 NOT NULL,
    stands boolean NOT NULL,
    at timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    takes_back_id bigint,
    payment_id text COLLATE pg_catalog."C",
    refund_id text COLLATE pg_catalog."C",
    payout_id text COLLATE pg_catalog."C",
    payout_line_id text COLLATE pg_catalog."C",
    CONSTRAINT cash_entries_balanced CHECK ((((((carrier + sales) + fees) + bank) + difference) = (0)::numeric)),
    CONSTRAINT cash_entries_check CHECK (((kind = ANY (ARRAY['undelivered'::text, 'reversal'::text])) = (undoes_id IS NOT NULL))),
    CONSTRAINT cash_entries_check1 CHECK (((NOT stands) OR (undoes_id IS NULL))),
    CONSTRAINT cash_entries_check2 CHECK (((kind <> 'remittance'::text) OR (remittance_id IS NOT NULL))),
    CONSTRAINT cash_entries_check3 CHECK (((kind <> ALL (ARRAY['delivered'::text, 'undelivered'::text])) OR (parcel_id IS NOT NULL))),
    CONSTRAINT cash_entries_kind_check CHECK ((kind = ANY (ARRAY['delivered'::text, 'undelivered'::text, 'remittance'::text, 'reversal'::text, 'deduction'::text, 'charge'::text, 'payment'::text, 'refund'::text, 'payout'::text]))),
    CONSTRAINT cash_entries_of_gateway_payout CHECK ((((payout_id IS NULL) = (payout_line_id IS NULL)) AND ((kind <> 'payout'::text) OR (payout_id IS NOT NULL)) AND ((payout_id IS NULL) OR (kind = ANY (ARRAY['payout'::text, 'reversal'::text]))))),
    CONSTRAINT cash_entries_of_payment CHECK ((((kind = ANY (ARRAY['payment'::text, 'refund'::text])) = (payment_id IS NOT NULL)) OR (undoes_id IS NOT NULL))),
    CONSTRAINT cash_entries_of_payout CHECK (((kind <> ALL (ARRAY['deduction'::text, 'charge'::text])) OR (remittance_id IS NOT NULL))),
    CONSTRAINT cash_entries_of_refund CHECK (((refund_id IS NULL) OR (kind = 'refund'::text))),
    CONSTRAINT cash_entries_takes_back CHECK (((kind = 'deduction'::text) = (takes_back_id IS NOT NULL)))
);
ALTER TABLE public.cash_entries ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.cash_entries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.cash_remittance_lines (
    project_id text NOT NULL,
    connection_id text NOT NULL,
    remittance_id text NOT NULL COLLATE pg_catalog."C",
    line integer NOT NULL,
    tracking text,
    folded text GENERATED ALWAYS AS (public.cash_fold(tracking)) STORED,
    reference text,
    amount numeric(19,4),
    fee numeric(19,4),
    net numeric(19,4),
    outcome text,
    parcel_id text,
    expected numeric(19,4),
    CONSTRAINT cash_remittance_lines_check CHECK (((tracking IS NOT NULL) OR (reference IS NOT NULL))),
    CONSTRAINT cash_remittance_lines_check1 CHECK (((amount IS NOT NULL) OR (net IS NOT NULL))),
    CONSTRAINT cash_remittance_lines_outcome_check CHECK ((outcome = ANY (ARRAY['matched'::text, 'short'::text, 'excess'::text, 'unknown'::text, 'paid_already'::text, 'not_delivered'::text, 'deducted'::text, 'charged'::text])))
);
CREATE TABLE public.cash_remittances (
    project_id text NOT NULL,
    connection_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    source text NOT NULL,
    state text DEFAULT 'draft'::text NOT NULL,
    file_hash text,
    file_name text,
    carrier_status text,
    amount numeric(19,4) NOT NULL,
    parcels integer NOT NULL,
    paid_at timestamp with time zone DEFAULT now() NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    confirmed_at timestamp with time zone,
    reversed_at timestamp with time zone,
    CONSTRAINT cash_remittances_check CHECK (((source = 'file'::text) = (file_hash IS NOT NULL))),
    CONSTRAINT cash_remittances_source_check CHECK ((source = ANY (ARRAY['carrier'::text, 'file'::text, 'opening'::text]))),
    CONSTRAINT cash_remittances_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'confirmed'::text, 'reversed'::text])))
);
CREATE TABLE public.cash_sheet_columns (
    connection_id text NOT NULL,
    columns jsonb NOT NULL
);
CREATE TABLE public.catalog_feeds (
    store_id text NOT NULL,
    platform text NOT NULL,
    digest text NOT NULL,
    product_url text NOT NULL,
    by text NOT NULL,
    brand text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT catalog_feeds_by_check CHECK ((by = ANY (ARRAY['product'::text, 'variant'::text]))),
    CONSTRAINT catalog_feeds_platform_check CHECK ((platform = ANY (ARRAY['meta'::text, 'google'::text, 'tiktok'::text])))
);
CREATE TABLE public.categories (
    store_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    parent_id text COLLATE pg_catalog."C",
    name text NOT NULL,
    slug text NOT NULL,
    "position" integer DEFAULT 0 NOT NULL,
    image text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.channel_callbacks (
    id text NOT NULL COLLATE pg_catalog."C",
    connection_id text NOT NULL,
    url text NOT NULL,
    method text NOT NULL,
    headers jsonb NOT NULL,
    body bytea NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    worked_at timestamp with time zone,
    news integer
);
CREATE TABLE public.channel_goods (
    connection_id text NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    store_id text NOT NULL,
    sku text,
    name text NOT NULL,
    variant text,
    product_id text,
    variant_id text,
    matched_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.channel_links (
    digest text NOT NULL,
    store_id text NOT NULL,
    key text NOT NULL,
    shop text NOT NULL,
    name text NOT NULL,
    begun_by text NOT NULL,
    outcome text,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT channel_links_outcome_check CHECK ((outcome = ANY (ARRAY['connected'::text, 'failed'::text])))
);
CREATE TABLE public.channel_marks (
    connection_id text NOT NULL COLLATE pg_catalog."C",
    channel_order_id text NOT NULL COLLATE pg_catalog."C",
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE public.channel_marks ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.channel_marks_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.channel_orders (
    connection_id text NOT NULL,
    external_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    store_id text NOT NULL,
    number text NOT NULL,
    state text NOT NULL,
    why text,
    message text,
    missing text[] DEFAULT '{}'::text[] NOT NULL,
    told jsonb NOT NULL,
    told_at timestamp with time zone NOT NULL,
    applied jsonb,
    order_id text,
    pushed jsonb,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    tell_failures integer DEFAULT 0 NOT NULL,
    tell_after timestamp with time zone,
    raw jsonb,
    erased_at timestamp with time zone,
    CONSTRAINT channel_orders_check CHECK (((state = 'taken'::text) = (order_id IS NOT NULL))),
    CONSTRAINT channel_orders_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'taken'::text, 'over'::text])))
);
CREATE TABLE public.channel_stock (
    connection_id text NOT NULL COLLATE pg_catalog."C",
    sku text NOT NULL COLLATE pg_catalog."C",
    store_id text NOT NULL,
    available integer NOT NULL,
    told_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.channels (
    connection_id text NOT NULL,
    webhook_address text,
    subscribed_at timestamp with time zone,
    subscribe_message text,
    pull_status text DEFAULT 'idle'::text NOT NULL,
    pull_since timestamp with time zone,
    pull_cursor text,
    pull_seen integer DEFAULT 0 NOT NULL,
    pull_changed integer DEFAULT 0 NOT NULL,
    pull_total integer,
    pull_message text,
    pull_started_at timestamp with time zone,
    pull_finished_at timestamp with time zone,
    pulled_until timestamp with time zone DEFAULT now() NOT NULL,
    next_pull_at timestamp with time zone DEFAULT now() NOT NULL,
    setup jsonb,
    account text,
    account_unsure boolean DEFAULT true NOT NULL,
    replay_since timestamp with time zone,
    replay_asked_at timestamp with time zone,
    subscribe_asked_at timestamp with time zone,
    pull_unreadable integer DEFAULT 0 NOT NULL,
    CONSTRAINT channels_pull_status_check CHECK ((pull_status = ANY (ARRAY['idle'::text, 'queued'::text, 'running'::text, 'done'::text, 'failed'::text])))
);
CREATE TABLE public.chat_conversations (
    store_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL,
    title text DEFAULT ''::text NOT NULL,
    model text,
    path text,
    leaf_id text COLLATE pg_catalog."C",
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.chat_generation_parts (
    store_id text NOT NULL,
    generation_id text NOT NULL COLLATE pg_catalog."C",
    seq integer NOT NULL,
    part jsonb NOT NULL
);
CREATE TABLE public.chat_generations (
    store_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    conversation_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL,
    message_id text NOT NULL COLLATE pg_catalog."C",
    model text,
    state text DEFAULT 'running'::text NOT NULL,
    reason text,
    problem text,
    process bigint,
    attempts integer DEFAULT 0 NOT NULL,
    cancel_requested boolean DEFAULT false NOT NULL,
    last_seq integer DEFAULT 0 NOT NULL,
    answer_id text COLLATE pg_catalog."C",
    input_tokens bigint DEFAULT 0 NOT NULL,
    output_tokens bigint DEFAULT 0 NOT NULL,
    cost numeric,
    currency text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT chat_generations_state_check CHECK ((state = ANY (ARRAY['running'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE TABLE public.chat_messages (
    store_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    conversation_id text NOT NULL COLLATE pg_catalog."C",
    parent_id text COLLATE pg_catalog."C",
    role text NOT NULL,
    text text NOT NULL,
    tool_calls jsonb,
    call_id text,
    tool text,
    failed boolean DEFAULT false NOT NULL,
    proposal_id text,
    covers_id text COLLATE pg_catalog."C",
    generation_id text COLLATE pg_catalog."C",
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT chat_messages_role_check CHECK ((role = ANY (ARRAY['user'::text, 'assistant'::text, 'tool'::text, 'summary'::text])))
);
CREATE TABLE public.chat_proposals (
    store_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL,
    generation_id text NOT NULL COLLATE pg_catalog."C",
    tool text NOT NULL,
    thing text NOT NULL,
    arguments jsonb NOT NULL,
    before jsonb NOT NULL,
    after jsonb NOT NULL,
    state text DEFAULT 'open'::text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    decided_at timestamp with time zone,
    result text,
    failed boolean,
    CONSTRAINT chat_proposals_state_check CHECK ((state = ANY (ARRAY['open'::text, 'confirmed'::text, 'rejected'::text])))
);
CREATE TABLE public.chat_queue (
    store_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    conversation_id text NOT NULL COLLATE pg_catalog."C",
    "position" integer NOT NULL,
    text text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.chat_rules (
    store_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    user_id text,
    name text NOT NULL,
    text text NOT NULL,
    paths text[] DEFAULT '{}'::text[] NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.chat_skill_versions (
    store_id text NOT NULL,
    skill_id text NOT NULL COLLATE pg_catalog."C",
    version integer NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    content text NOT NULL,
    files jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.chat_skills (
    store_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    published_version integer,
    published_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.cities (
    country_code text NOT NULL,
    state_code text NOT NULL,
    code text NOT NULL,
    name text NOT NULL,
    name_ar text,
    postal_code text,
    latitude double precision,
    longitude double precision,
    current_state_code text,
    id text NOT NULL COLLATE pg_catalog."C",
    folded text DEFAULT ''::text NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    catalogued boolean DEFAULT false NOT NULL,
    edited boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT cities_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision))),
    CONSTRAINT cities_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision)))
);
CREATE TABLE public.confirmation_calls (
    store_id text NOT NULL COLLATE pg_catalog."C",
    order_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    agent_id text NOT NULL COLLATE pg_catalog."C",
    outcome text NOT NULL,
    reason text DEFAULT ''::text NOT NULL,
    next_try_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL
)
PARTITION BY RANGE (order_id);
CREATE TABLE public.confirmation_queue (
    store_id text NOT NULL COLLATE pg_catalog."C",
    order_id text NOT NULL COLLATE pg_catalog."C",
    due_at timestamp with time zone NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    language text,
    skill text,
    assigned_to text,
    leased_by text COLLATE pg_catalog."C",
    leased_until timestamp with time zone,
    CONSTRAINT confirmation_queue_check CHECK (((leased_by IS NULL) = (leased_until IS NULL)))
);
CREATE TABLE public.confirmation_uses (
    store_id text NOT NULL COLLATE pg_catalog."C",
    first_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.countries (
    code text NOT NULL,
    name text NOT NULL,
    native_name text NOT NULL,
    currencies jsonb NOT NULL,
    calling_codes jsonb NOT NULL,
    languages jsonb NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    enabled boolean DEFAULT true NOT NULL,
    catalogued boolean DEFAULT false NOT NULL,
    edited boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT countries_code_check CHECK ((code ~ '^[A-Z]{2}$'::text))
);
CREATE TABLE public.currencies (
    id text NOT NULL COLLATE pg_catalog."C",
    code text NOT NULL,
    name text NOT NULL,
    symbol text NOT NULL,
    decimals integer NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT currencies_decimals_check CHECK (((decimals >= 0) AND (decimals <= 4)))
);
CREATE TABLE public.customers (
    store_id text NOT NULL,
    phone text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    phone_alt text,
    email text,
    first_order_id text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    merged_into text COLLATE pg_catalog."C",
    erased_at timestamp with time zone
);
CREATE TABLE public.dispatch_rules (
    store_id text NOT NULL,
    rules jsonb NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.dispatches (
    store_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    order_id text NOT NULL,
    rule text,
    carrier text,
    reason text NOT NULL,
    outcome text NOT NULL,
    tried jsonb DEFAULT '[]'::jsonb NOT NULL,
    parcel_id text,
    at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT dispatches_outcome_check CHECK ((outcome = ANY (ARRAY['running'::text, 'sent'::text, 'waiting'::text, 'unknown'::text, 'refused'::text])))
);
CREATE TABLE public.erasures (
    store_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    cause text NOT NULL,
    state text DEFAULT 'running'::text NOT NULL,
    customers integer NOT NULL,
    orders integer NOT NULL,
    parcels integer NOT NULL,
    people text,
    pass integer DEFAULT 1 NOT NULL,
    step integer DEFAULT 0 NOT NULL,
    place text,
    asked_by text,
    carriers_told text[] DEFAULT '{}'::text[] NOT NULL,
    asked_at timestamp with time zone DEFAULT now() NOT NULL,
    done_at timestamp with time zone,
    swept_at timestamp with time zone,
    CONSTRAINT erasures_cause_check CHECK ((cause = ANY (ARRAY['request'::text, 'shop'::text, 'retention'::text]))),
    CONSTRAINT erasures_state_check CHECK ((state = ANY (ARRAY['running'::text, 'done'::text])))
);
CREATE TABLE public.events (
    id text NOT NULL COLLATE pg_catalog."C",
    project_id text NOT NULL,
    store_id text,
    type text NOT NULL,
    body text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
)
PARTITION BY RANGE (id);
CREATE TABLE public.feedbacks (
    store_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    phone text,
    email text,
    text text NOT NULL,
    rating integer NOT NULL,
    product_id text,
    order_id text,
    status text DEFAULT 'pending'::text NOT NULL,
    comments jsonb DEFAULT '[]'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT feedbacks_rating_check CHECK (((rating >= 1) AND (rating <= 5))),
    CONSTRAINT feedbacks_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'published'::text, 'hidden'::text])))
);
CREATE TABLE public.files (
    id text NOT NULL COLLATE pg_catalog."C",
    store_id text,
    user_id text COLLATE pg_catalog."C",
    key text NOT NULL,
    name text NOT NULL,
    content_type text NOT NULL,
    bytes bigint NOT NULL,
    width integer,
    height integer,
    hash text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    project_id text,
    CONSTRAINT files_bytes_check CHECK ((bytes > 0)),
    CONSTRAINT files_check1 CHECK (((width IS NULL) = (height IS NULL))),
    CONSTRAINT files_owner CHECK ((num_nonnulls(store_id, user_id, project_id) = 1))
);
CREATE TABLE public.gateway_payout_lines (
    payout_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    line integer NOT NULL,
    external_id text NOT NULL,
    kind text NOT NULL,
    gross numeric(19,4) NOT NULL,
    fee numeric(19,4) NOT NULL,
    net numeric(19,4) NOT NULL,
    currency text NOT NULL,
    at timestamp with time zone,
    message text,
    named_checkout text,
    named_payment text,
    named_refund text,
    named_refund_there text,
    named_payout text,
    outcome text,
    payment_id text,
    refund_id text,
    expected numeric(19,4),
    settled_at timestamp with time zone,
    stands boolean DEFAULT false NOT NULL,
    posted numeric(19,4),
    reason text,
    CONSTRAINT gateway_payout_lines_add_up CHECK ((net = (gross - fee))),
    CONSTRAINT gateway_payout_lines_check CHECK (((NOT stands) OR (settled_at IS NOT NULL))),
    CONSTRAINT gateway_payout_lines_check1 CHECK (((posted IS NULL) OR stands)),
    CONSTRAINT gateway_payout_lines_kind_check CHECK ((kind = ANY (ARRAY['payment'::text, 'refund'::text, 'fee'::text, 'dispute'::text, 'adjustment'::text, 'returned'::text, 'untold'::text]))),
    CONSTRAINT gateway_payout_lines_outcome_check CHECK ((outcome = ANY (ARRAY['matched'::text, 'differs'::text, 'paid_already'::text, 'unknown'::text, 'not_done'::text, 'other_currency'::text, 'fee'::text, 'unexpected'::text])))
);
CREATE TABLE public.gateway_payouts (
    store_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    project_id text NOT NULL,
    connection_id text NOT NULL,
    gateway text NOT NULL,
    external_id text NOT NULL,
    status text NOT NULL,
    amount numeric(19,4) NOT NULL,
    currency text NOT NULL,
    decimals smallint NOT NULL,
    detail text NOT NULL,
    made_at timestamp with time zone NOT NULL,
    arrives_at timestamp with time zone,
    message text,
    complete boolean DEFAULT false NOT NULL,
    line_cursor text,
    state text DEFAULT 'open'::text NOT NULL,
    waiting integer DEFAULT 0 NOT NULL,
    returned_by text,
    posted_at timestamp with time zone,
    reversed_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT gateway_payouts_decimals_check CHECK (((decimals >= 0) AND (decimals <= 4))),
    CONSTRAINT gateway_payouts_detail_check CHECK ((detail = ANY (ARRAY['ready'::text, 'later'::text, 'never'::text]))),
    CONSTRAINT gateway_payouts_state_check CHECK ((state = ANY (ARRAY['open'::text, 'posted'::text, 'reversed'::text]))),
    CONSTRAINT gateway_payouts_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'in_transit'::text, 'paid'::text, 'failed'::text, 'cancelled'::text]))),
    CONSTRAINT gateway_payouts_waiting_check CHECK ((waiting >= 0))
);
CREATE TABLE public.geo_borders (
    country_code text NOT NULL,
    kind text NOT NULL,
    code text NOT NULL,
    state_code text NOT NULL,
    coordinates text NOT NULL,
    CONSTRAINT geo_borders_kind_check CHECK ((kind = ANY (ARRAY['state'::text, 'city'::text])))
);
CREATE TABLE public.geo_catalogue (
    country_code text NOT NULL,
    fingerprint text NOT NULL,
    loaded_at timestamp with time zone DEFAULT now() NOT NULL,
    attribution text DEFAULT ''::text NOT NULL,
    imported boolean DEFAULT false NOT NULL
);
CREATE TABLE public.geo_imported (
    country_code text NOT NULL,
    kind text NOT NULL,
    code text NOT NULL,
    place jsonb NOT NULL,
    CONSTRAINT geo_imported_kind_check CHECK ((kind = ANY (ARRAY['state'::text, 'city'::text])))
);
CREATE TABLE public.idempotency_keys (
    owner text NOT NULL,
    key text NOT NULL,
    request_hash text NOT NULL,
    status integer NOT NULL,
    body text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    settles_until timestamp with time zone
)
PARTITION BY RANGE (created_at);
CREATE TABLE public.image_generations (
    store_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    name text DEFAULT ''::text NOT NULL,
    prompt text NOT NULL,
    negative_prompt text DEFAULT ''::text NOT NULL,
    aspect_ratio text DEFAULT '1:1'::text NOT NULL,
    product_id text,
    published boolean DEFAULT false NOT NULL,
    status text DEFAULT 'draft'::text NOT NULL,
    images jsonb DEFAULT '[]'::jsonb NOT NULL,
    failure text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT image_generations_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'queued'::text, 'running'::text, 'done'::text, 'failed'::text])))
);
CREATE TABLE public.image_prompt_templates (
    store_id text,
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    category text DEFAULT ''::text NOT NULL,
    preview_url text,
    prompt text NOT NULL,
    negative_prompt text DEFAULT ''::text NOT NULL,
    aspect_ratio text DEFAULT '1:1'::text NOT NULL,
    data jsonb DEFAULT '{}'::jsonb NOT NULL,
    published boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.imported_orders (
    store_id text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL,
    content text NOT NULL,
    order_id text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.integrations (
    store_id text,
    id text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL,
    kind text NOT NULL,
    enabled boolean NOT NULL,
    credentials text NOT NULL,
    settings jsonb NOT NULL,
    status text DEFAULT 'untested'::text NOT NULL,
    status_message text,
    sync jsonb,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    deleted_at timestamp with time zone,
    owner text DEFAULT 'store'::text NOT NULL,
    name text DEFAULT ''::text NOT NULL,
    attention text,
    attention_since timestamp with time zone,
    attention_operation text,
    last_success_at timestamp with time zone,
    CONSTRAINT integrations_attention CHECK (((attention IS NULL) = (attention_since IS NULL))),
    CONSTRAINT integrations_owned CHECK (((owner = 'store'::text) = (store_id IS NOT NULL))),
    CONSTRAINT integrations_owner_check CHECK ((owner = ANY (ARRAY['store'::text, 'platform'::text]))),
    CONSTRAINT integrations_status_check CHECK ((status = ANY (ARRAY['untested'::text, 'connected'::text, 'failed'::text])))
);
CREATE TABLE public.inventory_balances (
    project_id text NOT NULL COLLATE pg_catalog."C",
    namespace text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    batch text NOT NULL COLLATE pg_catalog."C",
    on_hand numeric(19,4) DEFAULT 0 NOT NULL,
    reserved numeric(19,4) DEFAULT 0 NOT NULL,
    unit_cost numeric(19,4),
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    has_free boolean GENERATED ALWAYS AS ((on_hand > reserved)) STORED NOT NULL,
    CONSTRAINT inventory_balances_covered CHECK (((on_hand >= reserved) AND (reserved >= (0)::numeric))),
    CONSTRAINT inventory_balances_unit_cost_check CHECK ((unit_cost >= (0)::numeric))
)
WITH (fillfactor='70');
CREATE SEQUENCE public.inventory_movements_positions
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.inventory_movements (
    project_id text NOT NULL COLLATE pg_catalog."C",
    operation_id text NOT NULL COLLATE pg_catalog."C",
    line integer NOT NULL,
    "position" bigint DEFAULT nextval('public.inventory_movements_positions'::regclass) NOT NULL,
    namespace text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    batch text NOT NULL COLLATE pg_catalog."C",
    quantity numeric(19,4) NOT NULL,
    unit_cost numeric(19,4),
    balance_after numeric(19,4) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT inventory_movements_balance_after_check CHECK ((balance_after >= (0)::numeric)),
    CONSTRAINT inventory_movements_quantity_check CHECK ((quantity <> (0)::numeric))
)
PARTITION BY RANGE (created_at);
CREATE TABLE public.inventory_operations (
    project_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL,
    note text,
    reference text COLLATE pg_catalog."C",
    reservation_id text COLLATE pg_catalog."C",
    reverses_id text COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT inventory_operations_check CHECK (((type <> 'adjust'::text) OR (note IS NOT NULL))),
    CONSTRAINT inventory_operations_type_check CHECK ((type = ANY (ARRAY['receive'::text, 'supplier_return'::text, 'transfer'::text, 'convert'::text, 'fulfill'::text, 'pos_sale'::text, 'customer_return'::text, 'adjust'::text])))
)
PARTITION BY RANGE (id);
CREATE TABLE public.inventory_reservation_lines (
    project_id text NOT NULL COLLATE pg_catalog."C",
    reservation_id text NOT NULL COLLATE pg_catalog."C",
    line integer NOT NULL,
    namespace text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    batch text NOT NULL COLLATE pg_catalog."C",
    quantity numeric(19,4) NOT NULL,
    fulfilled numeric(19,4) DEFAULT 0 NOT NULL,
    CONSTRAINT inventory_reservation_lines_check CHECK (((fulfilled >= (0)::numeric) AND (fulfilled <= quantity))),
    CONSTRAINT inventory_reservation_lines_quantity_check CHECK ((quantity > (0)::numeric))
);
CREATE TABLE public.inventory_reservations (
    project_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    status text DEFAULT 'active'::text NOT NULL,
    reference text,
    expires_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    of_order boolean DEFAULT false NOT NULL,
    CONSTRAINT inventory_reservations_status_check CHECK ((status = ANY (ARRAY['active'::text, 'fulfilled'::text, 'released'::text, 'expired'::text])))
);
CREATE TABLE public.inventory_reversals (
    project_id text NOT NULL COLLATE pg_catalog."C",
    reverses_id text NOT NULL COLLATE pg_catalog."C",
    operation_id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.landing_jobs (
    id text NOT NULL COLLATE pg_catalog."C",
    store_id text NOT NULL,
    kind text NOT NULL,
    status text DEFAULT 'queued'::text NOT NULL,
    product_id text NOT NULL,
    asked jsonb NOT NULL,
    data jsonb,
    pictures text[] DEFAULT '{}'::text[] NOT NULL,
    page_id text,
    digest text,
    failure text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT landing_jobs_check CHECK (((finished_at IS NULL) = (status = ANY (ARRAY['queued'::text, 'running'::text])))),
    CONSTRAINT landing_jobs_kind_check CHECK ((kind = ANY (ARRAY['template'::text, 'page'::text, 'picture_page'::text]))),
    CONSTRAINT landing_jobs_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text])))
);
CREATE TABLE public.mails (
    id text NOT NULL COLLATE pg_catalog."C",
    template text NOT NULL,
    recipient text NOT NULL,
    state text DEFAULT 'queued'::text NOT NULL,
    content text,
    once text,
    good_until timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    last_error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    settled_at timestamp with time zone,
    is_near boolean DEFAULT false NOT NULL,
    CONSTRAINT mails_check CHECK (((state = 'queued'::text) = (settled_at IS NULL))),
    CONSTRAINT mails_check1 CHECK (((state = 'queued'::text) OR (content IS NULL))),
    CONSTRAINT mails_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'sent'::text, 'failed'::text])))
);
CREATE TABLE public.mcp_secrets (
    store_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    server_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    user_id text,
    issuer text DEFAULT ''::text NOT NULL,
    sealed text NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    renewing_by text,
    renewing_until timestamp with time zone,
    CONSTRAINT mcp_secrets_check CHECK (((kind = 'tokens'::text) = (user_id IS NOT NULL))),
    CONSTRAINT mcp_secrets_kind_check CHECK ((kind = ANY (ARRAY['headers'::text, 'client'::text, 'tokens'::text])))
);
CREATE TABLE public.mcp_servers (
    store_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    user_id text,
    name text NOT NULL,
    url text NOT NULL,
    auth text NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    client_id text,
    protocol text,
    title text,
    problem text,
    reached_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT mcp_servers_auth_check CHECK ((auth = ANY (ARRAY['none'::text, 'headers'::text, 'oauth'::text])))
);
CREATE TABLE public.mcp_sign_ins (
    store_id text NOT NULL,
    digest text NOT NULL,
    server_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL,
    sealed text NOT NULL,
    return_to text,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.notifications (
    user_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    title text NOT NULL,
    message text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    read_at timestamp with time zone
);
CREATE TABLE public.oauth_access_tokens (
    week integer NOT NULL,
    digest bytea NOT NULL,
    grant_id text NOT NULL COLLATE pg_catalog."C",
    scopes text[] NOT NULL,
    thumbprint text,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL
)
PARTITION BY RANGE (week);
CREATE TABLE public.oauth_codes (
    digest text NOT NULL,
    grant_id text NOT NULL COLLATE pg_catalog."C",
    redirect_uri text,
    challenge text,
    thumbprint text,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone
);
CREATE TABLE public.oauth_grants (
    id text NOT NULL COLLATE pg_catalog."C",
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    project_id text COLLATE pg_catalog."C",
    scopes text[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone
);
CREATE TABLE public.oauth_refresh_tokens (
    week integer NOT NULL,
    digest bytea NOT NULL,
    grant_id text NOT NULL COLLATE pg_catalog."C",
    thumbprint text,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone
)
PARTITION BY RANGE (week);
CREATE TABLE public.oauth_requests (
    digest text NOT NULL,
    app_id text NOT NULL COLLATE pg_catalog."C",
    parameters jsonb NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.oauth_states (
    digest text NOT NULL,
    connection_id text NOT NULL,
    begun_by text NOT NULL,
    redirect_uri text NOT NULL,
    return_to text,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.oauth_tokens (
    connection_id text NOT NULL,
    sealed text NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    expires_at timestamp with time zone,
    renew_at timestamp with time zone,
    renewed_at timestamp with time zone DEFAULT now() NOT NULL,
    renewing_by text,
    renewing_until timestamp with time zone,
    unanswered boolean DEFAULT false NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    retry_at timestamp with time zone,
    refused text,
    handed_until timestamp with time zone
);
CREATE TABLE public.one_time_codes (
    id text NOT NULL COLLATE pg_catalog."C",
    purpose text NOT NULL,
    email text NOT NULL,
    language text,
    user_id text,
    code_hash text,
    token_hash text,
    attempts integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    welcomes boolean DEFAULT false NOT NULL,
    is_near boolean DEFAULT false NOT NULL,
    CONSTRAINT one_time_codes_check CHECK (((user_id IS NULL) = (code_hash IS NULL))),
    CONSTRAINT one_time_codes_purpose_check CHECK ((purpose = ANY (ARRAY['sign_in'::text, 'verify_email'::text, 'reset_password'::text])))
);
CREATE TABLE public.options (
    key text NOT NULL COLLATE pg_catalog."C",
    value jsonb NOT NULL,
    is_public boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.order_items (
    store_id text NOT NULL,
    order_id text NOT NULL COLLATE pg_catalog."C",
    line integer NOT NULL,
    product_id text NOT NULL,
    variant_id text,
    name text NOT NULL,
    sku text,
    unit_price numeric(19,4) NOT NULL,
    quantity integer NOT NULL,
    inventory_key text,
    offer_id text COLLATE pg_catalog."C",
    unit_cost numeric(19,4),
    CONSTRAINT order_items_quantity_check CHECK ((quantity > 0))
);
CREATE TABLE public.order_part_lines (
    store_id text NOT NULL COLLATE pg_catalog."C",
    order_id text NOT NULL COLLATE pg_catalog."C",
    part_id text NOT NULL COLLATE pg_catalog."C",
    line integer NOT NULL,
    quantity integer NOT NULL,
    back integer DEFAULT 0 NOT NULL,
    CONSTRAINT order_part_lines_check CHECK (((back >= 0) AND (back <= quantity))),
    CONSTRAINT order_part_lines_quantity_check CHECK ((quantity > 0))
);
CREATE TABLE public.order_parts (
    store_id text NOT NULL COLLATE pg_catalog."C",
    order_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    name text COLLATE pg_catalog."C",
    parcel_id text COLLATE pg_catalog."C",
    cod_amount numeric(19,4),
    reservation_id text,
    fulfilment_id text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    said text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT order_parts_check CHECK (((parcel_id IS NOT NULL) OR (reservation_id IS NULL))),
    CONSTRAINT order_parts_cod_amount_check CHECK ((cod_amount >= (0)::numeric))
);
CREATE TABLE public.order_return_lines (
    store_id text NOT NULL COLLATE pg_catalog."C",
    order_id text NOT NULL COLLATE pg_catalog."C",
    return_id text NOT NULL COLLATE pg_catalog."C",
    line integer NOT NULL,
    quantity integer NOT NULL,
    CONSTRAINT order_return_lines_quantity_check CHECK ((quantity > 0))
);
CREATE TABLE public.order_returns (
    store_id text NOT NULL COLLATE pg_catalog."C",
    order_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    operation_id text,
    restocked boolean NOT NULL,
    note text DEFAULT ''::text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    status text DEFAULT 'received'::text NOT NULL,
    received_at timestamp with time zone,
    exchange_order_id text COLLATE pg_catalog."C",
    CONSTRAINT order_returns_status_check CHECK ((status = ANY (ARRAY['awaited'::text, 'received'::text, 'cancelled'::text])))
);
CREATE TABLE public.orders (
    store_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    reference text NOT NULL,
    status text NOT NULL,
    customer_name text NOT NULL,
    customer_phone text NOT NULL,
    customer_phone_alt text,
    customer_email text,
    destination jsonb NOT NULL,
    note text DEFAULT ''::text NOT NULL,
    promo_code text,
    subtotal numeric(19,4) NOT NULL,
    delivery numeric(19,4) NOT NULL,
    discount numeric(19,4) NOT NULL,
    total numeric(19,4) NOT NULL,
    source text NOT NULL,
    assigned_to text,
    metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    reservation_id text,
    fulfilment_id text,
    parcel_id text,
    sendings integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    deleted_at timestamp with time zone,
    version integer DEFAULT 0 NOT NULL,
    network text,
    held_until timestamp with time zone,
    offer jsonb,
    paid numeric(19,4) DEFAULT 0 NOT NULL,
    payment_status text DEFAULT 'unpaid'::text NOT NULL,
    is_divided boolean DEFAULT false NOT NULL,
    exchange_of text COLLATE pg_catalog."C",
    takes_back text,
    words text DEFAULT ''::text NOT NULL,
    discount_by_hand numeric(19,4) DEFAULT 0 NOT NULL,
    delivery_by_hand numeric(19,4),
    said text[] DEFAULT '{}'::text[] NOT NULL,
    connector_id text COLLATE pg_catalog."C",
    external_id text COLLATE pg_catalog."C",
    made_by jsonb,
    erased_at timestamp with time zone,
    CONSTRAINT orders_check CHECK ((total = ((subtotal + delivery) - discount))),
    CONSTRAINT orders_delivery_by_hand_check CHECK ((delivery_by_hand >= (0)::numeric)),
    CONSTRAINT orders_discount_by_hand_check CHECK ((discount_by_hand >= (0)::numeric)),
    CONSTRAINT orders_of_connector CHECK ((((source = 'connector'::text) = (connector_id IS NOT NULL)) AND ((connector_id IS NULL) = (external_id IS NULL)))),
    CONSTRAINT orders_payment_status_check CHECK ((payment_status = ANY (ARRAY['unpaid'::text, 'pending'::text, 'partially_paid'::text, 'paid'::text, 'refunded'::text, 'needs_attention'::text])))
);
CREATE TABLE public.parcels (
    project_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    tenant_id integer NOT NULL,
    reference text NOT NULL,
    status text NOT NULL,
    outcome_unknown boolean DEFAULT false NOT NULL,
    carrier_account_id text,
    courier_id text,
    tracking_id text,
    batch_id text,
    order_id text,
    recipient jsonb NOT NULL,
    destination jsonb NOT NULL,
    cod_amount numeric(19,4) NOT NULL,
    declared_value numeric(19,4) NOT NULL,
    weight_kg numeric(12,4) DEFAULT 0 NOT NULL,
    dimensions jsonb,
    contents text DEFAULT ''::text NOT NULL,
    notes text DEFAULT ''::text NOT NULL,
    delivery_attempts integer DEFAULT 0 NOT NULL,
    ready_for_pickup boolean DEFAULT false NOT NULL,
    cash_status text DEFAULT 'none'::text NOT NULL,
    label_url text,
    carrier_data jsonb DEFAULT '{}'::jsonb NOT NULL,
    last_error jsonb,
    metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    sequence integer DEFAULT 0 NOT NULL,
    submit_attempts integer DEFAULT 0 NOT NULL,
    submitting_since timestamp with time zone,
    last_report_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    submitted_at timestamp with time zone,
    delivered_at timestamp with time zone,
    returned_at timestamp with time zone,
    cancelled_at timestamp with time zone,
    poll_at timestamp with time zone,
    order_version integer DEFAULT 0 NOT NULL,
    submit_at timestamp with time zone,
    told jsonb,
    submitting_by bigint,
    part_id text COLLATE pg_catalog."C",
    takes_back text,
    sent_by jsonb,
    erased_at timestamp with time zone,
    CONSTRAINT parcels_check CHECK (((status <> ALL (ARRAY['submitting'::text, 'submitted'::text])) OR (carrier_account_id IS NOT NULL))),
    CONSTRAINT parcels_cod_amount_check CHECK ((cod_amount >= (0)::numeric)),
    CONSTRAINT parcels_declared_value_check CHECK ((declared_value >= (0)::numeric)),
    CONSTRAINT parcels_submit_at_check CHECK (((submit_at IS NULL) OR (status = ANY (ARRAY['created'::text, 'submitting'::text]))))
);
CREATE VIEW public.order_line_ends AS
 SELECT w.store_id,
    w.order_id,
    i.line,
    i.quantity,
    i.unit_price,
    i.unit_cost,
    e.kept,
    e.back,
    e.returned,
    e.on_its_way,
    e.lost,
    e.given_up
   FROM (((( SELECT (orders.store_id COLLATE "C") AS store_id,
            orders.id AS order_id
           FROM public.orders
          WHERE orders.is_divided
        UNION
         SELECT order_returns.store_id,
            order_returns.order_id
           FROM public.order_returns
          WHERE (order_returns.status = 'received'::text)) w
     JOIN public.orders o ON ((o.id = w.order_id)))
     JOIN public.order_items i ON (((i.store_id = o.store_id) AND (i.order_id = o.id))))
     CROSS JOIN LATERAL ( SELECT COALESCE(sum((l.quantity - l.back)) FILTER (WHERE (p.status = 'delivered'::text)), (0)::bigint) AS kept,
            COALESCE(sum(l.back), (0)::bigint) AS back,
            COALESCE(sum((l.quantity - l.back)) FILTER (WHERE (p.status = 'returned'::text)), (0)::bigint) AS returned,
            COALESCE(sum((l.quantity - l.back)) FILTER (WHERE (p.status = 'returning'::text)), (0)::bigint) AS on_its_way,
            COALESCE(sum((l.quantity - l.back)) FILTER (WHERE (p.status = 'lost'::text)), (0)::bigint) AS lost,
            COALESCE(sum((l.quantity - l.back)) FILTER (WHERE (t.parcel_id IS NULL)), (0)::bigint) AS given_up
           FROM ((public.order_part_lines l
             JOIN public.order_parts t ON (((t.store_id = l.store_id) AND (t.order_id = l.order_id) AND (t.id = l.part_id))))
             LEFT JOIN public.parcels p ON ((p.id = t.parcel_id)))
          WHERE ((l.store_id = w.store_id) AND (l.order_id = w.order_id) AND (l.line = i.line))
         HAVING o.is_divided
        UNION ALL
         SELECT
                CASE o.status
                    WHEN 'delivered'::text THEN (i.quantity - b.back)
                    ELSE (0)::bigint
                END AS "case",
            b.back,
                CASE o.status
                    WHEN 'returned'::text THEN (i.quantity - b.back)
                    ELSE (0)::bigint
                END AS "case",
                CASE o.status
                    WHEN 'returning'::text THEN (i.quantity - b.back)
                    ELSE (0)::bigint
                END AS "case",
                CASE o.status
                    WHEN 'lost'::text THEN (i.quantity - b.back)
                    ELSE (0)::bigint
                END AS "case",
            0
           FROM ( SELECT COALESCE(sum(l.quantity), (0)::bigint) AS back
                   FROM (public.order_return_lines l
                     JOIN public.order_returns r ON (((r.store_id = l.store_id) AND (r.order_id = l.order_id) AND (r.id = l.return_id))))
                  WHERE ((l.store_id = w.store_id) AND (l.order_id = w.order_id) AND (l.line = i.line) AND (r.status = 'received'::text))) b
          WHERE (NOT o.is_divided)) e);
CREATE VIEW public.order_ends AS
 SELECT l.store_id,
    l.order_id,
    l.kept_cost,
    l.kept_without_cost,
    ((round((l.brought * m.share), 2) +
        CASE
            WHEN k.holds THEN m.fee
            ELSE (0)::numeric
        END) - m.refunded) AS kept,
        CASE
            WHEN k.holds THEN o.delivery
            ELSE (0)::numeric
        END AS kept_delivery,
    ((round((l.came_back * m.share), 2) + m.refunded) +
        CASE
            WHEN ((NOT k.holds) AND (l.to_come = (0)::numeric) AND ((l.came_back + l.back) > (0)::numeric)) THEN m.fee
            ELSE (0)::numeric
        END) AS returned,
    (round((l.to_come * m.share), 2) +
        CASE
            WHEN ((NOT k.holds) AND (l.to_come > (0)::numeric)) THEN m.fee
            ELSE (0)::numeric
        END) AS to_come
   FROM (((((( SELECT order_line_ends.store_id,
            order_line_ends.order_id,
            sum(((order_line_ends.quantity)::numeric * order_line_ends.unit_price)) AS goods,
            sum(order_line_ends.kept) AS kept,
            sum(order_line_ends.back) AS back,
            sum((((order_line_ends.kept + order_line_ends.back))::numeric * order_line_ends.unit_price)) AS brought,
            sum((((order_line_ends.returned + order_line_ends.on_its_way))::numeric * order_line_ends.unit_price)) AS came_back,
            sum(((((((((order_line_ends.quantity - order_line_ends.kept) - order_line_ends.back) - order_line_ends.returned) - order_line_ends.on_its_way) - order_line_ends.lost) - order_line_ends.given_up))::numeric * order_line_ends.unit_price)) AS to_come,
            COALESCE(sum(((order_line_ends.kept)::numeric * order_line_ends.unit_cost)), (0)::numeric) AS kept_cost,
            COALESCE(sum(order_line_ends.kept) FILTER (WHERE (order_line_ends.unit_cost IS NULL)), (0)::numeric) AS kept_without_cost
           FROM public.order_line_ends
          GROUP BY order_line_ends.store_id, order_line_ends.order_id) l
     JOIN public.orders o ON ((o.id = l.order_id)))
     CROSS JOIN LATERAL ( SELECT COALESCE(bool_or(x.goes), false) AS exchanged,
            COALESCE(sum(x.goods) FILTER (WHERE (NOT x.goes)), (0)::numeric) AS goods,
            COALESCE(sum(x.unused) FILTER (WHERE x.goes), (0)::numeric) AS unused
           FROM ( SELECT GREATEST((((e.offer ->> 'value'::text))::numeric - e.discount), (0)::numeric) AS unused,
                    COALESCE(((e.deleted_at IS NULL) AND (e.status <> ALL (ARRAY['cancelled'::text, 'lost'::text])) AND ((e.status <> 'returned'::text) OR (EXISTS ( SELECT
                           FROM public.order_returns h
                          WHERE ((h.store_id = e.store_id) AND (h.order_id = e.id) AND (h.status = 'received'::text)))))), false) AS goes,
                    ( SELECT sum(((b_1.quantity)::numeric * i.unit_price)) AS sum
                           FROM (public.order_return_lines b_1
                             JOIN public.order_items i ON (((i.store_id = o.store_id) AND (i.order_id = b_1.order_id) AND (i.line = b_1.line))))
                          WHERE ((b_1.store_id = r.store_id) AND (b_1.order_id = r.order_id) AND (b_1.return_id = r.id))) AS goods
                   FROM (public.order_returns r
                     LEFT JOIN public.orders e ON ((e.id = r.exchange_order_id)))
                  WHERE ((r.store_id = l.store_id) AND (r.order_id = l.order_id) AND (r.status = 'received'::text))) x) b)
     CROSS JOIN LATERAL ( SELECT ((l.kept > (0)::numeric) OR b.exchanged) AS holds) k)
     CROSS JOIN LATERAL ( SELECT (o.delivery -
                CASE (o.offer ->> 'kind'::text)
                    WHEN 'free_shipping'::text THEN o.discount
                    ELSE (0)::numeric
                END) AS fee) f)
     CROSS JOIN LATERAL ( SELECT f.fee,
            COALESCE(((o.total - f.fee) / NULLIF(l.goods, (0)::numeric)), (0)::numeric) AS share,
            (round((b.goods * COALESCE((
                CASE (o.offer ->> 'kind'::text)
                    WHEN 'credit'::text THEN o.subtotal
                    ELSE (o.total - f.fee)
                END / NULLIF(l.goods, (0)::numeric)), (0)::numeric)), 2) + b.unused) AS refunded) m);
CREATE TABLE public.order_status_changes (
    store_id text NOT NULL COLLATE pg_catalog."C",
    order_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    from_status text NOT NULL,
    to_status text NOT NULL,
    reason text DEFAULT ''::text NOT NULL,
    by_id text NOT NULL COLLATE pg_catalog."C",
    by_kind text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    admin_id text,
    app_id text,
    CONSTRAINT order_status_changes_by_kind_check CHECK ((by_kind = ANY (ARRAY['person'::text, 'key'::text, 'connector'::text, 'carrier'::text, 'public'::text, 'system'::text])))
)
PARTITION BY RANGE (order_id);
CREATE TABLE public.pages (
    store_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    title text NOT NULL,
    slug text NOT NULL,
    format text NOT NULL,
    content text DEFAULT ''::text NOT NULL,
    metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    published boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT pages_format_check CHECK ((format = ANY (ARRAY['html'::text, 'markdown'::text])))
);
CREATE TABLE public.parcel_batch_rows (
    project_id text NOT NULL,
    batch_id text NOT NULL COLLATE pg_catalog."C",
    "row" integer NOT NULL,
    input jsonb,
    reference text,
    parcel_id text COLLATE pg_catalog."C",
    status text NOT NULL,
    error jsonb,
    CONSTRAINT parcel_batch_rows_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'created'::text, 'submitting'::text, 'submitted'::text, 'failed'::text, 'unknown'::text, 'cancelled'::text])))
);
CREATE TABLE public.parcel_batches (
    project_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    status text DEFAULT 'processing'::text NOT NULL,
    total integer NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    completed_at timestamp with time zone,
    made_by jsonb,
    CONSTRAINT parcel_batches_status_check CHECK ((status = ANY (ARRAY['processing'::text, 'completed'::text])))
);
CREATE TABLE public.parcel_events (
    project_id text NOT NULL,
    parcel_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL,
    source text NOT NULL,
    at timestamp with time zone NOT NULL,
    from_status text,
    to_status text,
    payload jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT parcel_events_type_check CHECK ((type = ANY (ARRAY['created'::text, 'submitted'::text, 'status_changed'::text, 'submission_failed'::text])))
)
PARTITION BY RANGE (parcel_id);
CREATE TABLE public.parcel_reports (
    project_id text NOT NULL,
    parcel_id text NOT NULL COLLATE pg_catalog."C",
    event_key text NOT NULL,
    source text NOT NULL,
    carrier_status text,
    reason text,
    at timestamp with time zone NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    outcome text NOT NULL,
    id text COLLATE pg_catalog."C",
    CONSTRAINT parcel_reports_outcome_check CHECK ((outcome = ANY (ARRAY['applied'::text, 'cash'::text, 'stale'::text, 'same'::text, 'unmapped'::text, 'impossible'::text, 'ignored'::text])))
)
PARTITION BY RANGE (parcel_id);
CREATE TABLE public.parcel_turns (
    project_id text NOT NULL,
    parcel_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    fields text[],
    until timestamp with time zone NOT NULL
);
CREATE TABLE public.passkey_challenges (
    id text NOT NULL COLLATE pg_catalog."C",
    user_id text,
    challenge text NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.passkeys (
    id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL,
    credential_id text NOT NULL,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    transports text[] DEFAULT '{}'::text[] NOT NULL,
    name text NOT NULL,
    synced boolean NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone
);
CREATE TABLE public.payment_news (
    connection_id text NOT NULL,
    digest text NOT NULL,
    payment_id text,
    external_id text,
    news jsonb NOT NULL,
    outcome text NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.payment_proofs (
    id text NOT NULL COLLATE pg_catalog."C",
    payment_id text,
    file_id text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    subscription_payment_id text,
    CONSTRAINT payment_proofs_check CHECK ((num_nonnulls(payment_id, subscription_payment_id) = 1))
);
CREATE TABLE public.payment_refunds (
    payment_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    amount numeric(19,4) NOT NULL,
    status text NOT NULL,
    reason text NOT NULL,
    by_hand boolean NOT NULL,
    external_id text,
    message text,
    asked_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT payment_refunds_amount_check CHECK ((amount > (0)::numeric)),
    CONSTRAINT payment_refunds_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'done'::text, 'failed'::text, 'unknown'::text])))
);
CREATE TABLE public.payments (
    store_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    project_id text NOT NULL,
    order_id text NOT NULL,
    connection_id text NOT NULL,
    gateway text NOT NULL,
    status text NOT NULL,
    amount numeric(19,4) NOT NULL,
    currency text NOT NULL,
    decimals smallint NOT NULL,
    paid numeric(19,4),
    fee numeric(19,4),
    refunded numeric(19,4) DEFAULT 0 NOT NULL,
    method text,
    accepted boolean DEFAULT false NOT NULL,
    concern text,
    concern_since timestamp with time zone,
    message text,
    external_id text,
    checkout_url text,
    return_to text,
    language text NOT NULL,
    expires_at timestamp with time zone,
    paid_at timestamp with time zone,
    asking_until timestamp with time zone,
    read_at timestamp with time zone,
    reads integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    directions jsonb,
    missing numeric(19,4) DEFAULT 0 NOT NULL,
    taken_back boolean DEFAULT false NOT NULL,
    accepted_as text,
    CONSTRAINT payments_amount_check CHECK ((amount > (0)::numeric)),
    CONSTRAINT payments_check CHECK (((refunded >= (0)::numeric) AND (refunded <= COALESCE(paid, (0)::numeric)))),
    CONSTRAINT payments_concern_check CHECK ((concern = ANY (ARRAY['paid_twice'::text, 'paid_less'::text, 'paid_more'::text, 'paid_late'::text, 'other_currency'::text, 'order_ended'::text, 'outcome_unknown'::text, 'refund_unknown'::text, 'refund_failed'::text, 'taken_back'::text]))),
    CONSTRAINT payments_decimals_check CHECK (((decimals >= 0) AND (decimals <= 4))),
    CONSTRAINT payments_missing_check CHECK ((missing >= (0)::numeric)),
    CONSTRAINT payments_status_check CHECK ((status = ANY (ARRAY['created'::text, 'open'::text, 'processing'::text, 'authorized'::text, 'paid'::text, 'partially_refunded'::text, 'refunded'::text, 'failed'::text, 'cancelled'::text, 'expired'::text])))
);
CREATE TABLE public.payout_pulls (
    connection_id text NOT NULL,
    store_id text NOT NULL,
    status text DEFAULT 'done'::text NOT NULL,
    turn integer DEFAULT 0 NOT NULL,
    since timestamp with time zone,
    cursor text,
    pages integer DEFAULT 0 NOT NULL,
    message text,
    failures integer DEFAULT 0 NOT NULL,
    began_at timestamp with time zone,
    finished_at timestamp with time zone,
    due_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT payout_pulls_status_check CHECK ((status = ANY (ARRAY['listing'::text, 'reading'::text, 'done'::text, 'failed'::text])))
);
CREATE TABLE public.pickup_sources (
    connection_id text NOT NULL,
    refreshed_at timestamp with time zone,
    asked_at timestamp with time zone,
    failure text,
    asking_by text,
    asking_until timestamp with time zone
);
CREATE TABLE public.pickups (
    connection_id text NOT NULL,
    center_id text NOT NULL,
    name text NOT NULL,
    address text NOT NULL,
    phone text,
    country_code text NOT NULL,
    state_code text,
    state_name text,
    city_code text,
    city_name text NOT NULL,
    latitude double precision,
    longitude double precision
);
CREATE TABLE public.plans (
    id text NOT NULL COLLATE pg_catalog."C",
    code text NOT NULL,
    name text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    price numeric(19,4) DEFAULT 0 NOT NULL,
    currency text NOT NULL,
    limits jsonb DEFAULT '{}'::jsonb NOT NULL,
    extra_order_price numeric(19,4),
    trial_days integer DEFAULT 0 NOT NULL,
    app_store_product text,
    play_store_product text,
    available boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT plans_extra_order_price_check CHECK ((extra_order_price >= (0)::numeric)),
    CONSTRAINT plans_free CHECK (((code <> 'free'::text) OR (price = (0)::numeric))),
    CONSTRAINT plans_price_check CHECK ((price >= (0)::numeric)),
    CONSTRAINT plans_trial_days_check CHECK (((trial_days >= 0) AND (trial_days <= 365)))
);
CREATE TABLE public.processes (
    number bigint NOT NULL,
    worker_ids text[] DEFAULT '{}'::text[] NOT NULL,
    seen_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
)
WITH (fillfactor='50');
ALTER TABLE public.processes ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.processes_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.product_keys (
    store_id text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.product_landing_page_templates (
    store_id text,
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    category text DEFAULT ''::text NOT NULL,
    preview_url text,
    data jsonb DEFAULT '{}'::jsonb NOT NULL,
    published boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.product_skus (
    store_id text NOT NULL COLLATE pg_catalog."C",
    sku text NOT NULL,
    product_id text NOT NULL COLLATE pg_catalog."C",
    variant_id text COLLATE pg_catalog."C"
);
CREATE TABLE public.products (
    store_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    sku text,
    status text DEFAULT 'active'::text NOT NULL,
    price numeric(19,4) NOT NULL,
    compare_at_price numeric(19,4),
    weight_kg numeric(12,4) DEFAULT 0 NOT NULL,
    stock_keeping boolean NOT NULL,
    inventory_key text NOT NULL,
    variants jsonb DEFAULT '[]'::jsonb NOT NULL,
    metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    deleted_at timestamp with time zone,
    slug text NOT NULL,
    cost numeric(19,4),
    show_stock boolean DEFAULT false NOT NULL,
    category_id text COLLATE pg_catalog."C",
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    vendor text,
    seo jsonb DEFAULT '{}'::jsonb NOT NULL,
    options jsonb DEFAULT '[]'::jsonb NOT NULL,
    media jsonb DEFAULT '[]'::jsonb NOT NULL,
    tiers jsonb DEFAULT '[]'::jsonb NOT NULL,
    bundles jsonb DEFAULT '[]'::jsonb NOT NULL,
    shipping jsonb,
    stock_keys text[] DEFAULT '{}'::text[] NOT NULL,
    words text DEFAULT ''::text NOT NULL,
    dice double precision DEFAULT random() NOT NULL,
    bytes integer GENERATED ALWAYS AS ((((((((((octet_length(description) + octet_length((seo)::text)) + octet_length((options)::text)) + octet_length((media)::text)) + octet_length((variants)::text)) + octet_length((tiers)::text)) + octet_length((bundles)::text)) + COALESCE(octet_length((shipping)::text), 0)) + octet_length((metadata)::text)) + 500)) STORED NOT NULL,
    CONSTRAINT products_cost_check CHECK ((cost >= (0)::numeric)),
    CONSTRAINT products_price_check CHECK ((price >= (0)::numeric)),
    CONSTRAINT products_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'active'::text, 'archived'::text])))
);
CREATE TABLE public.projects (
    id text NOT NULL COLLATE pg_catalog."C",
    tenant_id integer NOT NULL,
    name text NOT NULL,
    products text[] DEFAULT '{parcels,inventory,geo,webhooks}'::text[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.promo_redemptions (
    store_id text NOT NULL COLLATE pg_catalog."C",
    promo_id text NOT NULL COLLATE pg_catalog."C",
    order_id text NOT NULL COLLATE pg_catalog."C",
    phone text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.promos (
    store_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    code text NOT NULL,
    kind text NOT NULL,
    value numeric(19,4) NOT NULL,
    minimum_subtotal numeric(19,4) DEFAULT 0 NOT NULL,
    starts_at timestamp with time zone,
    ends_at timestamp with time zone,
    enabled boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    maximum_discount numeric(19,4),
    product_ids jsonb DEFAULT '[]'::jsonb NOT NULL,
    category_ids jsonb DEFAULT '[]'::jsonb NOT NULL,
    state_codes jsonb DEFAULT '[]'::jsonb NOT NULL,
    delivery_types jsonb DEFAULT '[]'::jsonb NOT NULL,
    first_order_only boolean DEFAULT false NOT NULL,
    usage_limit integer,
    per_customer_limit integer,
    uses integer DEFAULT 0 NOT NULL,
    CONSTRAINT promos_kind CHECK ((kind = ANY (ARRAY['percent'::text, 'fixed'::text, 'free_shipping'::text]))),
    CONSTRAINT promos_uses_check CHECK ((uses >= 0)),
    CONSTRAINT promos_value_check CHECK ((value >= (0)::numeric))
);
CREATE TABLE public.proxy_hosts (
    store_id text NOT NULL,
    hosts text[] NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT proxy_hosts_hosts_check CHECK ((cardinality(hosts) <= 50))
);
CREATE TABLE public.recipient_outcomes (
    project_id text NOT NULL COLLATE pg_catalog."C",
    parcel_id text NOT NULL COLLATE pg_catalog."C",
    phone text NOT NULL,
    outcome text NOT NULL,
    CONSTRAINT recipient_outcomes_outcome_check CHECK ((outcome = ANY (ARRAY['delivered'::text, 'returned'::text, 'refused'::text])))
);
CREATE TABLE public.recovery_codes (
    user_id text NOT NULL COLLATE pg_catalog."C",
    digest text NOT NULL
);
CREATE TABLE public.revocations (
    id bigint NOT NULL,
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    tag text NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
ALTER TABLE public.revocations ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.revocations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.row_sources (
    connection_id text NOT NULL COLLATE pg_catalog."C",
    store_id text NOT NULL,
    generation text NOT NULL,
    spreadsheet_id text,
    tab_id text,
    columns jsonb DEFAULT '[]'::jsonb NOT NULL,
    language text DEFAULT 'ar'::text NOT NULL,
    old_rows integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    name_header text,
    state_header text,
    names_from text COLLATE pg_catalog."C",
    CONSTRAINT row_sources_check CHECK (((spreadsheet_id IS NULL) = (tab_id IS NULL))),
    CONSTRAINT row_sources_check1 CHECK ((((tab_id IS NULL) = (name_header IS NULL)) AND ((tab_id IS NULL) = (state_header IS NULL))))
);
CREATE TABLE public.schema_migrations (
    number integer NOT NULL,
    name text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.second_factors (
    user_id text NOT NULL COLLATE pg_catalog."C",
    secret text NOT NULL,
    confirmed_at timestamp with time zone,
    last_step bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.session_tokens (
    id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL,
    token_hash text NOT NULL,
    user_agent text DEFAULT ''::text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    network text,
    means text DEFAULT 'password'::text NOT NULL,
    admin_id text,
    CONSTRAINT session_tokens_means_check CHECK ((means = ANY (ARRAY['password'::text, 'code'::text, 'passkey'::text, 'social'::text, 'admin'::text])))
);
CREATE TABLE public.sheet_import_rows (
    store_id text NOT NULL COLLATE pg_catalog."C",
    import_id text NOT NULL COLLATE pg_catalog."C",
    "row" integer NOT NULL,
    input jsonb,
    status text NOT NULL,
    name text,
    result_id text COLLATE pg_catalog."C",
    error jsonb,
    warnings jsonb,
    CONSTRAINT sheet_import_rows_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'created'::text, 'updated'::text, 'repeated'::text, 'failed'::text])))
);
CREATE TABLE public.sheet_imports (
    store_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL,
    total integer NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    completed_at timestamp with time zone,
    kind text NOT NULL,
    dry_run boolean DEFAULT false NOT NULL,
    ignored text[] DEFAULT '{}'::text[] NOT NULL,
    actor jsonb,
    CONSTRAINT product_imports_status_check CHECK ((status = ANY (ARRAY['processing'::text, 'completed'::text]))),
    CONSTRAINT sheet_imports_kind_check CHECK ((kind = ANY (ARRAY['products'::text, 'orders'::text])))
);
CREATE TABLE public.sheet_rows (
    connection_id text NOT NULL COLLATE pg_catalog."C",
    order_id text NOT NULL COLLATE pg_catalog."C",
    store_id text NOT NULL,
    stands text DEFAULT 'no'::text NOT NULL,
    wanted bigint DEFAULT 1 NOT NULL,
    written bigint DEFAULT 0 NOT NULL,
    order_version integer,
    said jsonb DEFAULT '{}'::jsonb NOT NULL,
    refusals integer DEFAULT 0 NOT NULL,
    retry_after timestamp with time zone,
    CONSTRAINT sheet_rows_stands_check CHECK ((stands = ANY (ARRAY['no'::text, 'maybe'::text, 'yes'::text, 'gone'::text])))
);
CREATE TABLE public.sheet_targets (
    connection_id text NOT NULL COLLATE pg_catalog."C",
    store_id text NOT NULL,
    generation text NOT NULL,
    spreadsheet_id text NOT NULL,
    tab_id text NOT NULL,
    key_header text NOT NULL,
    columns jsonb NOT NULL,
    statuses text[],
    since timestamp with time zone NOT NULL,
    fills_at timestamp with time zone,
    rests_until timestamp with time zone,
    failures integer DEFAULT 0 NOT NULL,
    problem text,
    problem_since timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT sheet_targets_check CHECK (((problem IS NULL) = (problem_since IS NULL)))
);
CREATE TABLE public.sheet_turns (
    file text NOT NULL,
    by text NOT NULL,
    until timestamp with time zone NOT NULL
);
CREATE TABLE public.stores (
    id text NOT NULL COLLATE pg_catalog."C",
    owner_id text NOT NULL,
    project_id text NOT NULL,
    name text NOT NULL,
    slug text NOT NULL,
    country_code text NOT NULL,
    currency_code text NOT NULL,
    phone text,
    email text,
    address text,
    settings jsonb DEFAULT '{}'::jsonb NOT NULL,
    metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    deleted_at timestamp with time zone
);
CREATE TABLE public.tenants (
    id integer NOT NULL,
    name text NOT NULL,
    owner_id text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    limits jsonb DEFAULT '{}'::jsonb NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    deletes_at timestamp with time zone,
    removing boolean DEFAULT false NOT NULL,
    CONSTRAINT tenants_check CHECK (((deletes_at IS NOT NULL) OR (NOT removing)))
);
CREATE VIEW public.shown_stores AS
 SELECT s.id,
    s.slug
   FROM ((public.stores s
     JOIN public.projects p ON ((p.id = s.project_id)))
     JOIN public.tenants t ON ((t.id = p.tenant_id)))
  WHERE ((s.deleted_at IS NULL) AND (t.deletes_at IS NULL));
CREATE TABLE public.social_identities (
    id text NOT NULL COLLATE pg_catalog."C",
    provider text NOT NULL,
    subject text NOT NULL,
    user_id text NOT NULL,
    email text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone DEFAULT now() NOT NULL,
    sealed_token text
);
CREATE TABLE public.social_spent_tokens (
    digest text NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.social_states (
    digest text NOT NULL,
    provider text NOT NULL,
    purpose text NOT NULL,
    browser text,
    user_id text,
    redirect_uri text NOT NULL,
    return_to text,
    challenge text,
    expires_at timestamp with time zone NOT NULL,
    session_id text,
    go_on_to text,
    CONSTRAINT social_states_bound CHECK (
CASE purpose
    WHEN 'sign_in'::text THEN (browser IS NOT NULL)
    ELSE (user_id IS NOT NULL)
END),
    CONSTRAINT social_states_go_on_to_check CHECK ((go_on_to ~ '^/[^/\\]'::text)),
    CONSTRAINT social_states_purpose_check CHECK ((purpose = ANY (ARRAY['sign_in'::text, 'link'::text])))
);
CREATE TABLE public.social_tickets (
    digest text NOT NULL,
    provider text NOT NULL,
    purpose text NOT NULL,
    profile jsonb NOT NULL,
    browser text,
    user_id text,
    challenge text,
    expires_at timestamp with time zone NOT NULL,
    session_id text,
    sealed_token text,
    go_on_to text,
    CONSTRAINT social_tickets_go_on_to_check CHECK ((go_on_to ~ '^/[^/\\]'::text)),
    CONSTRAINT social_tickets_purpose_check CHECK ((purpose = ANY (ARRAY['sign_in'::text, 'link'::text])))
);
CREATE TABLE public.states (
    country_code text NOT NULL,
    code text NOT NULL,
    name text NOT NULL,
    name_ar text,
    carrier_code text,
    id text NOT NULL COLLATE pg_catalog."C",
    enabled boolean DEFAULT true NOT NULL,
    catalogued boolean DEFAULT false NOT NULL,
    edited boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.status_rules (
    connection_id text NOT NULL,
    folded text NOT NULL COLLATE pg_catalog."C",
    raw text NOT NULL,
    status text,
    cash text,
    flag text,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.store_blocks (
    store_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    value jsonb NOT NULL,
    matched text NOT NULL,
    network cidr,
    reason text DEFAULT ''::text NOT NULL,
    blocked_by text,
    expires_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT store_blocks_check CHECK (((kind = 'ip'::text) = (network IS NOT NULL))),
    CONSTRAINT store_blocks_kind_check CHECK ((kind = ANY (ARRAY['phone'::text, 'address'::text, 'ip'::text])))
);
CREATE TABLE public.store_domains (
    store_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    host text NOT NULL,
    proof text NOT NULL,
    state text DEFAULT 'pending'::text NOT NULL,
    problem text,
    looks integer DEFAULT 0 NOT NULL,
    state_since timestamp with time zone DEFAULT now() NOT NULL,
    checked_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT store_domains_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'verified'::text, 'live'::text, 'failing'::text, 'failed'::text])))
);
CREATE TABLE public.store_invitations (
    store_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    email text NOT NULL,
    role text NOT NULL,
    token_hash text NOT NULL,
    status text DEFAULT 'open'::text NOT NULL,
    invited_by text,
    accepted_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    settled_at timestamp with time zone,
    permissions text[],
    CONSTRAINT store_invitations_check CHECK (((status = 'open'::text) = (settled_at IS NULL))),
    CONSTRAINT store_invitations_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'agent'::text, 'viewer'::text]))),
    CONSTRAINT store_invitations_status_check CHECK ((status = ANY (ARRAY['open'::text, 'accepted'::text, 'declined'::text, 'withdrawn'::text, 'expired'::text])))
);
CREATE TABLE public.store_landing_pages (
    store_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.store_members (
    store_id text NOT NULL,
    user_id text NOT NULL,
    role text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    permissions text[],
    CONSTRAINT store_members_owner_whole CHECK (((role <> 'owner'::text) OR (permissions IS NULL))),
    CONSTRAINT store_members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'agent'::text, 'viewer'::text])))
);
CREATE TABLE public.store_template_previews (
    store_id text NOT NULL,
    template_id text NOT NULL,
    data jsonb DEFAULT '{}'::jsonb NOT NULL,
    token_hash text NOT NULL,
    started_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.store_views (
    store_id text NOT NULL COLLATE pg_catalog."C",
    dimension text NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    at timestamp with time zone NOT NULL,
    views bigint NOT NULL,
    CONSTRAINT store_views_dimension_check CHECK ((dimension = ANY (ARRAY['store'::text, 'productId'::text, 'landingPageId'::text])))
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE public.subscription_credits (
    store_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    amount numeric(19,4) NOT NULL,
    currency text NOT NULL,
    about text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT subscription_credits_kind_check CHECK ((kind = ANY (ARRAY['payment'::text, 'refund'::text, 'in_app'::text, 'invoice'::text, 'admin'::text])))
);
CREATE TABLE public.subscription_invoices (
    store_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    reason text NOT NULL,
    plan text NOT NULL,
    rate numeric(19,4) NOT NULL,
    status text DEFAULT 'open'::text NOT NULL,
    currency text NOT NULL,
    total numeric(19,4) NOT NULL,
    lines jsonb NOT NULL,
    period_start timestamp with time zone,
    period_end timestamp with time zone,
    due_at timestamp with time zone NOT NULL,
    void_at timestamp with time zone,
    paid_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT subscription_invoices_check CHECK (((status = 'paid'::text) = (paid_at IS NOT NULL))),
    CONSTRAINT subscription_invoices_reason_check CHECK ((reason = ANY (ARRAY['start'::text, 'upgrade'::text, 'renewal'::text, 'extra_orders'::text]))),
    CONSTRAINT subscription_invoices_status_check CHECK ((status = ANY (ARRAY['open'::text, 'paid'::text, 'void'::text]))),
    CONSTRAINT subscription_invoices_total_check CHECK ((total >= (0)::numeric))
);
CREATE TABLE public.subscription_payments (
    store_id text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    connection_id text NOT NULL,
    gateway text NOT NULL,
    status text NOT NULL,
    amount numeric(19,4) NOT NULL,
    currency text NOT NULL,
    decimals smallint NOT NULL,
    paid numeric(19,4),
    refunded numeric(19,4) DEFAULT 0 NOT NULL,
    message text,
    external_id text,
    checkout_url text,
    return_to text,
    language text NOT NULL,
    expires_at timestamp with time zone,
    paid_at timestamp with time zone,
    asking_until timestamp with time zone,
    read_at timestamp with time zone,
    reads integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    directions jsonb,
    CONSTRAINT subscription_payments_amount_check CHECK ((amount > (0)::numeric)),
    CONSTRAINT subscription_payments_decimals_check CHECK (((decimals >= 0) AND (decimals <= 4))),
    CONSTRAINT subscription_payments_status_check CHECK ((status = ANY (ARRAY['created'::text, 'open'::text, 'processing'::text, 'authorized'::text, 'paid'::text, 'partially_refunded'::text, 'refunded'::text, 'failed'::text, 'cancelled'::text, 'expired'::text])))
);
CREATE TABLE public.subscription_receipts (
    shop text NOT NULL,
    transaction_id text NOT NULL,
    for_store text NOT NULL,
    product text NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    taken_back boolean DEFAULT false NOT NULL,
    CONSTRAINT subscription_receipts_shop_check CHECK ((shop = ANY (ARRAY['app_store'::text, 'play_store'::text])))
);
CREATE TABLE public.subscriptions (
    store_id text NOT NULL,
    plan text NOT NULL,
    status text NOT NULL,
    period_start timestamp with time zone,
    period_end timestamp with time zone,
    anchor timestamp with time zone,
    rate numeric(19,4) DEFAULT 0 NOT NULL,
    currency text NOT NULL,
    next_plan text,
    cancels boolean DEFAULT false NOT NULL,
    trial_used boolean DEFAULT false NOT NULL,
    look_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT subscriptions_check CHECK (((period_start IS NULL) = (period_end IS NULL))),
    CONSTRAINT subscriptions_check1 CHECK ((period_start < period_end)),
    CONSTRAINT subscriptions_rate_check CHECK ((rate >= (0)::numeric)),
    CONSTRAINT subscriptions_status_check CHECK ((status = ANY (ARRAY['trialing'::text, 'active'::text, 'past_due'::text, 'cancelled'::text, 'expired'::text])))
);
CREATE TABLE public.templates (
    store_id text,
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    category text DEFAULT ''::text NOT NULL,
    preview_url text,
    data jsonb DEFAULT '{}'::jsonb NOT NULL,
    published boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.tenant_members (
    tenant_id integer NOT NULL,
    user_id text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT tenant_members_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'member'::text])))
);
ALTER TABLE public.tenants ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.tenants_id_seq
    START WITH 1000
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.trigger_settings (
    name text NOT NULL,
    value interval NOT NULL
);
CREATE TABLE public.unknown_statuses (
    connection_id text NOT NULL,
    raw text NOT NULL,
    count integer DEFAULT 1 NOT NULL,
    last_seen_at timestamp with time zone DEFAULT now() NOT NULL,
    first_seen_at timestamp with time zone DEFAULT now() NOT NULL,
    sample_parcel_id text
);
CREATE TABLE public.users (
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    email text NOT NULL,
    email_verified boolean DEFAULT false NOT NULL,
    password_hash text NOT NULL,
    is_admin boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    deleted_at timestamp with time zone,
    language text,
    CONSTRAINT users_language_check CHECK ((language = ANY (ARRAY['en'::text, 'fr'::text, 'ar'::text])))
);
CREATE TABLE public.vault_mark (
    only_one boolean DEFAULT true NOT NULL,
    sealed text NOT NULL,
    made_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT vault_mark_only_one_check CHECK (only_one)
);
CREATE SEQUENCE public.webhook_deliveries_positions
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.webhook_deliveries (
    endpoint_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    project_id text NOT NULL,
    event_id text NOT NULL COLLATE pg_catalog."C",
    event_type text NOT NULL,
    "position" bigint DEFAULT nextval('public.webhook_deliveries_positions'::regclass) NOT NULL,
    order_key text,
    status text DEFAULT 'pending'::text NOT NULL,
    next_attempt_at timestamp with time zone DEFAULT now() NOT NULL,
    locked_until timestamp with time zone,
    attempt_count integer DEFAULT 0 NOT NULL,
    attempts jsonb DEFAULT '[]'::jsonb NOT NULL,
    redelivery_of text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    completed_at timestamp with time zone,
    locked_by bigint,
    CONSTRAINT webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text, 'cancelled'::text])))
)
PARTITION BY RANGE (id);
CREATE TABLE public.webhook_endpoints (
    id text NOT NULL COLLATE pg_catalog."C",
    project_id text NOT NULL,
    store_id text,
    url text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    events text[] NOT NULL,
    all_events boolean NOT NULL,
    event_names text[] NOT NULL,
    topic_patterns text[] NOT NULL,
    ordered boolean DEFAULT false NOT NULL,
    max_per_second integer,
    enabled boolean DEFAULT true NOT NULL,
    disabled_reason text,
    secrets jsonb NOT NULL,
    failing_since timestamp with time zone,
    last_failed_at timestamp with time zone,
    told_percent integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    cancelled_to bigint DEFAULT 0 NOT NULL,
    cancelling_since timestamp with time zone,
    topics text[] GENERATED ALWAYS AS (public.webhook_topics(events)) STORED NOT NULL,
    CONSTRAINT webhook_endpoints_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['by_owner'::text, 'gone'::text, 'failing'::text]))),
    CONSTRAINT webhook_endpoints_events_check CHECK ((cardinality(events) > 0)),
    CONSTRAINT webhook_endpoints_max_per_second_check CHECK ((max_per_second > 0))
);
CREATE TABLE public.webhook_notices (
    id text NOT NULL COLLATE pg_catalog."C",
    project_id text NOT NULL,
    endpoint_id text NOT NULL,
    kind text NOT NULL,
    percent integer NOT NULL,
    message text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT webhook_notices_kind_check CHECK ((kind = ANY (ARRAY['failing'::text, 'disabled_failing'::text, 'disabled_gone'::text])))
);
ALTER TABLE ONLY public.account_transfers
    ADD CONSTRAINT account_transfers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.account_transfers
    ADD CONSTRAINT account_transfers_token_hash_key UNIQUE (token_hash);
ALTER TABLE ONLY public.adapter_memory
    ADD CONSTRAINT adapter_memory_pkey PRIMARY KEY (connection_id, key);
ALTER TABLE ONLY public.admin_actions
    ADD CONSTRAINT admin_actions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ads_accounts
    ADD CONSTRAINT ads_accounts_pkey PRIMARY KEY (connection_id, id);
ALTER TABLE ONLY public.ads_events
    ADD CONSTRAINT ads_events_pkey PRIMARY KEY (connection_id, order_id, event, pixel_id);
ALTER TABLE ONLY public.ads_links
    ADD CONSTRAINT ads_links_connection_id_level_external_id_key UNIQUE (connection_id, level, external_id);
ALTER TABLE ONLY public.ads_links
    ADD CONSTRAINT ads_links_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ads_rules
    ADD CONSTRAINT ads_rules_connection_id_status_event_pixel_id_key UNIQUE (connection_id, status, event, pixel_id);
ALTER TABLE ONLY public.ads_rules
    ADD CONSTRAINT ads_rules_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ads_spend
    ADD CONSTRAINT ads_spend_pkey PRIMARY KEY (connection_id, account_id, day, ad_id);
ALTER TABLE ONLY public.ai_accounts
    ADD CONSTRAINT ai_accounts_pkey PRIMARY KEY (project_id, currency);
ALTER TABLE ONLY public.ai_entries
    ADD CONSTRAINT ai_entries_pkey PRIMARY KEY (project_id, id);
ALTER TABLE ONLY public.ai_task_files
    ADD CONSTRAINT ai_task_files_pkey PRIMARY KEY (task_id, file_id);
ALTER TABLE ONLY public.ai_tasks
    ADD CONSTRAINT ai_tasks_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.analytics_cells
    ADD CONSTRAINT analytics_cells_pkey PRIMARY KEY (store_id, dimension, day, key, status);
ALTER TABLE ONLY public.analytics_days
    ADD CONSTRAINT analytics_days_pkey PRIMARY KEY (store_id, day);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_key_hash_key UNIQUE (key_hash);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.app_user_data
    ADD CONSTRAINT app_user_data_pkey PRIMARY KEY (app_id, user_id);
ALTER TABLE ONLY public.apps
    ADD CONSTRAINT apps_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.audit_entries
    ADD CONSTRAINT audit_entries_pkey PRIMARY KEY (store_id, id);
ALTER TABLE ONLY public.carrier_places
    ADD CONSTRAINT carrier_places_pkey PRIMARY KEY (connection_id);
ALTER TABLE ONLY public.carrier_traces
    ADD CONSTRAINT carrier_traces_pkey PRIMARY KEY (connection_id, id, project_id);
ALTER TABLE ONLY public.cash_entries
    ADD CONSTRAINT cash_entries_pkey PRIMARY KEY (project_id, id);
ALTER TABLE ONLY public.cash_remittance_lines
    ADD CONSTRAINT cash_remittance_lines_pkey PRIMARY KEY (project_id, connection_id, remittance_id, line);
ALTER TABLE ONLY public.cash_remittances
    ADD CONSTRAINT cash_remittances_pkey PRIMARY KEY (project_id, connection_id, id);
ALTER TABLE ONLY public.cash_sheet_columns
    ADD CONSTRAINT cash_sheet_columns_pkey PRIMARY KEY (connection_id);
ALTER TABLE ONLY public.catalog_feeds
    ADD CONSTRAINT catalog_feeds_digest_key UNIQUE (digest);
ALTER TABLE ONLY public.catalog_feeds
    ADD CONSTRAINT catalog_feeds_pkey PRIMARY KEY (store_id, platform);
ALTER TABLE ONLY public.categories
    ADD CONSTRAINT categories_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.categories
    ADD CONSTRAINT categories_store_id_id_key UNIQUE (store_id, id);
ALTER TABLE ONLY public.categories
    ADD CONSTRAINT categories_store_id_slug_key UNIQUE (store_id, slug);
ALTER TABLE ONLY public.channel_callbacks
    ADD CONSTRAINT channel_callbacks_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.channel_goods
    ADD CONSTRAINT channel_goods_id_key UNIQUE (id);
ALTER TABLE ONLY public.channel_goods
    ADD CONSTRAINT channel_goods_pkey PRIMARY KEY (connection_id, key);
ALTER TABLE ONLY public.channel_links
    ADD CONSTRAINT channel_links_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.channel_marks
    ADD CONSTRAINT channel_marks_pkey PRIMARY KEY (connection_id, channel_order_id, id);
ALTER TABLE ONLY public.channel_orders
    ADD CONSTRAINT channel_orders_id_key UNIQUE (id);
ALTER TABLE ONLY public.channel_orders
    ADD CONSTRAINT channel_orders_pkey PRIMARY KEY (connection_id, external_id);
ALTER TABLE ONLY public.channel_stock
    ADD CONSTRAINT channel_stock_pkey PRIMARY KEY (connection_id, sku);
ALTER TABLE ONLY public.channels
    ADD CONSTRAINT channels_pkey PRIMARY KEY (connection_id);
ALTER TABLE ONLY public.chat_conversations
    ADD CONSTRAINT chat_conversations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.chat_generation_parts
    ADD CONSTRAINT chat_generation_parts_pkey PRIMARY KEY (generation_id, seq);
ALTER TABLE ONLY public.chat_generations
    ADD CONSTRAINT chat_generations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.chat_messages
    ADD CONSTRAINT chat_messages_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.chat_proposals
    ADD CONSTRAINT chat_proposals_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.chat_queue
    ADD CONSTRAINT chat_queue_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.chat_rules
    ADD CONSTRAINT chat_rules_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.chat_skill_versions
    ADD CONSTRAINT chat_skill_versions_pkey PRIMARY KEY (skill_id, version);
ALTER TABLE ONLY public.chat_skills
    ADD CONSTRAINT chat_skills_name UNIQUE (store_id, user_id, name);
ALTER TABLE ONLY public.chat_skills
    ADD CONSTRAINT chat_skills_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.cities
    ADD CONSTRAINT cities_id_key UNIQUE (id);
ALTER TABLE ONLY public.cities
    ADD CONSTRAINT cities_pkey PRIMARY KEY (country_code, code);
ALTER TABLE ONLY public.confirmation_calls
    ADD CONSTRAINT confirmation_calls_pkey PRIMARY KEY (store_id, order_id, id);
ALTER TABLE ONLY public.confirmation_queue
    ADD CONSTRAINT confirmation_queue_pkey PRIMARY KEY (store_id, order_id);
ALTER TABLE ONLY public.confirmation_uses
    ADD CONSTRAINT confirmation_uses_pkey PRIMARY KEY (store_id);
ALTER TABLE ONLY public.countries
    ADD CONSTRAINT countries_id_key UNIQUE (id);
ALTER TABLE ONLY public.countries
    ADD CONSTRAINT countries_pkey PRIMARY KEY (code);
ALTER TABLE ONLY public.currencies
    ADD CONSTRAINT currencies_code_key UNIQUE (code);
ALTER TABLE ONLY public.currencies
    ADD CONSTRAINT currencies_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.customers
    ADD CONSTRAINT customers_pkey PRIMARY KEY (store_id, phone);
ALTER TABLE ONLY public.dispatch_rules
    ADD CONSTRAINT dispatch_rules_pkey PRIMARY KEY (store_id);
ALTER TABLE ONLY public.dispatches
    ADD CONSTRAINT dispatches_pkey PRIMARY KEY (store_id, id);
ALTER TABLE ONLY public.erasures
    ADD CONSTRAINT erasures_pkey PRIMARY KEY (store_id, id);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (project_id, id);
ALTER TABLE ONLY public.feedbacks
    ADD CONSTRAINT feedbacks_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_key_key UNIQUE (key);
ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.gateway_payout_lines
    ADD CONSTRAINT gateway_payout_lines_pkey PRIMARY KEY (payout_id, id);
ALTER TABLE ONLY public.gateway_payouts
    ADD CONSTRAINT gateway_payouts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.geo_borders
    ADD CONSTRAINT geo_borders_pkey PRIMARY KEY (country_code, kind, code);
ALTER TABLE ONLY public.geo_catalogue
    ADD CONSTRAINT geo_catalogue_pkey PRIMARY KEY (country_code);
ALTER TABLE ONLY public.geo_imported
    ADD CONSTRAINT geo_imported_pkey PRIMARY KEY (country_code, kind, code);
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (owner, key, created_at);
ALTER TABLE ONLY public.image_generations
    ADD CONSTRAINT image_generations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.image_prompt_templates
    ADD CONSTRAINT image_prompt_templates_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.imported_orders
    ADD CONSTRAINT imported_orders_pkey PRIMARY KEY (store_id, key);
ALTER TABLE ONLY public.integrations
    ADD CONSTRAINT integrations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.inventory_balances
    ADD CONSTRAINT inventory_balances_pkey PRIMARY KEY (project_id, namespace, key, batch);
ALTER TABLE ONLY public.inventory_movements
    ADD CONSTRAINT inventory_movements_pkey PRIMARY KEY (project_id, operation_id, line, created_at);
ALTER TABLE ONLY public.inventory_operations
    ADD CONSTRAINT inventory_operations_pkey PRIMARY KEY (project_id, id);
ALTER TABLE ONLY public.inventory_reservation_lines
    ADD CONSTRAINT inventory_reservation_lines_pkey PRIMARY KEY (project_id, reservation_id, line);
ALTER TABLE ONLY public.inventory_reservations
    ADD CONSTRAINT inventory_reservations_pkey PRIMARY KEY (project_id, id);
ALTER TABLE ONLY public.inventory_reversals
    ADD CONSTRAINT inventory_reversals_pkey PRIMARY KEY (project_id, reverses_id);
ALTER TABLE ONLY public.landing_jobs
    ADD CONSTRAINT landing_jobs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mails
    ADD CONSTRAINT mails_once_key UNIQUE (once);
ALTER TABLE ONLY public.mails
    ADD CONSTRAINT mails_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mcp_secrets
    ADD CONSTRAINT mcp_secrets_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mcp_secrets
    ADD CONSTRAINT mcp_secrets_server_id_kind_user_id_issuer_key UNIQUE NULLS NOT DISTINCT (server_id, kind, user_id, issuer);
ALTER TABLE ONLY public.mcp_servers
    ADD CONSTRAINT mcp_servers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mcp_sign_ins
    ADD CONSTRAINT mcp_sign_ins_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.notifications
    ADD CONSTRAINT notifications_pkey PRIMARY KEY (user_id, id);
ALTER TABLE ONLY public.oauth_access_tokens
    ADD CONSTRAINT oauth_access_tokens_pkey PRIMARY KEY (digest, week);
ALTER TABLE ONLY public.oauth_codes
    ADD CONSTRAINT oauth_codes_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.oauth_grants
    ADD CONSTRAINT oauth_grants_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.oauth_refresh_tokens
    ADD CONSTRAINT oauth_refresh_tokens_pkey PRIMARY KEY (digest, week);
ALTER TABLE ONLY public.oauth_requests
    ADD CONSTRAINT oauth_requests_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.oauth_states
    ADD CONSTRAINT oauth_states_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.oauth_tokens
    ADD CONSTRAINT oauth_tokens_pkey PRIMARY KEY (connection_id);
ALTER TABLE ONLY public.one_time_codes
    ADD CONSTRAINT one_time_codes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.one_time_codes
    ADD CONSTRAINT one_time_codes_token_hash_key UNIQUE (token_hash);
ALTER TABLE ONLY public.options
    ADD CONSTRAINT options_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.order_items
    ADD CONSTRAINT order_items_pkey PRIMARY KEY (store_id, order_id, line);
ALTER TABLE ONLY public.order_part_lines
    ADD CONSTRAINT order_part_lines_pkey PRIMARY KEY (store_id, order_id, part_id, line);
ALTER TABLE ONLY public.order_parts
    ADD CONSTRAINT order_parts_pkey PRIMARY KEY (store_id, order_id, id);
ALTER TABLE ONLY public.order_return_lines
    ADD CONSTRAINT order_return_lines_pkey PRIMARY KEY (store_id, order_id, return_id, line);
ALTER TABLE ONLY public.order_returns
    ADD CONSTRAINT order_returns_pkey PRIMARY KEY (store_id, order_id, id);
ALTER TABLE ONLY public.order_status_changes
    ADD CONSTRAINT order_status_changes_pkey PRIMARY KEY (store_id, order_id, id);
ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_pkey PRIMARY KEY (store_id, id);
ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_store_id_reference_key UNIQUE (store_id, reference);
ALTER TABLE ONLY public.pages
    ADD CONSTRAINT pages_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.pages
    ADD CONSTRAINT pages_store_id_slug_key UNIQUE (store_id, slug);
ALTER TABLE ONLY public.parcel_batch_rows
    ADD CONSTRAINT parcel_batch_rows_pkey PRIMARY KEY (project_id, batch_id, "row");
ALTER TABLE ONLY public.parcel_batches
    ADD CONSTRAINT parcel_batches_pkey PRIMARY KEY (project_id, id);
ALTER TABLE ONLY public.parcel_events
    ADD CONSTRAINT parcel_events_pkey PRIMARY KEY (project_id, parcel_id, id);
ALTER TABLE ONLY public.parcel_reports
    ADD CONSTRAINT parcel_reports_pkey PRIMARY KEY (project_id, parcel_id, event_key);
ALTER TABLE ONLY public.parcel_turns
    ADD CONSTRAINT parcel_turns_pkey PRIMARY KEY (project_id, parcel_id);
ALTER TABLE ONLY public.parcels
    ADD CONSTRAINT parcels_pkey PRIMARY KEY (project_id, id);
ALTER TABLE ONLY public.parcels
    ADD CONSTRAINT parcels_project_id_reference_key UNIQUE (project_id, reference);
ALTER TABLE ONLY public.passkey_challenges
    ADD CONSTRAINT passkey_challenges_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.payment_news
    ADD CONSTRAINT payment_news_pkey PRIMARY KEY (connection_id, digest);
ALTER TABLE ONLY public.payment_proofs
    ADD CONSTRAINT payment_proofs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.payment_refunds
    ADD CONSTRAINT payment_refunds_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.payout_pulls
    ADD CONSTRAINT payout_pulls_pkey PRIMARY KEY (connection_id);
ALTER TABLE ONLY public.pickup_sources
    ADD CONSTRAINT pickup_sources_pkey PRIMARY KEY (connection_id);
ALTER TABLE ONLY public.pickups
    ADD CONSTRAINT pickups_pkey PRIMARY KEY (connection_id, center_id);
ALTER TABLE ONLY public.plans
    ADD CONSTRAINT plans_app_store_product UNIQUE (app_store_product);
ALTER TABLE ONLY public.plans
    ADD CONSTRAINT plans_code UNIQUE (code);
ALTER TABLE ONLY public.plans
    ADD CONSTRAINT plans_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.plans
    ADD CONSTRAINT plans_play_store_product UNIQUE (play_store_product);
ALTER TABLE ONLY public.processes
    ADD CONSTRAINT processes_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.sheet_import_rows
    ADD CONSTRAINT product_import_rows_pkey PRIMARY KEY (store_id, import_id, "row");
ALTER TABLE ONLY public.sheet_imports
    ADD CONSTRAINT product_imports_pkey PRIMARY KEY (store_id, id);
ALTER TABLE ONLY public.product_keys
    ADD CONSTRAINT product_keys_pkey PRIMARY KEY (store_id, key);
ALTER TABLE ONLY public.product_landing_page_templates
    ADD CONSTRAINT product_landing_page_templates_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.product_skus
    ADD CONSTRAINT product_skus_pkey PRIMARY KEY (store_id, sku);
ALTER TABLE ONLY public.products
    ADD CONSTRAINT products_pkey PRIMARY KEY (store_id, id);
ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.promo_redemptions
    ADD CONSTRAINT promo_redemptions_pkey PRIMARY KEY (store_id, order_id);
ALTER TABLE ONLY public.promos
    ADD CONSTRAINT promos_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.proxy_hosts
    ADD CONSTRAINT proxy_hosts_pkey PRIMARY KEY (store_id);
ALTER TABLE ONLY public.recipient_outcomes
    ADD CONSTRAINT recipient_outcomes_pkey PRIMARY KEY (project_id, parcel_id);
ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, digest);
ALTER TABLE ONLY public.revocations
    ADD CONSTRAINT revocations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.row_sources
    ADD CONSTRAINT row_sources_pkey PRIMARY KEY (connection_id);
ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.second_factors
    ADD CONSTRAINT second_factors_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.session_tokens
    ADD CONSTRAINT session_tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.session_tokens
    ADD CONSTRAINT session_tokens_token_hash_key UNIQUE (token_hash);
ALTER TABLE ONLY public.sheet_rows
    ADD CONSTRAINT sheet_rows_pkey PRIMARY KEY (connection_id, order_id);
ALTER TABLE ONLY public.sheet_targets
    ADD CONSTRAINT sheet_targets_pkey PRIMARY KEY (connection_id);
ALTER TABLE ONLY public.sheet_turns
    ADD CONSTRAINT sheet_turns_pkey PRIMARY KEY (file);
ALTER TABLE ONLY public.social_identities
    ADD CONSTRAINT social_identities_person UNIQUE (user_id, provider);
ALTER TABLE ONLY public.social_identities
    ADD CONSTRAINT social_identities_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.social_identities
    ADD CONSTRAINT social_identities_subject UNIQUE (provider, subject);
ALTER TABLE ONLY public.social_spent_tokens
    ADD CONSTRAINT social_spent_tokens_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.social_states
    ADD CONSTRAINT social_states_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.social_tickets
    ADD CONSTRAINT social_tickets_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.states
    ADD CONSTRAINT states_id_key UNIQUE (id);
ALTER TABLE ONLY public.states
    ADD CONSTRAINT states_pkey PRIMARY KEY (country_code, code);
ALTER TABLE ONLY public.status_rules
    ADD CONSTRAINT status_rules_pkey PRIMARY KEY (connection_id, folded);
ALTER TABLE ONLY public.store_blocks
    ADD CONSTRAINT store_blocks_matched UNIQUE (store_id, kind, matched);
ALTER TABLE ONLY public.store_blocks
    ADD CONSTRAINT store_blocks_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.store_domains
    ADD CONSTRAINT store_domains_one UNIQUE (store_id);
ALTER TABLE ONLY public.store_domains
    ADD CONSTRAINT store_domains_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.store_invitations
    ADD CONSTRAINT store_invitations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.store_landing_pages
    ADD CONSTRAINT store_landing_pages_pkey PRIMARY KEY (store_id, id);
ALTER TABLE ONLY public.store_members
    ADD CONSTRAINT store_members_pkey PRIMARY KEY (store_id, user_id);
ALTER TABLE ONLY public.store_template_previews
    ADD CONSTRAINT store_template_previews_pkey PRIMARY KEY (store_id);
ALTER TABLE ONLY public.store_views
    ADD CONSTRAINT store_views_pkey PRIMARY KEY (store_id, dimension, key, at);
ALTER TABLE ONLY public.stores
    ADD CONSTRAINT stores_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.stores
    ADD CONSTRAINT stores_project_id_key UNIQUE (project_id);
ALTER TABLE ONLY public.stores
    ADD CONSTRAINT stores_slug_key UNIQUE (slug);
ALTER TABLE ONLY public.subscription_credits
    ADD CONSTRAINT subscription_credits_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.subscription_invoices
    ADD CONSTRAINT subscription_invoices_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.subscription_payments
    ADD CONSTRAINT subscription_payments_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.subscription_receipts
    ADD CONSTRAINT subscription_receipts_pkey PRIMARY KEY (shop, transaction_id);
ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_pkey PRIMARY KEY (store_id);
ALTER TABLE ONLY public.templates
    ADD CONSTRAINT templates_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.tenant_members
    ADD CONSTRAINT tenant_members_pkey PRIMARY KEY (tenant_id, user_id);
ALTER TABLE ONLY public.tenants
    ADD CONSTRAINT tenants_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.trigger_settings
    ADD CONSTRAINT trigger_settings_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.unknown_statuses
    ADD CONSTRAINT unknown_statuses_pkey PRIMARY KEY (connection_id, raw);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.vault_mark
    ADD CONSTRAINT vault_mark_pkey PRIMARY KEY (only_one);
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (project_id, endpoint_id, id);
ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhook_notices
    ADD CONSTRAINT webhook_notices_pkey PRIMARY KEY (id);
CREATE INDEX account_transfers_created_at_idx ON public.account_transfers USING btree (created_at);
CREATE UNIQUE INDEX account_transfers_open ON public.account_transfers USING btree (from_id) WHERE (status = 'open'::text);
CREATE INDEX admin_actions_user_id_id_idx ON public.admin_actions USING btree (user_id, id);
CREATE INDEX ads_accounts_due_at_idx ON public.ads_accounts USING btree (due_at);
CREATE INDEX ads_events_connection_id_due_at_idx ON public.ads_events USING btree (connection_id, due_at) WHERE (state = 'waiting'::text);
CREATE INDEX ads_events_due_at_idx ON public.ads_events USING btree (due_at) WHERE (state = 'waiting'::text);
CREATE INDEX ads_events_settled_at_idx ON public.ads_events USING btree (settled_at) WHERE (state <> 'waiting'::text);
CREATE INDEX ads_links_connection_id_id_idx ON public.ads_links USING btree (connection_id, id);
CREATE INDEX ads_rules_store_id_status_idx ON public.ads_rules USING btree (store_id, status);
CREATE INDEX ads_spend_day ON public.ads_spend USING btree (day);
CREATE UNIQUE INDEX ai_entries_once ON public.ai_entries USING btree (task_id, kind) WHERE (task_id IS NOT NULL);
CREATE INDEX ai_entries_project_id_currency_id_idx ON public.ai_entries USING btree (project_id, currency, id);
CREATE INDEX ai_task_files_file_id_idx ON public.ai_task_files USING btree (file_id);
CREATE INDEX ai_task_files_project_id_idx ON public.ai_task_files USING btree (project_id);
CREATE INDEX ai_tasks_doubtful ON public.ai_tasks USING btree (id) WHERE (state = 'reconciliation_required'::text);
CREATE INDEX ai_tasks_kept ON public.ai_tasks USING btree (ended_at) WHERE ((input IS NOT NULL) AND (ended_at IS NOT NULL));
CREATE INDEX ai_tasks_project_id_currency_idx ON public.ai_tasks USING btree (project_id, currency);
CREATE INDEX ai_tasks_project_id_id_idx ON public.ai_tasks USING btree (project_id, id);
CREATE INDEX ai_tasks_project_id_model_id_idx ON public.ai_tasks USING btree (project_id, model, id);
CREATE INDEX ai_tasks_project_id_state_id_idx ON public.ai_tasks USING btree (project_id, state, id);
CREATE INDEX analytics_cells_of_key ON public.analytics_cells USING btree (store_id, dimension, key, day);
CREATE INDEX analytics_marks_store_id_at_idx ON public.analytics_marks USING btree (store_id, at);
CREATE INDEX api_keys_created_by_idx ON public.api_keys USING btree (created_by) WHERE (revoked_at IS NULL);
CREATE INDEX api_keys_project_id_id_idx ON public.api_keys USING btree (project_id, id);
CREATE INDEX api_keys_project_id_name_id_idx ON public.api_keys USING btree (project_id, name, id);
CREATE INDEX app_user_data_user_id_idx ON public.app_user_data USING btree (user_id);
CREATE UNIQUE INDEX apps_document ON public.apps USING btree (document_url) WHERE (document_url IS NOT NULL);
CREATE INDEX apps_owner_id_id_idx ON public.apps USING btree (owner_id, id);
CREATE INDEX apps_registered ON public.apps USING btree (created_at) WHERE (registration IS NOT NULL);
CREATE INDEX audit_entries_by ON ONLY public.audit_entries USING btree (store_id, by_id, id);
CREATE INDEX audit_entries_thing ON ONLY public.audit_entries USING btree (store_id, thing, id);
CREATE INDEX audit_entries_what ON ONLY public.audit_entries USING btree (store_id, what, id);
CREATE INDEX carrier_calls_account ON public.carrier_calls USING btree (connection_id, at DESC);
CREATE INDEX carrier_calls_expired ON public.carrier_calls USING btree (expires_at);
CREATE INDEX carrier_traces_parcel_ids_idx ON ONLY public.carrier_traces USING gin (parcel_ids) WITH (fastupdate='on');
CREATE INDEX carrier_traces_project ON ONLY public.carrier_traces USING btree (project_id, connection_id, id);
CREATE INDEX cash_entries_connection_id_at_idx ON public.cash_entries USING btree (connection_id, at);
CREATE INDEX cash_entries_connection_id_remittance_id_idx ON public.cash_entries USING btree (connection_id, remittance_id) WHERE (remittance_id IS NOT NULL);
CREATE INDEX cash_entries_delivered ON public.cash_entries USING btree (connection_id, at, id) WHERE (stands AND (kind = 'delivered'::text));
CREATE INDEX cash_entries_of_payout_undone ON public.cash_entries USING btree (payout_id) WHERE (payout_id IS NOT NULL);
CREATE UNIQUE INDEX cash_entries_once ON public.cash_entries USING btree (project_id, parcel_id, kind, COALESCE(takes_back_id, (0)::bigint)) WHERE (stands AND (parcel_id IS NOT NULL));
CREATE UNIQUE INDEX cash_entries_paid_once ON public.cash_entries USING btree (payment_id, kind, COALESCE(refund_id, ''::text), project_id) WHERE (stands AND (payment_id IS NOT NULL));
CREATE UNIQUE INDEX cash_entries_paid_out_once ON public.cash_entries USING btree (payout_id, payout_line_id, project_id) WHERE (stands AND (payout_id IS NOT NULL));
CREATE UNIQUE INDEX cash_entries_taken_back_once ON public.cash_entries USING btree (project_id, takes_back_id) WHERE (stands AND (takes_back_id IS NOT NULL));
CREATE UNIQUE INDEX cash_entries_undone_once ON public.cash_entries USING btree (project_id, undoes_id) WHERE (undoes_id IS NOT NULL);
CREATE INDEX cash_remittance_lines_parcel_id_idx ON public.cash_remittance_lines USING btree (parcel_id) WHERE (parcel_id IS NOT NULL);
CREATE INDEX cash_remittance_lines_project_id_connection_id_folded_idx ON public.cash_remittance_lines USING btree (project_id, connection_id, folded);
CREATE INDEX cash_remittance_lines_project_id_connection_id_reference_idx ON public.cash_remittance_lines USING btree (project_id, connection_id, reference) WHERE (reference IS NOT NULL);
CREATE UNIQUE INDEX cash_remittances_project_id_connection_id_file_hash_idx ON public.cash_remittances USING btree (project_id, connection_id, file_hash) WHERE (file_hash IS NOT NULL);
CREATE INDEX cash_remittances_project_id_connection_id_paid_at_id_idx ON public.cash_remittances USING btree (project_id, connection_id, paid_at, id);
CREATE INDEX categories_children ON public.categories USING btree (store_id, parent_id, id);
CREATE INDEX categories_name ON public.categories USING btree (store_id, name, id);
CREATE INDEX categories_position ON public.categories USING btree (store_id, "position", id);
CREATE INDEX categories_words ON public.categories USING gin (public.folded(name) public.gin_trgm_ops);
CREATE INDEX channel_callbacks_of ON public.channel_callbacks USING btree (connection_id, received_at);
CREATE INDEX channel_callbacks_received_at_idx ON public.channel_callbacks USING btree (received_at);
CREATE INDEX channel_callbacks_unworked ON public.channel_callbacks USING btree (id) WHERE (worked_at IS NULL);
CREATE INDEX channel_goods_connection_id_id_idx ON public.channel_goods USING btree (connection_id, id);
CREATE INDEX channel_links_expires_at_idx ON public.channel_links USING btree (expires_at);
CREATE INDEX channel_marks_at_idx ON public.channel_marks USING btree (at);
CREATE INDEX channel_orders_connection_id_id_idx ON public.channel_orders USING btree (connection_id, id);
CREATE UNIQUE INDEX channel_orders_store_id_order_id_idx ON public.channel_orders USING btree (store_id, order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX channel_orders_waiting ON public.channel_orders USING btree (connection_id, id) WHERE (state = 'waiting'::text);
CREATE INDEX channel_orders_why ON public.channel_orders USING btree (connection_id, why, id) WHERE (why IS NOT NULL);
CREATE INDEX channel_stock_store_id_idx ON public.channel_stock USING btree (store_id);
CREATE INDEX channels_account ON public.channels USING btree (account) WHERE (account IS NOT NULL);
CREATE INDEX channels_next_pull_at_idx ON public.channels USING btree (next_pull_at);
CREATE INDEX chat_conversations_store_id_user_id_id_idx ON public.chat_conversations USING btree (store_id, user_id, id);
CREATE INDEX chat_conversations_user_id_idx ON public.chat_conversations USING btree (user_id);
CREATE INDEX chat_generation_parts_store_id_idx ON public.chat_generation_parts USING btree (store_id);
CREATE INDEX chat_generations_conversation_id_idx ON public.chat_generations USING btree (conversation_id);
CREATE INDEX chat_generations_ended_at_idx ON public.chat_generations USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX chat_generations_id_idx ON public.chat_generations USING btree (id) WHERE (state = 'running'::text);
CREATE INDEX chat_generations_message_id_idx ON public.chat_generations USING btree (message_id);
CREATE UNIQUE INDEX chat_generations_running ON public.chat_generations USING btree (conversation_id) WHERE (state = 'running'::text);
CREATE INDEX chat_generations_store_id_idx ON public.chat_generations USING btree (store_id);
CREATE INDEX chat_generations_user_id_idx ON public.chat_generations USING btree (user_id);
CREATE INDEX chat_messages_conversation_id_id_idx ON public.chat_messages USING btree (conversation_id, id);
CREATE INDEX chat_messages_parent_id_idx ON public.chat_messages USING btree (parent_id);
CREATE INDEX chat_messages_store_id_idx ON public.chat_messages USING btree (store_id);
CREATE INDEX chat_proposals_age ON public.chat_proposals USING btree (COALESCE(decided_at, created_at));
CREATE INDEX chat_proposals_generation_id_idx ON public.chat_proposals USING btree (generation_id);
CREATE INDEX chat_proposals_store_id_idx ON public.chat_proposals USING btree (store_id);
CREATE INDEX chat_proposals_user_id_idx ON public.chat_proposals USING btree (user_id);
CREATE INDEX chat_queue_conversation_id_position_id_idx ON public.chat_queue USING btree (conversation_id, "position", id);
CREATE INDEX chat_queue_store_id_idx ON public.chat_queue USING btree (store_id);
CREATE INDEX chat_rules_store_id_id_idx ON public.chat_rules USING btree (store_id, id);
CREATE INDEX chat_rules_user_id_idx ON public.chat_rules USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX chat_skill_versions_store_id_idx ON public.chat_skill_versions USING btree (store_id);
CREATE INDEX chat_skills_id_idx ON public.chat_skills USING btree (id) WHERE (published_version IS NOT NULL);
CREATE INDEX chat_skills_user_id_idx ON public.chat_skills USING btree (user_id);
CREATE INDEX cities_country_code_current_state_code_idx ON public.cities USING btree (country_code, current_state_code);
CREATE INDEX cities_country_code_postal_code_idx ON public.cities USING btree (country_code, postal_code);
CREATE INDEX cities_country_code_state_code_idx ON public.cities USING btree (country_code, state_code);
CREATE INDEX cities_folded ON public.cities USING gin (folded public.gin_trgm_ops);
CREATE INDEX cities_id ON public.cities USING btree (country_code, state_code, id);
CREATE INDEX cities_name ON public.cities USING btree (country_code, state_code, name, id);
CREATE INDEX cities_updated ON public.cities USING btree (country_code, state_code, updated_at, id);
CREATE INDEX cities_words ON public.cities USING gin (public.folded(name) public.gin_trgm_ops);
CREATE INDEX confirmation_queue_store_id_assigned_to_due_at_order_id_idx ON public.confirmation_queue USING btree (store_id, assigned_to, due_at, order_id);
CREATE INDEX confirmation_queue_store_id_due_at_order_id_idx ON public.confirmation_queue USING btree (store_id, due_at, order_id);
CREATE INDEX confirmation_queue_store_id_leased_by_idx ON public.confirmation_queue USING btree (store_id, leased_by) WHERE (leased_by IS NOT NULL);
CREATE INDEX countries_name ON public.countries USING btree (name, id);
CREATE INDEX countries_updated ON public.countries USING btree (updated_at, id);
CREATE INDEX countries_words ON public.countries USING gin (public.folded(name) public.gin_trgm_ops);
CREATE INDEX currencies_code ON public.currencies USING btree (code, id);
CREATE INDEX currencies_name ON public.currencies USING btree (name, id);
CREATE INDEX currencies_updated ON public.currencies USING btree (updated_at, id);
CREATE INDEX currencies_words ON public.currencies USING gin (public.folded(name) public.gin_trgm_ops);
CREATE INDEX customers_email ON public.customers USING btree (store_id, lower(email)) WHERE (email IS NOT NULL);
CREATE UNIQUE INDEX customers_id ON public.customers USING btree (store_id, id);
CREATE INDEX customers_listed ON public.customers USING btree (store_id, id) WHERE ((merged_into IS NULL) AND (erased_at IS NULL));
CREATE INDEX customers_merged ON public.customers USING btree (store_id, merged_into) WHERE (merged_into IS NOT NULL);
CREATE INDEX customers_name ON public.customers USING btree (store_id, name, id) WHERE ((merged_into IS NULL) AND (erased_at IS NULL));
CREATE INDEX customers_words ON public.customers USING gin (public.folded(((((((name || ' '::text) || phone) || ' '::text) || COALESCE(phone_alt, ''::text)) || ' '::text) || COALESCE(email, ''::text))) public.gin_trgm_ops);
CREATE INDEX dispatches_age ON public.dispatches USING btree (at) WHERE (outcome <> 'running'::text);
CREATE INDEX dispatches_order ON public.dispatches USING btree (store_id, order_id, id);
CREATE UNIQUE INDEX dispatches_running ON public.dispatches USING btree (store_id, order_id) WHERE (outcome = 'running'::text);
CREATE INDEX dispatches_shares ON public.dispatches USING btree (store_id, rule, at) INCLUDE (carrier) WHERE (carrier IS NOT NULL);
CREATE INDEX erasures_open ON public.erasures USING btree (asked_at) WHERE (swept_at IS NULL);
CREATE INDEX feedbacks_store_id_id_idx ON public.feedbacks USING btree (store_id, id);
CREATE INDEX feedbacks_store_id_order_id_idx ON public.feedbacks USING btree (store_id, order_id);
CREATE INDEX feedbacks_store_id_product_id_id_idx ON public.feedbacks USING btree (store_id, product_id, id);
CREATE INDEX feedbacks_store_id_rating_id_idx ON public.feedbacks USING btree (store_id, rating, id);
CREATE INDEX feedbacks_store_id_status_id_idx ON public.feedbacks USING btree (store_id, status, id);
CREATE INDEX feedbacks_store_id_updated_at_id_idx ON public.feedbacks USING btree (store_id, updated_at, id);
CREATE INDEX feedbacks_words ON public.feedbacks USING gin (public.folded(text) public.gin_trgm_ops);
CREATE INDEX files_of_person ON public.files USING btree (user_id, id) INCLUDE (bytes) WHERE (user_id IS NOT NULL);
CREATE INDEX files_of_project ON public.files USING btree (project_id, id) INCLUDE (bytes) WHERE (project_id IS NOT NULL);
CREATE INDEX files_of_store ON public.files USING btree (store_id, id) INCLUDE (bytes) WHERE (store_id IS NOT NULL);
CREATE UNIQUE INDEX gateway_payout_lines_given_once ON public.gateway_payout_lines USING btree (refund_id) WHERE (stands AND (kind = 'refund'::text) AND (outcome = ANY (ARRAY['matched'::text, 'differs'::text, 'other_currency'::text])));
CREATE UNIQUE INDEX gateway_payout_lines_in_order ON public.gateway_payout_lines USING btree (payout_id, line);
CREATE INDEX gateway_payout_lines_of_payment ON public.gateway_payout_lines USING btree (payment_id) WHERE (payment_id IS NOT NULL);
CREATE UNIQUE INDEX gateway_payout_lines_paid_once ON public.gateway_payout_lines USING btree (payment_id) WHERE (stands AND (kind = 'payment'::text) AND (outcome = ANY (ARRAY['matched'::text, 'differs'::text, 'other_currency'::text])));
CREATE UNIQUE INDEX gateway_payout_lines_told_once ON public.gateway_payout_lines USING btree (payout_id, external_id);
CREATE INDEX gateway_payout_lines_waiting ON public.gateway_payout_lines USING btree (payout_id, line) WHERE (settled_at IS NULL);
CREATE INDEX gateway_payouts_by_status ON public.gateway_payouts USING btree (store_id, status, id);
CREATE UNIQUE INDEX gateway_payouts_external ON public.gateway_payouts USING btree (connection_id, external_id);
CREATE INDEX gateway_payouts_of_store ON public.gateway_payouts USING btree (store_id, id);
CREATE INDEX gateway_payouts_open ON public.gateway_payouts USING btree (connection_id, id) WHERE ((NOT complete) OR (waiting > 0) OR ((state = 'posted'::text) <> (status = 'paid'::text)));
CREATE INDEX gateway_payouts_waiting ON public.gateway_payouts USING btree (store_id, id) WHERE (waiting > 0);
CREATE INDEX geo_borders_country_code_kind_state_code_idx ON public.geo_borders USING btree (country_code, kind, state_code);
CREATE INDEX image_generations_shown ON public.image_generations USING btree (id) WHERE (published AND (status = 'done'::text));
CREATE INDEX image_generations_store_id_id_idx ON public.image_generations USING btree (store_id, id);
CREATE INDEX image_generations_store_id_name_id_idx ON public.image_generations USING btree (store_id, name, id);
CREATE INDEX image_generations_store_id_product_id_id_idx ON public.image_generations USING btree (store_id, product_id, id);
CREATE INDEX image_generations_store_id_published_id_idx ON public.image_generations USING btree (store_id, published, id);
CREATE INDEX image_generations_store_id_updated_at_id_idx ON public.image_generations USING btree (store_id, updated_at, id);
CREATE INDEX image_generations_words ON public.image_generations USING gin (public.folded(prompt) public.gin_trgm_ops);
CREATE INDEX image_prompt_templates_store_id_category_id_idx ON public.image_prompt_templates USING btree (store_id, category, id);
CREATE INDEX image_prompt_templates_store_id_id_idx ON public.image_prompt_templates USING btree (store_id, id);
CREATE INDEX image_prompt_templates_store_id_name_id_idx ON public.image_prompt_templates USING btree (store_id, name, id);
CREATE INDEX image_prompt_templates_store_id_updated_at_id_idx ON public.image_prompt_templates USING btree (store_id, updated_at, id);
CREATE INDEX image_prompt_templates_words ON public.image_prompt_templates USING gin (public.folded(name) public.gin_trgm_ops);
CREATE INDEX imported_orders_store_id_order_id_idx ON public.imported_orders USING btree (store_id, order_id);
CREATE UNIQUE INDEX integrations_key ON public.integrations USING btree (store_id, key, name) NULLS NOT DISTINCT WHERE (deleted_at IS NULL);
CREATE INDEX integrations_store_id_id_idx ON public.integrations USING btree (store_id, id);
CREATE INDEX inventory_balances_oldest ON public.inventory_balances USING btree (project_id, namespace, key, created_at, batch) WHERE has_free;
CREATE INDEX inventory_balances_project_id_batch_namespace_key_idx ON public.inventory_balances USING btree (project_id, batch, namespace, key);
CREATE INDEX inventory_balances_project_id_key_namespace_batch_idx ON public.inventory_balances USING btree (project_id, key, namespace, batch);
CREATE INDEX inventory_movements_project_id_key_created_at_position_idx ON ONLY public.inventory_movements USING btree (project_id, key, created_at, "position");
CREATE INDEX inventory_movements_project_id_namespace_created_at_positio_idx ON ONLY public.inventory_movements USING btree (project_id, namespace, created_at, "position");
CREATE INDEX inventory_operations_project_id_created_at_id_idx ON ONLY public.inventory_operations USING btree (project_id, created_at, id);
CREATE INDEX inventory_operations_project_id_reference_created_at_id_idx ON ONLY public.inventory_operations USING btree (project_id, reference, created_at, id) WHERE (reference IS NOT NULL);
CREATE INDEX inventory_operations_project_id_type_created_at_id_idx ON ONLY public.inventory_operations USING btree (project_id, type, created_at, id);
CREATE INDEX inventory_reservations_expires_at_idx ON public.inventory_reservations USING btree (expires_at) WHERE ((status = 'active'::text) AND (expires_at IS NOT NULL));
CREATE INDEX landing_jobs_page_id_idx ON public.landing_jobs USING btree (page_id) WHERE (page_id IS NOT NULL);
CREATE INDEX landing_jobs_store_id_idx ON public.landing_jobs USING btree (store_id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX mails_created_at_idx ON public.mails USING btree (created_at);
CREATE INDEX mails_lower_template_created_at_idx ON public.mails USING btree (lower(recipient), template, created_at);
CREATE INDEX mcp_secrets_store_id_idx ON public.mcp_secrets USING btree (store_id);
CREATE INDEX mcp_secrets_user_id_idx ON public.mcp_secrets USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX mcp_servers_store_id_id_idx ON public.mcp_servers USING btree (store_id, id);
CREATE INDEX mcp_servers_user_id_idx ON public.mcp_servers USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX mcp_sign_ins_expires_at_idx ON public.mcp_sign_ins USING btree (expires_at);
CREATE INDEX mcp_sign_ins_server_id_idx ON public.mcp_sign_ins USING btree (server_id);
CREATE INDEX mcp_sign_ins_store_id_idx ON public.mcp_sign_ins USING btree (store_id);
CREATE INDEX mcp_sign_ins_user_id_idx ON public.mcp_sign_ins USING btree (user_id);
CREATE INDEX notifications_created_at_idx ON public.notifications USING btree (created_at);
CREATE INDEX oauth_codes_expires_at_idx ON public.oauth_codes USING btree (expires_at);
CREATE INDEX oauth_codes_grant_id_idx ON public.oauth_codes USING btree (grant_id);
CREATE INDEX oauth_grants_app_id_user_id_idx ON public.oauth_grants USING btree (app_id, user_id);
CREATE INDEX oauth_grants_expires_at_idx ON public.oauth_grants USING btree (expires_at);
CREATE INDEX oauth_grants_user_id_app_id_idx ON public.oauth_grants USING btree (user_id, app_id);
CREATE INDEX oauth_requests_app_id_idx ON public.oauth_requests USING btree (app_id);
CREATE INDEX oauth_requests_expires_at_idx ON public.oauth_requests USING btree (expires_at);
CREATE INDEX oauth_states_expires_at_idx ON public.oauth_states USING btree (expires_at);
CREATE INDEX oauth_tokens_renew_at_idx ON public.oauth_tokens USING btree (renew_at) WHERE (refused IS NULL);
CREATE INDEX one_time_codes_expires_at_idx ON public.one_time_codes USING btree (expires_at);
CREATE INDEX one_time_codes_user_id_purpose_idx ON public.one_time_codes USING btree (user_id, purpose) WHERE (used_at IS NULL);
CREATE INDEX order_items_product ON public.order_items USING btree (store_id, product_id, order_id);
CREATE UNIQUE INDEX order_parts_name ON public.order_parts USING btree (store_id, order_id, name) WHERE (name IS NOT NULL);
CREATE UNIQUE INDEX order_returns_exchange ON public.order_returns USING btree (store_id, exchange_order_id) WHERE (exchange_order_id IS NOT NULL);
CREATE INDEX orders_assigned ON public.orders USING btree (store_id, assigned_to, id) WHERE (assigned_to IS NOT NULL);
CREATE INDEX orders_assigned_updated ON public.orders USING btree (store_id, assigned_to, updated_at, id) WHERE ((assigned_to IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX orders_connector ON public.orders USING btree (store_id, connector_id, id) WHERE (connector_id IS NOT NULL);
CREATE INDEX orders_counted ON public.orders USING btree (store_id, status) WHERE (deleted_at IS NULL);
CREATE INDEX orders_divided ON public.orders USING btree (store_id COLLATE "C", id) WHERE is_divided;
CREATE INDEX orders_email ON public.orders USING btree (store_id, lower(customer_email)) WHERE (customer_email IS NOT NULL);
CREATE INDEX orders_external ON public.orders USING btree (store_id, external_id, id) WHERE (external_id IS NOT NULL);
CREATE INDEX orders_held ON public.orders USING btree (held_until) WHERE (held_until IS NOT NULL);
CREATE INDEX orders_id ON public.orders USING btree (id);
CREATE INDEX orders_payment ON public.orders USING btree (store_id, payment_status, id) WHERE ((payment_status <> 'unpaid'::text) AND (deleted_at IS NULL));
CREATE INDEX orders_payment_updated ON public.orders USING btree (store_id, payment_status, updated_at, id) WHERE ((payment_status <> 'unpaid'::text) AND (deleted_at IS NULL));
CREATE INDEX orders_phone ON public.orders USING btree (store_id, customer_phone, id);
CREATE INDEX orders_phone_alt ON public.orders USING btree (store_id, customer_phone_alt, id) WHERE (customer_phone_alt IS NOT NULL);
CREATE INDEX orders_promo ON public.orders USING btree (store_id, lower(promo_code), id) WHERE ((promo_code IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX orders_promo_updated ON public.orders USING btree (store_id, lower(promo_code), updated_at, id) WHERE ((promo_code IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX orders_public_network ON public.orders USING btree (store_id, network) WHERE ((source = 'storefront'::text) AND (status = ANY (ARRAY['pending'::text, 'unreachable'::text, 'postponed'::text])));
CREATE INDEX orders_public_phone ON public.orders USING btree (store_id, customer_phone) WHERE ((source = 'storefront'::text) AND (status = ANY (ARRAY['pending'::text, 'unreachable'::text, 'postponed'::text])));
CREATE INDEX orders_repeated ON public.orders USING btree (store_id, customer_phone, created_at) WHERE ((source = 'storefront'::text) AND (deleted_at IS NULL));
CREATE INDEX orders_source ON public.orders USING btree (store_id, source, id) WHERE (deleted_at IS NULL);
CREATE INDEX orders_source_updated ON public.orders USING btree (store_id, source, updated_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX orders_state ON public.orders USING btree (store_id, ((destination ->> 'stateCode'::text)), id) WHERE (deleted_at IS NULL);
CREATE INDEX orders_state_updated ON public.orders USING btree (store_id, ((destination ->> 'stateCode'::text)), updated_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX orders_status ON public.orders USING btree (store_id, status, id);
CREATE INDEX orders_status_updated ON public.orders USING btree (store_id, status, updated_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX orders_total ON public.orders USING btree (store_id, total, id) WHERE (deleted_at IS NULL);
CREATE INDEX orders_unassigned ON public.orders USING btree (store_id, id) WHERE ((assigned_to IS NULL) AND (deleted_at IS NULL));
CREATE INDEX orders_unassigned_updated ON public.orders USING btree (store_id, updated_at, id) WHERE ((assigned_to IS NULL) AND (deleted_at IS NULL));
CREATE INDEX orders_updated ON public.orders USING btree (store_id, updated_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX orders_words ON public.orders USING gin (store_id, words public.gin_trgm_ops) WHERE (deleted_at IS NULL);
CREATE INDEX pages_store_id_id_idx ON public.pages USING btree (store_id, id);
CREATE INDEX pages_store_id_published_id_idx ON public.pages USING btree (store_id, published, id);
CREATE INDEX pages_store_id_title_id_idx ON public.pages USING btree (store_id, title, id);
CREATE INDEX pages_store_id_updated_at_id_idx ON public.pages USING btree (store_id, updated_at, id);
CREATE INDEX pages_words ON public.pages USING gin (public.folded(title) public.gin_trgm_ops);
CREATE INDEX parcel_batch_rows_open ON public.parcel_batch_rows USING btree (project_id, batch_id, "row") WHERE (status = ANY (ARRAY['waiting'::text, 'submitting'::text]));
CREATE INDEX parcel_batch_rows_parcel ON public.parcel_batch_rows USING btree (project_id, parcel_id) WHERE (status = ANY (ARRAY['submitting'::text, 'unknown'::text]));
CREATE INDEX parcel_batches_open ON public.parcel_batches USING btree (created_at) WHERE (status = 'processing'::text);
CREATE INDEX parcel_reports_carrier_status_idx ON ONLY public.parcel_reports USING btree (carrier_status) WHERE (outcome = 'unmapped'::text);
CREATE INDEX parcel_reports_project_id_parcel_id_id_idx ON ONLY public.parcel_reports USING btree (project_id, parcel_id, id) WHERE (id IS NOT NULL);
CREATE INDEX parcel_turns_until_idx ON public.parcel_turns USING btree (until);
CREATE INDEX parcels_account ON public.parcels USING btree (carrier_account_id, status);
CREATE INDEX parcels_batch ON public.parcels USING btree (project_id, batch_id, id) WHERE (batch_id IS NOT NULL);
CREATE INDEX parcels_erased ON public.parcels USING btree (erased_at) WHERE (erased_at IS NOT NULL);
CREATE INDEX parcels_folded ON public.parcels USING btree (carrier_account_id, public.cash_fold(tracking_id)) WHERE (tracking_id IS NOT NULL);
CREATE UNIQUE INDEX parcels_live_of_order ON public.parcels USING btree (order_id, project_id, COALESCE(part_id, ''::text)) WHERE ((order_id IS NOT NULL) AND (status <> 'cancelled'::text));
CREATE INDEX parcels_of_account ON public.parcels USING btree (project_id, carrier_account_id, id);
CREATE INDEX parcels_of_account_updated ON public.parcels USING btree (project_id, carrier_account_id, updated_at, id);
CREATE INDEX parcels_phone ON public.parcels USING btree (((recipient ->> 'phone'::text)), project_id, id);
CREATE INDEX parcels_phone_alt ON public.parcels USING btree (project_id, ((recipient ->> 'phoneAlt'::text))) WHERE ((recipient ->> 'phoneAlt'::text) IS NOT NULL);
CREATE INDEX parcels_poll ON public.parcels USING btree (carrier_account_id, poll_at) WHERE (poll_at IS NOT NULL);
CREATE INDEX parcels_status ON public.parcels USING btree (project_id, status, id);
CREATE INDEX parcels_status_updated ON public.parcels USING btree (project_id, status, updated_at, id);
CREATE INDEX parcels_submit ON public.parcels USING btree (carrier_account_id, submit_at) WHERE (submit_at IS NOT NULL);
CREATE INDEX parcels_submitting_by ON public.parcels USING btree (submitting_by) WHERE ((status = 'submitting'::text) AND (submitting_by IS NOT NULL));
CREATE INDEX parcels_success ON public.parcels USING btree (carrier_account_id, ((destination ->> 'stateCode'::text)), created_at) WHERE (status = ANY (ARRAY['delivered'::text, 'returned'::text]));
CREATE UNIQUE INDEX parcels_tracking ON public.parcels USING btree (project_id, tracking_id, carrier_account_id) WHERE (tracking_id IS NOT NULL);
CREATE INDEX parcels_updated ON public.parcels USING btree (project_id, updated_at, id);
CREATE INDEX parcels_waiting ON public.parcels USING btree (project_id, id) WHERE ((status = 'created'::text) AND (submit_at IS NOT NULL));
CREATE INDEX passkey_challenges_expires_at_idx ON public.passkey_challenges USING btree (expires_at);
CREATE UNIQUE INDEX passkeys_credential ON public.passkeys USING btree (credential_id);
CREATE INDEX passkeys_user_id_id_idx ON public.passkeys USING btree (user_id, id);
CREATE INDEX payment_news_at_idx ON public.payment_news USING btree (at);
CREATE INDEX payment_news_early ON public.payment_news USING btree (connection_id, external_id) WHERE (outcome = 'early'::text);
CREATE INDEX payment_news_payment_id_idx ON public.payment_news USING btree (payment_id) WHERE (payment_id IS NOT NULL);
CREATE INDEX payment_proofs_payment_id_id_idx ON public.payment_proofs USING btree (payment_id, id);
CREATE INDEX payment_proofs_subscription_payment_id_id_idx ON public.payment_proofs USING btree (subscription_payment_id, id) WHERE (subscription_payment_id IS NOT NULL);
CREATE INDEX payment_refunds_payment_id_id_idx ON public.payment_refunds USING btree (payment_id, id);
CREATE INDEX payment_refunds_pending ON public.payment_refunds USING btree (created_at) WHERE (status = 'pending'::text);
CREATE INDEX payments_by_status ON public.payments USING btree (store_id, status, id);
CREATE INDEX payments_due ON public.payments USING btree (read_at) WHERE (read_at IS NOT NULL);
CREATE UNIQUE INDEX payments_external ON public.payments USING btree (connection_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX payments_named ON public.payments USING btree (gateway, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX payments_of_order ON public.payments USING btree (order_id, id);
CREATE INDEX payments_of_store ON public.payments USING btree (store_id, id);
CREATE INDEX payments_paid ON public.payments USING btree (store_id, paid_at, id) WHERE (paid IS NOT NULL);
CREATE INDEX payments_under_way ON public.payments USING btree (connection_id) WHERE (status = ANY (ARRAY['created'::text, 'open'::text, 'processing'::text, 'authorized'::text]));
CREATE INDEX payments_waiting ON public.payments USING btree (store_id, id) WHERE (concern IS NOT NULL);
CREATE INDEX payout_pulls_due ON public.payout_pulls USING btree (due_at);
CREATE INDEX payout_pulls_of_store ON public.payout_pulls USING btree (store_id, connection_id);
CREATE INDEX plans_available ON public.plans USING btree (available, id);
CREATE INDEX plans_price ON public.plans USING btree (price, id);
CREATE INDEX plans_updated ON public.plans USING btree (updated_at, id);
CREATE INDEX product_import_rows_store_id_import_id_status_row_idx ON public.sheet_import_rows USING btree (store_id, import_id, status, "row");
CREATE INDEX product_imports_id_idx ON public.sheet_imports USING btree (id);
CREATE INDEX product_landing_page_templates_store_id_category_id_idx ON public.product_landing_page_templates USING btree (store_id, category, id);
CREATE INDEX product_landing_page_templates_store_id_id_idx ON public.product_landing_page_templates USING btree (store_id, id);
CREATE INDEX product_landing_page_templates_store_id_name_id_idx ON public.product_landing_page_templates USING btree (store_id, name, id);
CREATE INDEX product_landing_page_templates_store_id_updated_at_id_idx ON public.product_landing_page_templates USING btree (store_id, updated_at, id);
CREATE INDEX product_landing_page_templates_words ON public.product_landing_page_templates USING gin (public.folded(name) public.gin_trgm_ops);
CREATE INDEX product_skus_store_id_product_id_idx ON public.product_skus USING btree (store_id, product_id);
CREATE INDEX products_category ON public.products USING btree (store_id, category_id, id) WHERE (category_id IS NOT NULL);
CREATE INDEX products_dice ON public.products USING btree (store_id, dice) WHERE ((deleted_at IS NULL) AND (status = 'active'::text));
CREATE INDEX products_id ON public.products USING btree (id);
CREATE INDEX products_name ON public.products USING btree (store_id, name, id) WHERE (deleted_at IS NULL);
CREATE INDEX products_price ON public.products USING btree (store_id, price, id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX products_sku ON public.products USING btree (store_id, sku) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX products_slug ON public.products USING btree (store_id, slug) WHERE (deleted_at IS NULL);
CREATE INDEX products_status ON public.products USING btree (store_id, status, id) WHERE (deleted_at IS NULL);
CREATE INDEX products_tags ON public.products USING gin (store_id, tags) WHERE (deleted_at IS NULL);
CREATE INDEX products_updated ON public.products USING btree (store_id, updated_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX products_vendor ON public.products USING btree (store_id, vendor, id) WHERE ((deleted_at IS NULL) AND (vendor IS NOT NULL));
CREATE INDEX products_words ON public.products USING gin (store_id, words public.gin_trgm_ops) WHERE (deleted_at IS NULL);
CREATE INDEX projects_name_id_idx ON public.projects USING btree (name, id);
CREATE INDEX projects_of_tenant_by_name ON public.projects USING btree (tenant_id, name, id);
CREATE INDEX projects_tenant_id_id_idx ON public.projects USING btree (tenant_id, id);
CREATE INDEX projects_words ON public.projects USING gin (public.folded(name) public.gin_trgm_ops);
CREATE INDEX promo_redemptions_promo_id_phone_idx ON public.promo_redemptions USING btree (promo_id, phone);
CREATE UNIQUE INDEX promos_code ON public.promos USING btree (store_id, lower(code));
CREATE INDEX promos_sorted ON public.promos USING btree (store_id, code, id);
CREATE INDEX promos_store_id_id_idx ON public.promos USING btree (store_id, id);
CREATE INDEX recipient_outcomes_phone_outcome_idx ON public.recipient_outcomes USING btree (phone, outcome);
CREATE INDEX revocations_at_idx ON public.revocations USING btree (at);
CREATE INDEX revocations_xid_idx ON public.revocations USING btree (xid);
CREATE INDEX row_sources_store_id_idx ON public.row_sources USING btree (store_id);
CREATE INDEX session_tokens_user_id_id_idx ON public.session_tokens USING btree (user_id, id);
CREATE INDEX sheet_rows_store_id_order_id_idx ON public.sheet_rows USING btree (store_id, order_id);
CREATE INDEX sheet_rows_waiting ON public.sheet_rows USING btree (connection_id, order_id) WHERE ((wanted > written) AND (stands <> 'gone'::text));
CREATE INDEX sheet_targets_fills_at_idx ON public.sheet_targets USING btree (fills_at) WHERE (fills_at IS NOT NULL);
CREATE INDEX sheet_targets_store_id_idx ON public.sheet_targets USING btree (store_id);
CREATE INDEX social_spent_tokens_expires_at_idx ON public.social_spent_tokens USING btree (expires_at);
CREATE INDEX social_states_expires_at_idx ON public.social_states USING btree (expires_at);
CREATE INDEX social_tickets_expires_at_idx ON public.social_tickets USING btree (expires_at);
CREATE INDEX states_id ON public.states USING btree (country_code, id);
CREATE INDEX states_name ON public.states USING btree (country_code, name, id);
CREATE INDEX states_updated ON public.states USING btree (country_code, updated_at, id);
CREATE INDEX states_words ON public.states USING gin (public.folded(name) public.gin_trgm_ops);
CREATE INDEX store_blocks_expires_at_idx ON public.store_blocks USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX store_blocks_store_id_id_idx ON public.store_blocks USING btree (store_id, id);
CREATE INDEX store_blocks_store_id_kind_id_idx ON public.store_blocks USING btree (store_id, kind, id);
CREATE UNIQUE INDEX store_domains_held ON public.store_domains USING btree (host) WHERE (state = ANY (ARRAY['verified'::text, 'live'::text, 'failing'::text]));
CREATE INDEX store_invitations_accepted_by ON public.store_invitations USING btree (accepted_by) WHERE (accepted_by IS NOT NULL);
CREATE INDEX store_invitations_invited_by ON public.store_invitations USING btree (invited_by);
CREATE INDEX store_invitations_lower_id_idx ON public.store_invitations USING btree (lower(email), id) WHERE (status = 'open'::text);
CREATE UNIQUE INDEX store_invitations_open ON public.store_invitations USING btree (store_id, lower(email)) WHERE (status = 'open'::text);
CREATE INDEX store_invitations_store_id_id_idx ON public.store_invitations USING btree (store_id, id);
CREATE INDEX store_invitations_store_id_status_id_idx ON public.store_invitations USING btree (store_id, status, id);
CREATE UNIQUE INDEX store_members_owner ON public.store_members USING btree (store_id) WHERE (role = 'owner'::text);
CREATE INDEX store_members_store_id_created_at_user_id_idx ON public.store_members USING btree (store_id, created_at, user_id);
CREATE INDEX store_members_user_id_store_id_idx ON public.store_members USING btree (user_id, store_id);
CREATE INDEX store_template_previews_template_id_idx ON public.store_template_previews USING btree (template_id);
CREATE INDEX store_views_at ON public.store_views USING btree (at);
CREATE UNIQUE INDEX subscription_credits_once ON public.subscription_credits USING btree (kind, about) WHERE (kind = ANY (ARRAY['payment'::text, 'in_app'::text, 'invoice'::text]));
CREATE INDEX subscription_credits_store_id_currency_idx ON public.subscription_credits USING btree (store_id, currency);
CREATE UNIQUE INDEX subscription_invoices_extra ON public.subscription_invoices USING btree (store_id, period_start) WHERE ((reason = 'extra_orders'::text) AND (status <> 'void'::text));
CREATE UNIQUE INDEX subscription_invoices_open ON public.subscription_invoices USING btree (store_id, reason) WHERE ((reason = ANY (ARRAY['start'::text, 'upgrade'::text])) AND (status = 'open'::text));
CREATE INDEX subscription_invoices_plan_idx ON public.subscription_invoices USING btree (plan);
CREATE UNIQUE INDEX subscription_invoices_renewal ON public.subscription_invoices USING btree (store_id, period_start) WHERE ((reason = 'renewal'::text) AND (status <> 'void'::text));
CREATE INDEX subscription_invoices_store_id_id_idx ON public.subscription_invoices USING btree (store_id, id);
CREATE INDEX subscription_payments_due ON public.subscription_payments USING btree (read_at) WHERE (read_at IS NOT NULL);
CREATE UNIQUE INDEX subscription_payments_external ON public.subscription_payments USING btree (connection_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX subscription_payments_processing ON public.subscription_payments USING btree (id) WHERE (status = 'processing'::text);
CREATE INDEX subscription_payments_store_id_id_idx ON public.subscription_payments USING btree (store_id, id);
CREATE INDEX subscription_payments_under_way ON public.subscription_payments USING btree (connection_id) WHERE (status = ANY (ARRAY['created'::text, 'open'::text, 'processing'::text, 'authorized'::text]));
CREATE INDEX subscriptions_due ON public.subscriptions USING btree (look_at) WHERE (look_at IS NOT NULL);
CREATE INDEX subscriptions_next_plan_idx ON public.subscriptions USING btree (next_plan) WHERE (next_plan IS NOT NULL);
CREATE INDEX subscriptions_plan_idx ON public.subscriptions USING btree (plan);
CREATE INDEX templates_store_id_category_id_idx ON public.templates USING btree (store_id, category, id);
CREATE INDEX templates_store_id_id_idx ON public.templates USING btree (store_id, id);
CREATE INDEX templates_store_id_name_id_idx ON public.templates USING btree (store_id, name, id);
CREATE INDEX templates_store_id_updated_at_id_idx ON public.templates USING btree (store_id, updated_at, id);
CREATE INDEX templates_words ON public.templates USING gin (public.folded(name) public.gin_trgm_ops);
CREATE INDEX tenant_members_user_id_tenant_id_idx ON public.tenant_members USING btree (user_id, tenant_id);
CREATE INDEX tenants_deletes_at_idx ON public.tenants USING btree (deletes_at) WHERE (deletes_at IS NOT NULL);
CREATE INDEX tenants_name_id_idx ON public.tenants USING btree (name, id);
CREATE INDEX tenants_owner_id_id_idx ON public.tenants USING btree (owner_id, id);
CREATE INDEX tenants_words ON public.tenants USING gin (public.folded(name) public.gin_trgm_ops);
CREATE INDEX users_created_at_idx ON public.users USING btree (created_at) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX users_email ON public.users USING btree (lower(email));
CREATE INDEX users_email_id_idx ON public.users USING btree (email, id);
CREATE INDEX users_is_admin_id_idx ON public.users USING btree (is_admin, id) WHERE is_admin;
CREATE INDEX users_name_id_idx ON public.users USING btree (name, id);
CREATE INDEX users_words ON public.users USING gin (public.folded(((name || ' '::text) || email)) public.gin_trgm_ops);
CREATE INDEX webhook_deliveries_endpoint_id_next_attempt_at_position_idx ON ONLY public.webhook_deliveries USING btree (endpoint_id, next_attempt_at, "position") WHERE (status = 'pending'::text);
CREATE INDEX webhook_deliveries_endpoint_id_order_key_position_idx ON ONLY public.webhook_deliveries USING btree (endpoint_id, order_key, "position") WHERE ((status = 'pending'::text) AND (order_key IS NOT NULL));
CREATE INDEX webhook_deliveries_endpoint_id_status_id_idx ON ONLY public.webhook_deliveries USING btree (endpoint_id, status, id) WHERE (status = ANY (ARRAY['failed'::text, 'cancelled'::text]));
CREATE INDEX webhook_endpoints_of_store ON public.webhook_endpoints USING btree (store_id, id) WHERE (store_id IS NOT NULL);
CREATE INDEX webhook_endpoints_project_id_id_idx ON public.webhook_endpoints USING btree (project_id, id);
CREATE INDEX webhook_notices_project_id_id_idx ON public.webhook_notices USING btree (project_id, id);
CREATE TRIGGER ads_moved AFTER UPDATE ON public.orders FOR EACH ROW WHEN (((new.status IS DISTINCT FROM old.status) AND (new.exchange_of IS NULL))) EXECUTE FUNCTION public.ads_follow();
CREATE TRIGGER ads_new AFTER INSERT ON public.orders FOR EACH ROW WHEN ((new.exchange_of IS NULL)) EXECUTE FUNCTION public.ads_follow();
CREATE TRIGGER channels_moved AFTER UPDATE ON public.orders FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) OR (old.parcel_id IS DISTINCT FROM new.parcel_id))) EXECUTE FUNCTION public.channels_mark_moved();
CREATE TRIGGER channels_numbered AFTER UPDATE ON public.parcels FOR EACH ROW WHEN (((new.order_id IS NOT NULL) AND (old.tracking_id IS DISTINCT FROM new.tracking_id))) EXECUTE FUNCTION public.channels_mark_numbered();
CREATE TRIGGER channels_settled AFTER UPDATE ON public.channel_orders FOR EACH ROW WHEN ((((old.state IS DISTINCT FROM new.state) OR (old.why IS DISTINCT FROM new.why)) AND ((new.pushed IS NULL) OR ((new.pushed ->> 'why'::text) IS DISTINCT FROM new.why)))) EXECUTE FUNCTION public.channels_mark_known();
CREATE TRIGGER channels_waits AFTER INSERT ON public.channel_orders FOR EACH ROW WHEN ((new.why IS NOT NULL)) EXECUTE FUNCTION public.channels_mark_known();
CREATE TRIGGER confirms_change AFTER UPDATE ON public.orders FOR EACH ROW WHEN (((((((old.status IS DISTINCT FROM new.status) OR (old.deleted_at IS DISTINCT FROM new.deleted_at)) OR (old.assigned_to IS DISTINCT FROM new.assigned_to)) OR (old.customer_phone IS DISTINCT FROM new.customer_phone)) OR (old.customer_phone_alt IS DISTINCT FROM new.customer_phone_alt)) OR (old.metadata IS DISTINCT FROM new.metadata))) EXECUTE FUNCTION public.confirmation_follow();
CREATE TRIGGER confirms_new AFTER INSERT ON public.orders FOR EACH ROW WHEN (public.confirmation_waits(new.status, new.deleted_at)) EXECUTE FUNCTION public.confirmation_follow();
CREATE TRIGGER final BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ai_entries FOR EACH STATEMENT EXECUTE FUNCTION public.cash_refuse_change();
CREATE TRIGGER final BEFORE DELETE OR TRUNCATE ON public.cash_entries FOR EACH STATEMENT EXECUTE FUNCTION public.cash_refuse_change();
CREATE TRIGGER final BEFORE DELETE OR UPDATE OR TRUNCATE ON public.inventory_movements FOR EACH STATEMENT EXECUTE FUNCTION public.inventory_refuse_change();
CREATE TRIGGER final BEFORE DELETE OR UPDATE OR TRUNCATE ON public.inventory_operations FOR EACH STATEMENT EXECUTE FUNCTION public.inventory_refuse_change();
CREATE TRIGGER final BEFORE DELETE OR UPDATE OR TRUNCATE ON public.inventory_reversals FOR EACH STATEMENT EXECUTE FUNCTION public.inventory_refuse_change();
CREATE TRIGGER forget_changed AFTER DELETE OR UPDATE OF project_id, key_hash, scopes, expires_at, revoked_at, created_by ON public.api_keys FOR EACH ROW EXECUTE FUNCTION public.forget_remembered('credential', 'id');
CREATE TRIGGER forget_changed AFTER DELETE OR UPDATE OF name, secret_hash, redirect_uris, scopes, pushed_requests_only, bound_tokens_only, dpop_nonces, deleted_at ON public.apps FOR EACH ROW EXECUTE FUNCTION public.forget_remembered('app', 'id');
CREATE TRIGGER forget_changed AFTER UPDATE OF scopes, thumbprint, expires_at ON public.oauth_access_tokens FOR EACH ROW EXECUTE FUNCTION public.forget_remembered('token', 'digest');
CREATE TRIGGER forget_changed AFTER UPDATE OF app_id, user_id, project_id, scopes, revoked_at ON public.oauth_grants FOR EACH ROW EXECUTE FUNCTION public.forget_remembered('credential', 'id');
CREATE TRIGGER forget_changed AFTER DELETE OR UPDATE OF tenant_id, products ON public.projects FOR EACH ROW EXECUTE FUNCTION public.forget_remembered('project', 'id');
CREATE TRIGGER forget_changed AFTER UPDATE OF user_id, token_hash, expires_at ON public.session_tokens FOR EACH ROW EXECUTE FUNCTION public.forget_remembered('credential', 'id');
CREATE TRIGGER forget_changed AFTER DELETE OR UPDATE OF role, permissions ON public.store_members FOR EACH ROW EXECUTE FUNCTION public.forget_remembered('person', 'user_id');
CREATE TRIGGER forget_changed AFTER DELETE OR UPDATE OF project_id, deleted_at ON public.stores FOR EACH ROW EXECUTE FUNCTION public.forget_remembered('project', 'project_id');
CREATE TRIGGER forget_changed AFTER DELETE OR UPDATE OF role ON public.tenant_members FOR EACH ROW EXECUTE FUNCTION public.forget_remembered('person', 'user_id');
CREATE TRIGGER forget_changed AFTER UPDATE OF owner_id, limits, deletes_at ON public.tenants FOR EACH ROW EXECUTE FUNCTION public.forget_remembered('tenant', 'id');
CREATE TRIGGER forget_changed AFTER UPDATE ON public.users FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION public.forget_remembered('person', 'id');
CREATE TRIGGER forget_deleted AFTER DELETE ON public.oauth_access_tokens FOR EACH ROW WHEN ((old.expires_at > now())) EXECUTE FUNCTION public.forget_remembered('token', 'digest');
CREATE TRIGGER forget_deleted AFTER DELETE ON public.oauth_grants FOR EACH ROW WHEN ((old.expires_at > now())) EXECUTE FUNCTION public.forget_remembered('credential', 'id');
CREATE TRIGGER forget_deleted AFTER DELETE ON public.session_tokens FOR EACH ROW WHEN ((old.expires_at > now())) EXECUTE FUNCTION public.forget_remembered('credential', 'id');
CREATE TRIGGER forget_owner AFTER UPDATE OF owner_id, deletes_at ON public.tenants FOR EACH ROW EXECUTE FUNCTION public.forget_remembered('person', 'owner_id');
CREATE TRIGGER kept BEFORE UPDATE ON public.cash_entries FOR EACH ROW WHEN (((new.stands AND (new.kind <> 'remittance'::text)) OR ((to_jsonb(old.*) - 'stands'::text) <> (to_jsonb(new.*) - 'stands'::text)))) EXECUTE FUNCTION public.cash_refuse_change();
CREATE TRIGGER marks_change AFTER UPDATE ON public.orders FOR EACH ROW WHEN ((((((((((old.status IS DISTINCT FROM new.status) OR (old.version IS DISTINCT FROM new.version)) OR (old.total IS DISTINCT FROM new.total)) OR (old.paid IS DISTINCT FROM new.paid)) OR (old.payment_status IS DISTINCT FROM new.payment_status)) OR (old.assigned_to IS DISTINCT FROM new.assigned_to)) OR (old.deleted_at IS DISTINCT FROM new.deleted_at)) OR (old.promo_code IS DISTINCT FROM new.promo_code)) OR (old.metadata IS DISTINCT FROM new.metadata))) EXECUTE FUNCTION public.analytics_mark();
CREATE TRIGGER marks_exchanged AFTER UPDATE ON public.orders FOR EACH ROW WHEN (((new.exchange_of IS NOT NULL) AND (((old.status IS DISTINCT FROM new.status) OR (old.discount IS DISTINCT FROM new.discount)) OR (old.deleted_at IS DISTINCT FROM new.deleted_at)))) EXECUTE FUNCTION public.analytics_mark_exchanged();
CREATE TRIGGER marks_new AFTER INSERT ON public.orders FOR EACH ROW EXECUTE FUNCTION public.analytics_mark();
CREATE TRIGGER marks_parcel AFTER UPDATE OF status ON public.parcels FOR EACH ROW WHEN (((new.part_id IS NOT NULL) AND (new.status IS DISTINCT FROM old.status))) EXECUTE FUNCTION public.analytics_mark_parcel();
CREATE TRIGGER marks_part AFTER INSERT OR UPDATE ON public.order_parts FOR EACH ROW EXECUTE FUNCTION public.analytics_mark_order();
CREATE TRIGGER marks_part_line AFTER UPDATE ON public.order_part_lines FOR EACH ROW EXECUTE FUNCTION public.analytics_mark_order();
CREATE TRIGGER marks_return AFTER INSERT OR UPDATE ON public.order_returns FOR EACH ROW EXECUTE FUNCTION public.analytics_mark_order();
CREATE TRIGGER reversed_exists BEFORE INSERT ON public.inventory_reversals FOR EACH ROW EXECUTE FUNCTION public.inventory_find_reversed();
CREATE TRIGGER reverses AFTER INSERT ON public.inventory_operations FOR EACH ROW WHEN ((new.reverses_id IS NOT NULL)) EXECUTE FUNCTION public.inventory_note_reversal();
CREATE TRIGGER sheets_change AFTER UPDATE ON public.orders FOR EACH ROW WHEN (((((((((old.status IS DISTINCT FROM new.status) OR (old.version IS DISTINCT FROM new.version)) OR (old.total IS DISTINCT FROM new.total)) OR (old.paid IS DISTINCT FROM new.paid)) OR (old.note IS DISTINCT FROM new.note)) OR (old.promo_code IS DISTINCT FROM new.promo_code)) OR (old.parcel_id IS DISTINCT FROM new.parcel_id)) OR (old.deleted_at IS DISTINCT FROM new.deleted_at))) EXECUTE FUNCTION public.sheets_mark();
CREATE TRIGGER sheets_new AFTER INSERT ON public.orders FOR EACH ROW EXECUTE FUNCTION public.sheets_mark();
ALTER TABLE ONLY public.account_transfers
    ADD CONSTRAINT account_transfers_from_id_fkey FOREIGN KEY (from_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.admin_actions
    ADD CONSTRAINT admin_actions_admin_id_fkey FOREIGN KEY (admin_id) REFERENCES public.users(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.admin_actions
    ADD CONSTRAINT admin_actions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.ai_accounts
    ADD CONSTRAINT ai_accounts_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.ai_entries
    ADD CONSTRAINT ai_entries_project_id_currency_fkey FOREIGN KEY (project_id, currency) REFERENCES public.ai_accounts(project_id, currency);
ALTER TABLE ONLY public.ai_entries
    ADD CONSTRAINT ai_entries_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.ai_entries
    ADD CONSTRAINT ai_entries_task_id_fkey FOREIGN KEY (task_id) REFERENCES public.ai_tasks(id);
ALTER TABLE ONLY public.ai_task_files
    ADD CONSTRAINT ai_task_files_file_id_fkey FOREIGN KEY (file_id) REFERENCES public.files(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.ai_task_files
    ADD CONSTRAINT ai_task_files_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.ai_task_files
    ADD CONSTRAINT ai_task_files_task_id_fkey FOREIGN KEY (task_id) REFERENCES public.ai_tasks(id);
ALTER TABLE ONLY public.ai_tasks
    ADD CONSTRAINT ai_tasks_project_id_currency_fkey FOREIGN KEY (project_id, currency) REFERENCES public.ai_accounts(project_id, currency);
ALTER TABLE ONLY public.ai_tasks
    ADD CONSTRAINT ai_tasks_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.users(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.app_user_data
    ADD CONSTRAINT app_user_data_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.app_user_data
    ADD CONSTRAINT app_user_data_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.apps
    ADD CONSTRAINT apps_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.cash_entries
    ADD CONSTRAINT cash_entries_project_id_connection_id_remittance_id_fkey FOREIGN KEY (project_id, connection_id, remittance_id) REFERENCES public.cash_remittances(project_id, connection_id, id);
ALTER TABLE ONLY public.cash_entries
    ADD CONSTRAINT cash_entries_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.cash_entries
    ADD CONSTRAINT cash_entries_project_id_parcel_id_fkey FOREIGN KEY (project_id, parcel_id) REFERENCES public.parcels(project_id, id);
ALTER TABLE ONLY public.cash_entries
    ADD CONSTRAINT cash_entries_project_id_takes_back_id_fkey FOREIGN KEY (project_id, takes_back_id) REFERENCES public.cash_entries(project_id, id);
ALTER TABLE ONLY public.cash_entries
    ADD CONSTRAINT cash_entries_project_id_undoes_id_fkey FOREIGN KEY (project_id, undoes_id) REFERENCES public.cash_entries(project_id, id);
ALTER TABLE ONLY public.cash_remittance_lines
    ADD CONSTRAINT cash_remittance_lines_project_id_connection_id_remittance__fkey FOREIGN KEY (project_id, connection_id, remittance_id) REFERENCES public.cash_remittances(project_id, connection_id, id);
ALTER TABLE ONLY public.cash_remittances
    ADD CONSTRAINT cash_remittances_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.catalog_feeds
    ADD CONSTRAINT catalog_feeds_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.categories
    ADD CONSTRAINT categories_parent FOREIGN KEY (store_id, parent_id) REFERENCES public.categories(store_id, id);
ALTER TABLE ONLY public.categories
    ADD CONSTRAINT categories_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id);
ALTER TABLE ONLY public.channel_callbacks
    ADD CONSTRAINT channel_callbacks_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES public.integrations(id);
ALTER TABLE ONLY public.channel_goods
    ADD CONSTRAINT channel_goods_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES public.integrations(id);
ALTER TABLE ONLY public.channel_goods
    ADD CONSTRAINT channel_goods_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id);
ALTER TABLE ONLY public.channel_links
    ADD CONSTRAINT channel_links_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id);
ALTER TABLE ONLY public.channel_orders
    ADD CONSTRAINT channel_orders_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES public.integrations(id);
ALTER TABLE ONLY public.channel_orders
    ADD CONSTRAINT channel_orders_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id);
ALTER TABLE ONLY public.channel_stock
    ADD CONSTRAINT channel_stock_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES public.integrations(id);
ALTER TABLE ONLY public.channel_stock
    ADD CONSTRAINT channel_stock_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id);
ALTER TABLE ONLY public.channels
    ADD CONSTRAINT channels_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES public.integrations(id);
ALTER TABLE ONLY public.chat_conversations
    ADD CONSTRAINT chat_conversations_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.chat_conversations
    ADD CONSTRAINT chat_conversations_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.chat_generation_parts
    ADD CONSTRAINT chat_generation_parts_generation_id_fkey FOREIGN KEY (generation_id) REFERENCES public.chat_generations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.chat_generation_parts
    ADD CONSTRAINT chat_generation_parts_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.chat_generations
    ADD CONSTRAINT chat_generations_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES public.chat_conversations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.chat_generations
    ADD CONSTRAINT chat_generations_message_id_fkey FOREIGN KEY (message_id) REFERENCES public.chat_messages(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.chat_generations
    ADD CONSTRAINT chat_generations_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.chat_generations
    ADD CONSTRAINT chat_generations_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.chat_messages
    ADD CONSTRAINT chat_messages_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES public.chat_conversations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.chat_messages
    ADD CONSTRAINT chat_messages_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES public.chat_messages(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.chat_messages
    ADD CONSTRAINT chat_messages_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.chat_proposals
    ADD CONSTRAINT chat_proposals_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.chat_proposals
    ADD CONSTRAINT chat_proposals_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.chat_queue
    ADD CONSTRAINT chat_queue_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES public.chat_conversations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.chat_queue
    ADD CONSTRAINT chat_queue_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.chat_rules
    ADD CONSTRAINT chat_rules_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.chat_rules
    ADD CONSTRAINT chat_rules_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.chat_skill_versions
    ADD CONSTRAINT chat_skill_versions_skill_id_fkey FOREIGN KEY (skill_id) REFERENCES public.chat_skills(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.chat_skill_versions
    ADD CONSTRAINT chat_skill_versions_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.chat_skills
    ADD CONSTRAINT chat_skills_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.chat_skills
    ADD CONSTRAINT chat_skills_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.cities
    ADD CONSTRAINT cities_country_code_current_state_code_fkey FOREIGN KEY (country_code, current_state_code) REFERENCES public.states(country_code, code);
ALTER TABLE ONLY public.cities
    ADD CONSTRAINT cities_country_code_state_code_fkey FOREIGN KEY (country_code, state_code) REFERENCES public.states(country_code, code);
ALTER TABLE ONLY public.confirmation_uses
    ADD CONSTRAINT confirmation_uses_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.customers
    ADD CONSTRAINT customers_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.dispatch_rules
    ADD CONSTRAINT dispatch_rules_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id);
ALTER TABLE ONLY public.dispatches
    ADD CONSTRAINT dispatches_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id);
ALTER TABLE ONLY public.feedbacks
    ADD CONSTRAINT feedbacks_order FOREIGN KEY (store_id, order_id) REFERENCES public.orders(store_id, id);
ALTER TABLE ONLY public.feedbacks
    ADD CONSTRAINT feedbacks_product FOREIGN KEY (store_id, product_id) REFERENCES public.products(store_id, id);
ALTER TABLE ONLY public.feedbacks
    ADD CONSTRAINT feedbacks_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id);
ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id);
ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.gateway_payout_lines
    ADD CONSTRAINT gateway_payout_lines_payout_id_fkey FOREIGN KEY (payout_id) REFERENCES public.gateway_payouts(id);
ALTER TABLE ONLY public.gateway_payouts
    ADD CONSTRAINT gateway_payouts_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.gateway_payouts
    ADD CONSTRAINT gateway_payouts_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id);
ALTER TABLE ONLY public.geo_catalogue
    ADD CONSTRAINT geo_catalogue_country_code_fkey FOREIGN KEY (country_code) REFERENCES public.countries(code);
ALTER TABLE ONLY public.image_generations
    ADD CONSTRAINT image_generations_product FOREIGN KEY (store_id, product_id) REFERENCES public.products(store_id, id);
ALTER TABLE ONLY public.image_generations
    ADD CONSTRAINT image_generations_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id);
ALTER TABLE ONLY public.image_prompt_templates
    ADD CONSTRAINT image_prompt_templates_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id);
ALTER TABLE ONLY public.imported_orders
    ADD CONSTRAINT imported_orders_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id);
ALTER TABLE ONLY public.integrations
    ADD CONSTRAINT integrations_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id);
ALTER TABLE ONLY public.inventory_balances
    ADD CONSTRAINT inventory_balances_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE public.inventory_movements
    ADD CONSTRAINT inventory_movements_project_id_namespace_key_batch_fkey1 FOREIGN KEY (project_id, namespace, key, batch) REFERENCES public.inventory_balances(project_id, namespace, key, batch);
ALTER TABLE public.inventory_operations
    ADD CONSTRAINT inventory_operations_project_id_reservation_id_fkey1 FOREIGN KEY (project_id, reservation_id) REFERENCES public.inventory_reservations(project_id, id);
ALTER TABLE ONLY public.inventory_reservation_lines
    ADD CONSTRAINT inventory_reservation_lines_project_id_namespace_key_batch_fkey FOREIGN KEY (project_id, namespace, key, batch) REFERENCES public.inventory_balances(project_id, namespace, key, batch);
ALTER TABLE ONLY public.inventory_reservation_lines
    ADD CONSTRAINT inventory_reservation_lines_project_id_reservation_id_fkey FOREIGN KEY (project_id, reservation_id) REFERENCES public.inventory_reservations(project_id, id);
ALTER TABLE ONLY public.inventory_reservations
    ADD CONSTRAINT inventory_reservations_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.landing_jobs
    ADD CONSTRAINT landing_jobs_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.mcp_secrets
    ADD CONSTRAINT mcp_secrets_server_id_fkey FOREIGN KEY (server_id) REFERENCES public.mcp_servers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.mcp_secrets
    ADD CONSTRAINT mcp_secrets_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.mcp_secrets
    ADD CONSTRAINT mcp_secrets_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.mcp_servers
    ADD CONSTRAINT mcp_servers_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.mcp_servers
    ADD CONSTRAINT mcp_servers_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.mcp_sign_ins
    ADD CONSTRAINT mcp_sign_ins_server_id_fkey FOREIGN KEY (server_id) REFERENCES public.mcp_servers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.mcp_sign_ins
    ADD CONSTRAINT mcp_sign_ins_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.mcp_sign_ins
    ADD CONSTRAINT mcp_sign_ins_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.notifications
    ADD CONSTRAINT notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.oauth_codes
    ADD CONSTRAINT oauth_codes_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES public.oauth_grants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.oauth_grants
    ADD CONSTRAINT oauth_grants_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.oauth_grants
    ADD CONSTRAINT oauth_grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.oauth_requests
    ADD CONSTRAINT oauth_requests_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.oauth_states
    ADD CONSTRAINT oauth_states_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES public.integrations(id);
ALTER TABLE ONLY public.oauth_tokens
    ADD CONSTRAINT oauth_tokens_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES public.integrations(id);
ALTER TABLE ONLY public.one_time_codes
    ADD CONSTRAINT one_time_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.order_items
    ADD CONSTRAINT order_items_store_id_order_id_fkey FOREIGN KEY (store_id, order_id) REFERENCES public.orders(store_id, id);
ALTER TABLE ONLY public.order_part_lines
    ADD CONSTRAINT order_part_lines_store_id_order_id_line_fkey FOREIGN KEY (store_id, order_id, line) REFERENCES public.order_items(store_id, order_id, line);
ALTER TABLE ONLY public.order_part_lines
    ADD CONSTRAINT order_part_lines_store_id_order_id_part_id_fkey FOREIGN KEY (store_id, order_id, part_id) REFERENCES public.order_parts(store_id, order_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.order_parts
    ADD CONSTRAINT order_parts_store_id_order_id_fkey FOREIGN KEY (store_id, order_id) REFERENCES public.orders(store_id, id);
ALTER TABLE ONLY public.order_return_lines
    ADD CONSTRAINT order_return_lines_store_id_order_id_return_id_fkey FOREIGN KEY (store_id, order_id, return_id) REFERENCES public.order_returns(store_id, order_id, id);
ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id);
ALTER TABLE ONLY public.pages
    ADD CONSTRAINT pages_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id);
ALTER TABLE ONLY public.parcels
    ADD CONSTRAINT parcels_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.passkey_challenges
    ADD CONSTRAINT passkey_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.payment_proofs
    ADD CONSTRAINT payment_proofs_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES public.payments(id);
ALTER TABLE ONLY public.payment_proofs
    ADD CONSTRAINT payment_proofs_subscription_payment_id_fkey FOREIGN KEY (subscription_payment_id) REFERENCES public.subscription_payments(id);
ALTER TABLE ONLY public.payment_refunds
    ADD CONSTRAINT payment_refunds_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES public.payments(id);
ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id);
ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_store_id_order_id_fkey FOREIGN KEY (store_id, order_id) REFERENCES public.orders(store_id, id);
ALTER TABLE ONLY public.payout_pulls
    ADD CONSTRAINT payout_pulls_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id);
ALTER TABLE ONLY public.pickup_sources
    ADD CONSTRAINT pickup_sources_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES public.integrations(id);
ALTER TABLE ONLY public.pickups
    ADD CONSTRAINT pickups_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES public.integrations(id);
ALTER TABLE ONLY public.sheet_import_rows
    ADD CONSTRAINT product_import_rows_store_id_import_id_fkey FOREIGN KEY (store_id, import_id) REFERENCES public.sheet_imports(store_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sheet_imports
    ADD CONSTRAINT product_imports_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id);
ALTER TABLE ONLY public.product_keys
    ADD CONSTRAINT product_keys_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id);
ALTER TABLE ONLY public.product_landing_page_templates
    ADD CONSTRAINT product_landing_page_templates_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id);
ALTER TABLE ONLY public.product_skus
    ADD CONSTRAINT product_skus_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id);
ALTER TABLE ONLY public.products
    ADD CONSTRAINT products_category FOREIGN KEY (store_id, category_id) REFERENCES public.categories(store_id, id) ON DELETE SET NULL (category_id);
ALTER TABLE ONLY public.products
    ADD CONSTRAINT products_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id);
ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);
ALTER TABLE ONLY public.promo_redemptions
    ADD CONSTRAINT promo_redemptions_promo_id_fkey FOREIGN KEY (promo_id) REFERENCES public.promos(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.promos
    ADD CONSTRAINT promos_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id);
ALTER TABLE ONLY public.proxy_hosts
    ADD CONSTRAINT proxy_hosts_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.row_sources
    ADD CONSTRAINT row_sources_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES public.integrations(id);
ALTER TABLE ONLY public.row_sources
    ADD CONSTRAINT row_sources_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.second_factors
    ADD CONSTRAINT second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.session_tokens
    ADD CONSTRAINT session_tokens_admin_id_fkey FOREIGN KEY (admin_id) REFERENCES public.users(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.session_tokens
    ADD CONSTRAINT session_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sheet_targets
    ADD CONSTRAINT sheet_targets_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES public.integrations(id);
ALTER TABLE ONLY public.sheet_targets
    ADD CONSTRAINT sheet_targets_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.social_identities
    ADD CONSTRAINT social_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.social_states
    ADD CONSTRAINT social_states_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.social_tickets
    ADD CONSTRAINT social_tickets_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.states
    ADD CONSTRAINT states_country_code_carrier_code_fkey FOREIGN KEY (country_code, carrier_code) REFERENCES public.states(country_code, code) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.states
    ADD CONSTRAINT states_country_code_fkey FOREIGN KEY (country_code) REFERENCES public.countries(code);
ALTER TABLE ONLY public.store_blocks
    ADD CONSTRAINT store_blocks_blocked_by_fkey FOREIGN KEY (blocked_by) REFERENCES public.users(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.store_blocks
    ADD CONSTRAINT store_blocks_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.store_domains
    ADD CONSTRAINT store_domains_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.store_invitations
    ADD CONSTRAINT store_invitations_accepted_by_fkey FOREIGN KEY (accepted_by) REFERENCES public.users(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.store_invitations
    ADD CONSTRAINT store_invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES public.users(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.store_invitations
    ADD CONSTRAINT store_invitations_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.store_landing_pages
    ADD CONSTRAINT store_landing_pages_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.store_members
    ADD CONSTRAINT store_members_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.store_members
    ADD CONSTRAINT store_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.store_template_previews
    ADD CONSTRAINT store_previews_template FOREIGN KEY (template_id) REFERENCES public.templates(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.store_template_previews
    ADD CONSTRAINT store_template_previews_started_by_fkey FOREIGN KEY (started_by) REFERENCES public.users(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.store_template_previews
    ADD CONSTRAINT store_template_previews_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.store_views
    ADD CONSTRAINT store_views_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.stores
    ADD CONSTRAINT stores_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.stores
    ADD CONSTRAINT stores_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.subscription_credits
    ADD CONSTRAINT subscription_credits_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.subscription_invoices
    ADD CONSTRAINT subscription_invoices_plan FOREIGN KEY (plan) REFERENCES public.plans(code);
ALTER TABLE ONLY public.subscription_invoices
    ADD CONSTRAINT subscription_invoices_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.subscription_payments
    ADD CONSTRAINT subscription_payments_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id);
ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_next_plan FOREIGN KEY (next_plan) REFERENCES public.plans(code);
ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_plan FOREIGN KEY (plan) REFERENCES public.plans(code);
ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.templates
    ADD CONSTRAINT templates_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id);
ALTER TABLE ONLY public.tenant_members
    ADD CONSTRAINT tenant_members_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.tenant_members
    ADD CONSTRAINT tenant_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.tenants
    ADD CONSTRAINT tenants_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES public.users(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook_notices
    ADD CONSTRAINT webhook_notices_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;
