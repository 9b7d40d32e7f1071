import { resolve } from 'node:path'
import { type Static, Type as T } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

const Flag = T.Boolean({ description: 'true or false' })

/** Settings of the process, each an environment variable. */
const Settings = T.Object({
  PORT: T.Integer({ minimum: 0, maximum: 65535, default: 3000, description: 'a port number, 0 for any free one' }),
  REUSE_PORT: T.Boolean({ default: false, ...Flag }),
  DRAIN_SECONDS: T.Number({ minimum: 0, maximum: 300, default: 1, description: 'seconds, 0 to 300' }),
  HOST: T.String({ minLength: 1, default: '127.0.0.1', description: 'the address to listen on' }),
  DATABASE_URL: T.Optional(T.String({ pattern: '^postgres(ql)?://', description: 'postgres://…; unset for the embedded database' })),
  DATABASE_POOLER: T.Union([T.Literal('none'), T.Literal('transaction')], {
    default: 'none',
    description: 'none, or transaction where a pooler (PgBouncer) that pools by transactions stands at DATABASE_URL',
  }),
  DATABASE_REPLICA_URL: T.Optional(
    T.String({ pattern: '^postgres(ql)?://', description: 'postgres://… of a streaming replica, for reads that may be a second old' }),
  ),
  DATABASE_POOL: T.Integer({ minimum: 2, maximum: 200, default: 12, description: 'connections to the database, 2 to 200' }),
  REDIS_URL: T.Optional(T.String({ pattern: '^rediss?://', description: 'redis://…; unset to keep it in memory' })),
  REDIS_PREFIX: T.String({
    default: 'serai:',
    pattern: '^[\\w:.-]{1,60}$',
    description: 'what names in Redis begin with: letters, digits and : . - _',
  }),
  DATA_DIR: T.String({ minLength: 1, default: '.data', description: 'a folder' }),
  ENCRYPTION_KEY: T.Optional(T.String({ pattern: '^[A-Za-z0-9+/]{43}=$', description: '32 bytes in base64' })),
  ENCRYPTION_KEY_PREVIOUS: T.Optional(T.String({ pattern: '^[A-Za-z0-9+/]{43}=$', description: '32 bytes in base64' })),
  PUBLIC_URL: T.Optional(T.String({ pattern: '^https?://[^/]+', description: 'the address that the world uses, https://…' })),
  ADAPTER_DIRS: T.String({ default: '', description: 'folders with adapters of your own, separated by :' }),
  ADAPTER_HOSTS: T.String({
    default: '',
    pattern: '^$|^([a-z][a-z0-9-]*=[a-z0-9*.-]+)(,[a-z][a-z0-9-]*=[a-z0-9*.-]+)*$',
    description: 'slug=host pairs separated by commas: hosts that an adapter may reach besides those that it declares',
  }),
  ENABLED_ADAPTERS: T.String({ default: '', description: 'slugs separated by commas; empty for all' }),
  ADAPTER_ISOLATION: T.Union([T.Literal('third-party'), T.Literal('all'), T.Literal('none')], {
    default: 'third-party',
    description: 'third-party, all or none',
  }),
  ADAPTER_APPROVAL: T.Union([T.Literal('ask'), T.Literal('auto')], { default: 'ask', description: 'ask or auto' }),
  SANDBOX_PROCESSES: T.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'processes of adapters at once, 1 to 1000' }),
  SANDBOX_MEMORY_MB: T.Integer({ minimum: 16, maximum: 4096, default: 64, description: 'megabytes for the heap of one, 16 to 4096' }),
  SIMULATORS: T.String({
    default: '',
    pattern: '^$|^([^=,]+=https?://[^,]+)(,[^=,]+=https?://[^,]+)*$',
    description: 'host=http://address pairs separated by commas: stand-ins for carriers, for rehearsals',
  }),
  ALLOW_PRIVATE_WEBHOOKS: T.Boolean({ default: false, description: 'true or false' }),
  LOG_LEVEL: T.Union([...['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((l) => T.Literal(l))], {
    default: 'info',
    description: 'fatal, error, warn, info, debug, trace or silent',
  }),
  OPEN_SIGNUP: T.Boolean({ default: true, ...Flag }),
  RATE_LIMIT_PER_MINUTE: T.Integer({ minimum: 1, default: 600, description: 'requests a minute for each credential' }),
  PUBLIC_RATE_LIMIT_PER_MINUTE: T.Integer({
    minimum: 1,
    default: 60,
    description: 'requests a minute for each address, for what needs no credential',
  }),
  TENANT_MAX_PROJECTS: T.Integer({ minimum: 1, default: 200, description: 'projects of a tenant that has no limit of its own' }),
  TENANT_MAX_KEYS: T.Integer({ minimum: 1, default: 100, description: 'API keys of a project that work' }),
  TENANT_MAX_PEOPLE: T.Integer({ minimum: 1, default: 100, description: 'people of a tenant, its owner among them' }),
  TENANT_REQUESTS_PER_MINUTE: T.Integer({
    minimum: 0,
    default: 0,
    description: 'requests a minute of all keys and apps of a tenant together, 0 for no limit',
  }),
  TRUSTED_PROXIES: T.Integer({
    minimum: 0,
    maximum: 10,
    default: 0,
    description: 'how many proxies of yours stand before the server, 0 to 10',
  }),
  DEFAULT_COUNTRY: T.Optional(
    T.String({ pattern: '^[A-Z]{2}$', description: 'two capital letters of ISO 3166: the country of an address that names none' }),
  ),
  SMTP_URL: T.Optional(
    T.String({
      pattern: '^smtps?://[^\\s/]+/?(\\?tls=(required|optional))?$',
      description: 'smtp://user:password@host:port or smtps://…; ?tls=optional where a password may go to a server without TLS',
    }),
  ),
  MAIL_FROM: T.Optional(
    T.String({
      maxLength: 400,
      pattern: '^[^<>]*<[^<>@\\s]+@[^<>@\\s]+>$|^[^<>@\\s]+@[^<>@\\s]+$',
      description: 'an address, or Name <address>',
    }),
  ),
  DEFAULT_LANGUAGE: T.Union([T.Literal('en'), T.Literal('fr'), T.Literal('ar')], { default: 'en', description: 'en, fr or ar' }),
  FILES_S3_URL: T.Optional(
    T.String({
      pattern: '^https?://[^\\s/:@]+:[^\\s/@]+@[^\\s/]+/[^\\s/?]+(\\?region=[\\w-]+)?$',
      description: 'https://key:secret@host/bucket, with ?region=… where the store has regions; unset to keep files in DATA_DIR',
    }),
  ),
  FILES_MB_PER_OWNER: T.Integer({
    minimum: 1,
    maximum: 10_000_000,
    default: 2048,
    description: 'megabytes of files that one store, or one user, may keep',
  }),
  DNS_SERVERS: T.String({
    default: '',
    pattern: '^$|^([0-9.]+(:\\d{1,5})?|\\[[0-9A-Fa-f:]+\\](:\\d{1,5})?)(,([0-9.]+(:\\d{1,5})?|\\[[0-9A-Fa-f:]+\\](:\\d{1,5})?))*$',
    description: 'addresses of DNS servers separated by commas, with :port where it is not 53; empty for those of the system',
  }),
  ALLOWED_HOSTS: T.String({
    default: '',
    pattern: '^$|^[A-Za-z0-9.-]{1,253}(,[A-Za-z0-9.-]{1,253})*$',
    description: 'host names separated by commas that requests may name besides the one of PUBLIC_URL',
  }),
  DOMAIN_TARGET: T.Optional(
    T.String({
      pattern: '^[A-Za-z0-9.-]{1,253}$',
      description: "a host name or an IPv4 address that domains of stores lead to; PUBLIC_URL's, unless set",
    }),
  ),
  DOMAIN_ASK_TOKEN: T.Optional(
    T.String({
      pattern: '^[\\w-]{16,200}$',
      description: '16 to 200 letters, digits, - and _: a web server on another machine asks with it',
    }),
  ),
  APP_STORE_BUNDLE_ID: T.Optional(
    T.String({ pattern: '^[A-Za-z0-9.-]{1,155}$', description: 'the bundle of the app that sells months of plans' }),
  ),
  APP_STORE_APP_ID: T.Optional(T.Integer({ minimum: 1, description: 'the number of the app in the App Store' })),
  APP_STORE_ENVIRONMENT: T.Union([T.Literal('Production'), T.Literal('Sandbox')], {
    default: 'Production',
    description: 'Production or Sandbox',
  }),
  APP_STORE_ROOTS: T.String({ default: '', description: "files with Apple's root certificates, separated by :" }),
  PLAY_STORE_PACKAGE: T.Optional(
    T.String({ pattern: '^[A-Za-z0-9_.]{1,150}$', description: 'the package of the app that sells months of plans' }),
  ),
  PLAY_STORE_ACCOUNT: T.Optional(T.String({ minLength: 1, description: 'the JSON file of a service account that may read purchases' })),
  PLAY_STORE_TESTERS: T.Boolean({ default: false, ...Flag }),
  CORS_ORIGINS: T.String({ default: '*', description: '* or origins separated by commas' }),
  WORKER_CONCURRENCY: T.Integer({ minimum: 1, maximum: 500, default: 40, description: 'background jobs at once, 1 to 500' }),
  // Bun reads this variable itself when it starts.
  BUN_CONFIG_MAX_HTTP_REQUESTS: T.Integer({
    minimum: 32,
    maximum: 65535,
    default: 256,
    description: 'requests that go out at once, 32 to 65535',
  }),
})

