import { Type as T } from '@sinclair/typebox'

/** One environment variable: `description` is its meaning in docs/settings.md, `accepts` ends the sentence "NAME must be …". */
interface Texts {
  readonly description: string
  readonly accepts: string
}

const Flag = (byDefault: 'true' | 'false', description: string) =>
  T.Boolean({ default: byDefault === 'true', description, accepts: 'true or false' })
const Whole = (byDefault: number, [minimum, maximum]: [number, number?], { description, accepts }: Texts) =>
  T.Integer({ default: byDefault, minimum, ...(maximum !== undefined && { maximum }), description, accepts })
const Text = (pattern: string, texts: Texts) => T.Optional(T.String({ pattern, ...texts }))
const List = (pattern: string, texts: Texts) => T.String({ default: '', ...(pattern && { pattern: `^$|^${pattern}$` }), ...texts })
const OneOf = <const V extends string>(values: readonly V[], byDefault: NoInfer<V>, description: string) =>
  T.Union(
    values.map((value) => T.Literal(value)),
    { default: byDefault, description, accepts: `${values.slice(0, -1).join(', ')} or ${values.at(-1)}` },
  )

const POSTGRES = '^postgres(ql)?://'
const KEY = '^[A-Za-z0-9+/]{43}=$'
const HOST = '[A-Za-z0-9.-]{1,253}'
const DNS_SERVER = '([0-9.]+(:\\d{1,5})?|\\[[0-9A-Fa-f:]+\\](:\\d{1,5})?)'

