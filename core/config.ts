import { resolve } from 'node:path'
import type { Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Settings } from './settings.ts'

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
      wrong.map((name) => `${name} must be ${Settings.properties[name as keyof typeof Settings.properties]?.accepts}.`).join('\n'),
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
    console: value.CONSOLE,
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