/** Sizes in bytes and times in milliseconds that operators do not set. */
export const limits = {
  bodyBytes: 1024 * 1024,
  uploadBytes: 20 * 1024 * 1024,
  sendWaitMs: 10_000,
  carrierCallMs: 30_000,
  sandboxLookMs: 100,
  shutdownMs: 25_000,
} as const

/** Parsed configuration of the process, as {@link readConfig} returns it. */
export type Config = ReturnType<typeof readConfig>

/** Parses environment variables. Throws one error that names every invalid setting and the values it accepts. */
export function readConfig(environment: Record<string, string | undefined>) {
  const given = Object.fromEntries(
    Object.keys(Settings.properties).flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
  )
  const value = Value.Convert(Settings, Value.Default(Settings, given)) as Static<typeof Settings>
  const wrong = [...new Set([...Value.Errors(Settings, value)].map((problem) => problem.path.slice(1)))]
  if (wrong.length > 0) {
    throw new Error(
      wrong.map((name) => `${name} must be ${Settings.properties[name as keyof typeof Settings.properties]?.description}.`).join('\n'),
    )
  }
  return {
    port: value.PORT,
    host: value.HOST,
    reusePort: value.REUSE_PORT,
    drainMs: value.DRAIN_SECONDS * 1000,
    databaseUrl: value.DATABASE_URL,
    databasePooler: value.DATABASE_POOLER as 'none' | 'transaction',
    databaseReplicaUrl: value.DATABASE_REPLICA_URL,
    databasePool: value.DATABASE_POOL,
    redisUrl: value.REDIS_URL,
    redisPrefix: value.REDIS_PREFIX,
    dataDir: resolve(value.DATA_DIR),
    encryptionKey: value.ENCRYPTION_KEY,
    previousEncryptionKey: value.ENCRYPTION_KEY_PREVIOUS,
    publicUrl: value.PUBLIC_URL?.replace(/\/+$/, ''),
    adapterDirs: list(value.ADAPTER_DIRS, ':').map((dir) => resolve(dir)),
    adapterHosts: hostsBySlug(list(value.ADAPTER_HOSTS, ',')),
    enabledAdapters: list(value.ENABLED_ADAPTERS, ','),
    adapterIsolation: value.ADAPTER_ISOLATION,
    adapterApproval: value.ADAPTER_APPROVAL,
    sandboxProcesses: value.SANDBOX_PROCESSES,
    sandboxMemoryMb: value.SANDBOX_MEMORY_MB,
    sandboxLookMs: limits.sandboxLookMs as number,
    simulators: Object.fromEntries(list(value.SIMULATORS, ',').map((pair) => pair.split(/=(.*)/s).slice(0, 2) as [string, string])),
    allowPrivateWebhooks: value.ALLOW_PRIVATE_WEBHOOKS,
    logLevel: value.LOG_LEVEL as string,
    openSignup: value.OPEN_SIGNUP,
    rateLimitPerMinute: value.RATE_LIMIT_PER_MINUTE,
    publicRateLimitPerMinute: value.PUBLIC_RATE_LIMIT_PER_MINUTE,
    tenantLimits: {
      maxProjects: value.TENANT_MAX_PROJECTS,
      maxKeysPerProject: value.TENANT_MAX_KEYS,
      maxPeople: value.TENANT_MAX_PEOPLE,
      requestsPerMinute: value.TENANT_REQUESTS_PER_MINUTE,
    },
    trustedProxies: value.TRUSTED_PROXIES,
    defaultCountry: value.DEFAULT_COUNTRY,
    smtpUrl: value.SMTP_URL,
    mailFrom: value.MAIL_FROM,
    defaultLanguage: value.DEFAULT_LANGUAGE as 'en' | 'fr' | 'ar',
    filesS3Url: value.FILES_S3_URL,
    filesMbPerOwner: value.FILES_MB_PER_OWNER,
    dnsServers: list(value.DNS_SERVERS, ','),
    allowedHosts: list(value.ALLOWED_HOSTS, ','),
    domainTarget: value.DOMAIN_TARGET,
    domainAskToken: value.DOMAIN_ASK_TOKEN,
    appStore: {
      bundleId: value.APP_STORE_BUNDLE_ID,
      appId: value.APP_STORE_APP_ID,
      environment: value.APP_STORE_ENVIRONMENT as 'Production' | 'Sandbox',
      roots: list(value.APP_STORE_ROOTS, ':').map((file) => resolve(file)),
    },
    playStore: {
      packageName: value.PLAY_STORE_PACKAGE,
      accountFile: value.PLAY_STORE_ACCOUNT === undefined ? undefined : resolve(value.PLAY_STORE_ACCOUNT),
      takesTests: value.PLAY_STORE_TESTERS,
    },
    corsOrigins: list(value.CORS_ORIGINS, ','),
    workerConcurrency: value.WORKER_CONCURRENCY,
    requestsOutMax: value.BUN_CONFIG_MAX_HTTP_REQUESTS,
  }
}

const list = (text: string, separator: string) =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean)

function hostsBySlug(pairs: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const split = pairs.map((pair) => pair.split('=') as [string, string])
  return Object.fromEntries(
    Map.groupBy(split, ([slug]) => slug)
      .entries()
      .map(([slug, of]) => [slug, of.map(([, host]) => host)]),
  )
}