/** Settings of the process by topic, each an environment variable. The only place of their meaning, default and limits. */
export const settingsByTopic = {
  Network: {
    PORT: Whole(3000, [0, 65535], { description: 'Port to listen on. 0 takes a free one.', accepts: 'a port number, 0 for any free one' }),
    HOST: T.String({
      minLength: 1,
      default: '127.0.0.1',
      description: 'Address to listen on. `0.0.0.0` listens on every IPv4 address of the machine.',
      accepts: 'the address to listen on',
    }),
    PUBLIC_URL: Text('^https?://[^/]+', {
      description:
        'Address under which the world reaches the server. Callbacks, links in mails, payment pages, OAuth and passkeys use it. Unset, it is `http://HOST:PORT`. If it is set, requests for another host get 421; let your proxy pass on the `Host` header.',
      accepts: 'the address that the world uses, https://…',
    }),
    ALLOWED_HOSTS: List(`${HOST}(,${HOST})*`, {
      description: 'More host names that requests may name. Verified store domains, addresses of this machine and `/health` need no entry.',
      accepts: 'host names separated by commas that requests may name besides the one of PUBLIC_URL',
    }),
    TRUSTED_PROXIES: Whole(0, [0, 10], {
      description: 'Number of your own proxies before the server. The client address is then read from `X-Forwarded-For`.',
      accepts: 'the number of your proxies before the server, 0 to 10',
    }),
    CORS_ORIGINS: T.String({
      default: '*',
      description: 'Origins from which browsers may call the API.',
      accepts: '* or origins separated by commas',
    }),
    RATE_LIMIT_PER_MINUTE: Whole(600, [1], {
      description: 'Requests per minute for each credential.',
      accepts: 'requests per minute for each credential, at least 1',
    }),
    PUBLIC_RATE_LIMIT_PER_MINUTE: Whole(60, [1], {
      description: 'Requests per minute for each address that sends no credential.',
      accepts: 'requests per minute for each address without a credential, at least 1',
    }),
  },
  Process: {
    DATA_DIR: T.String({
      minLength: 1,
      default: '.data',
      description: 'Folder for the embedded database, the encryption key, uploaded files, and mails while there is no mail server.',
      accepts: 'a folder',
    }),
    CONSOLE: Flag('true', 'Serves the web console, and lets people sign in to it with a session cookie.'),
    LOG_LEVEL: OneOf(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'info',
      'Least severity that is logged. `debug` logs every request.',
    ),
    WORKER_CONCURRENCY: Whole(40, [1, 500], {
      description: 'Background jobs at once. One project gets at most an eighth of them.',
      accepts: 'background jobs at once, 1 to 500',
    }),
    REUSE_PORT: Flag('false', 'Lets several processes listen on one port of this machine (Linux). Each gets a share of the connections.'),
    DRAIN_SECONDS: T.Number({
      minimum: 0,
      maximum: 300,
      default: 1,
      description:
        'Time after `SIGTERM` in which `/health/ready` answers 503 and connections are still accepted. Choose more than your proxy needs to notice.',
      accepts: 'seconds, 0 to 300',
    }),
    // Bun reads this variable itself when it starts.
    BUN_CONFIG_MAX_HTTP_REQUESTS: Whole(256, [32, 65535], {
      description: 'Outgoing requests at once. Bun reads it when it starts. Webhooks get at most three quarters of them.',
      accepts: 'outgoing requests at once, 32 to 65535',
    }),
  },
  'Database and Redis': {
    DATABASE_URL: Text(POSTGRES, {
      description: 'PostgreSQL 15 or newer. Unset, an embedded PostgreSQL 18 runs in `DATA_DIR`.',
      accepts: 'postgres://…; unset for the embedded database',
    }),
    DATABASE_POOL: Whole(12, [2, 200], {
      description:
        'Connections of this process for requests and jobs. Projects take turns at them. A few more serve the job queue and calls to carriers.',
      accepts: 'connections to the database, 2 to 200',
    }),
    DATABASE_POOLER: OneOf(
      ['none', 'transaction'],
      'none',
      'Set `transaction` if PgBouncer pools by transactions at `DATABASE_URL`. Jobs and webhooks are then polled 5 and 2 times per second ([more](scale/database.md#a-pooler)).',
    ),
    DATABASE_REPLICA_URL: Text(POSTGRES, {
      description:
        'Streaming replica of `DATABASE_URL`. Long lists are read there while it is at most a second behind ([more](scale/database.md#a-replica)).',
      accepts: 'postgres://… of a streaming replica',
    }),
    REDIS_URL: Text('^rediss?://', {
      description:
        'Shares rate limits, slots at carriers and live messages between processes. Unset, one process keeps them in memory. Nothing in it must last.',
      accepts: 'redis://…; unset to keep it in memory',
    }),
    REDIS_PREFIX: T.String({
      default: 'serai:',
      pattern: '^[\\w:.-]{1,60}$',
      description: 'Prefix of all names in Redis.',
      accepts: '1 to 60 letters, digits and : . - _',
    }),
  },
  'Encryption keys': {
    ENCRYPTION_KEY: Text(KEY, {
      description:
        'Seals credentials and webhook secrets. Unset, a key is created in `DATA_DIR`. Keep it with your backups: the server does not start with another key.',
      accepts: '32 bytes in base64',
    }),
    ENCRYPTION_KEY_PREVIOUS: Text(KEY, {
      description: 'Key before the present one, during a change of keys ([how](security.md#change-the-encryption-key)).',
      accepts: '32 bytes in base64',
    }),
  },
  'Sign-up and tenants': {
    OPEN_SIGNUP: Flag('true', 'Lets anybody sign up. The first person always can.'),
    TENANT_MAX_PROJECTS: Whole(200, [1], {
      description: 'Projects of a tenant that has no limit of its own.',
      accepts: 'projects, at least 1',
    }),
    TENANT_MAX_KEYS: Whole(100, [1], { description: 'Working API keys of a project.', accepts: 'API keys, at least 1' }),
    TENANT_MAX_PEOPLE: Whole(100, [1], { description: 'People of a tenant, its owner included.', accepts: 'people, at least 1' }),
    TENANT_REQUESTS_PER_MINUTE: Whole(0, [0], {
      description: 'Requests per minute of all keys and apps of a tenant together, besides the limit of each. 0 means no limit.',
      accepts: 'requests per minute, 0 for no limit',
    }),
  },
  Adapters: {
    ENABLED_ADAPTERS: List('', {
      description: 'Slugs of the adapters that are offered. Empty for all.',
      accepts: 'slugs separated by commas; empty for all',
    }),
    ADAPTER_DIRS: List('', {
      description: 'Folders with adapters of your own.',
      accepts: 'folders with adapters of your own, separated by :',
    }),
    ADAPTER_HOSTS: List('([a-z][a-z0-9-]*=[a-z0-9*.-]+)(,[a-z][a-z0-9-]*=[a-z0-9*.-]+)*', {
      description: 'Hosts that an adapter may reach besides those that it declares.',
      accepts: 'slug=host pairs separated by commas',
    }),
    ADAPTER_ISOLATION: OneOf(
      ['third-party', 'all', 'none'],
      'third-party',
      'Adapters that run in processes of their own, without permissions. `third-party` means those outside of this repository.',
    ),
    ADAPTER_APPROVAL: OneOf(
      ['ask', 'auto'],
      'ask',
      'With `ask`, an adapter from elsewhere serves after an operator approved it. `auto` accepts whatever is in the folders; use it for development.',
    ),
    SANDBOX_PROCESSES: Whole(100, [1, 1000], {
      description: 'Processes of adapters at once. One adapter gets at most three quarters of them.',
      accepts: 'processes of adapters at once, 1 to 1000',
    }),
    SANDBOX_MEMORY_MB: Whole(64, [16, 4096], {
      description: 'Heap of one adapter process, in megabytes.',
      accepts: 'megabytes, 16 to 4096',
    }),
    SIMULATORS: List('([^=,]+=https?://[^,]+)(,[^=,]+=https?://[^,]+)*', {
      description: 'Stand-ins for hosts of platforms, for rehearsals. `*.shops.example` covers all hosts below it.',
      accepts: 'host=http://address pairs separated by commas',
    }),
    ALLOW_PRIVATE_WEBHOOKS: Flag('false', 'Lets webhooks use plain HTTP and reach private networks. For local work only.'),
  },
  'Mail and files': {
    SMTP_URL: Text('^smtps?://[^\\s/]+/?(\\?tls=(required|optional))?$', {
      description:
        'Mail server. Unset, mails are files in `DATA_DIR/outbox`. A password is sent to another machine over TLS only, unless `?tls=optional` allows less.',
      accepts: 'smtp://user:password@host:port or smtps://…, with ?tls=optional if a password may go to a server without TLS',
    }),
    MAIL_FROM: T.Optional(
      T.String({
        maxLength: 400,
        pattern: '^[^<>]*<[^<>@\\s]+@[^<>@\\s]+>$|^[^<>@\\s]+@[^<>@\\s]+$',
        description: 'Sender of mails. Unset, the account of `SMTP_URL`, or an address at the host of `PUBLIC_URL`.',
        accepts: 'an address, or Name <address>',
      }),
    ),
    DEFAULT_LANGUAGE: OneOf(['en', 'fr', 'ar'], 'en', 'Language of mails to people whose language is not known.'),
    FILES_S3_URL: Text('^https?://[^\\s/:@]+:[^\\s/@]+@[^\\s/]+/[^\\s/?]+(\\?region=[\\w-]+)?$', {
      description: 'Bucket for uploaded files, at any store that speaks S3. Unset, files are in `DATA_DIR/files`.',
      accepts: 'https://key:secret@host/bucket, with ?region=… if the store has regions',
    }),
    FILES_MB_PER_OWNER: Whole(2048, [1, 10_000_000], {
      description: 'Files that one store, or one user, may keep, in megabytes.',
      accepts: 'megabytes, 1 to 10000000',
    }),
  },
  'Countries and domains': {
    DEFAULT_COUNTRY: Text('^[A-Z]{2}$', {
      description:
        'Country of an address if neither the request nor the store names one. Unset, the first built-in country ([more](countries.md)).',
      accepts: 'two capital letters of ISO 3166',
    }),
    DOMAIN_TARGET: Text(`^${HOST}$`, {
      description: 'Target that store domains must point to. Unset, the host of `PUBLIC_URL`.',
      accepts: 'a host name or an IPv4 address',
    }),
    DOMAIN_ASK_TOKEN: Text('^[\\w-]{16,200}$', {
      description:
        'Token of a web server on another machine that asks whether a domain belongs to a store. Unset, only this machine may ask.',
      accepts: '16 to 200 letters, digits, - and _',
    }),
    DNS_SERVERS: List(`${DNS_SERVER}(,${DNS_SERVER})*`, {
      description: "DNS servers for checks of store domains. Empty for the system's.",
      accepts: 'addresses separated by commas, with :port where it is not 53',
    }),
  },
  'Plans sold in apps': {
    APP_STORE_BUNDLE_ID: Text('^[A-Za-z0-9.-]{1,155}$', {
      description: 'Bundle of the app that sells months of plans in the App Store. Unset, no app does.',
      accepts: 'a bundle id of letters, digits, . and -',
    }),
    APP_STORE_APP_ID: T.Optional(
      T.Integer({ minimum: 1, description: 'Number of that app in the App Store.', accepts: 'a whole number, at least 1' }),
    ),
    APP_STORE_ENVIRONMENT: OneOf(['Production', 'Sandbox'], 'Production', 'With `Sandbox`, purchases by testers of the app count.'),
    APP_STORE_ROOTS: List('', { description: "Files with Apple's root certificates.", accepts: 'files separated by :' }),
    PLAY_STORE_PACKAGE: Text('^[A-Za-z0-9_.]{1,150}$', {
      description: 'Package of the app that sells months of plans in the Play Store. Unset, no app does.',
      accepts: 'a package name of letters, digits, _ and .',
    }),
    PLAY_STORE_ACCOUNT: T.Optional(
      T.String({ minLength: 1, description: 'JSON file of a service account that may read purchases.', accepts: 'a file' }),
    ),
    PLAY_STORE_TESTERS: Flag('false', 'Counts purchases by testers of the app in the Play Store.'),
  },
}

const { Network, Process, Adapters, ...named } = settingsByTopic

/** Schema of all settings together. */
export const Settings = T.Object({
  ...Network,
  ...Process,
  ...Adapters,
  ...named['Database and Redis'],
  ...named['Encryption keys'],
  ...named['Sign-up and tenants'],
  ...named['Mail and files'],
  ...named['Countries and domains'],
  ...named['Plans sold in apps'],
})
