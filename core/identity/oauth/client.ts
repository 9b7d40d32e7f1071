import type { Context } from '../../context.ts'
import { rateHeaders } from '../../http/rate-headers.ts'
import { constantTimeEqual, sha256 } from '../../lib/crypto/crypto.ts'
import { MINUTE_MS } from '../../lib/durations.ts'
import { evictOldest } from '../../lib/evict-oldest.ts'
import { networkOf } from '../../lib/net/addresses.ts'
import { type App, findClientApp } from '../apps/client.ts'
import { isMetadataDocumentUrl } from '../apps/metadata-document-url.ts'
import { ClientMetadataError } from '../apps/register.ts'
import { tagOf } from '../auth/credentials/authenticate.ts'
import type { FormParameters } from './authorize/form.ts'
import { invalidRequest, Refusal } from './refusal.ts'
import { throttleDocumentFetch } from './registration.ts'

const BLOCKED_MAX = 10_000
/** Maximum number of wrong secrets of an app per minute from one network. */
const WRONG_SECRETS = 20

/** App that sends a request, as far as it authenticated itself. */
export interface OAuthClient {
  readonly app: App
  /** True when the app proved its secret. A public app only names itself. */
  readonly isProven: boolean
  /** Counts an unknown code or token against the network of a public app. Throws `slow_down` over the limit. */
  recordWrongGuess(): Promise<void>
}

interface ClientCredentials {
  readonly id: string
  readonly secret: string | null
}

/**
 * Creates the client authentication: `client_secret_basic`, `client_secret_post` or `none`. Wrong secrets are counted by app and network,
 * other errors by network. A network over the limit is refused until the minute ends.
 */
export function clientAuthenticator(context: Pick<Context, 'sql' | 'shared' | 'config' | 'clientApps' | 'documentApps'>) {
  const { sql, shared, config, clientApps, documentApps } = context
  const blocked = new Map<string, number>()

  function assertNotBlocked(key: string) {
    const waitMs = (blocked.get(key) ?? 0) - Date.now()
    if (waitMs > 0) throw slowDown(waitMs)
  }

  async function count(key: string, most: number, headers: Record<string, string> = {}) {
    const { count: times, resetMs } = await shared.countHit(`oauth:${key}`, MINUTE_MS)
    Object.assign(headers, rateHeaders(most, most - times, resetMs))
    if (times <= most) return
    evictOldest(blocked, BLOCKED_MAX - 1)
    blocked.set(key, Date.now() + resetMs)
    throw slowDown(resetMs)
  }

  /** Finds an app in the cache, or loads it. Changes evict it. */
  const appOf = (id: string, address: string) =>
    clientApps.getOrLoad(id, async () => {
      const loading = isMetadataDocumentUrl(id)
        ? documentApps.find(id, () => throttleDocumentFetch(context, address)).catch(ignoreMetadataError)
        : findClientApp(sql, id)
      const app = await loading
      return app ? { value: app, tags: [tagOf.app(app.id)] } : null
    })

  /** Writes the remaining rate limit into `headers`. */
  return async (request: Request, form: FormParameters, address: string, headers: Record<string, string>): Promise<OAuthClient> => {
    const network = networkOf(address)
    const everywhere = `guesses@${network}`
    const guessedWrong = (responseHeaders?: Record<string, string>) => count(everywhere, config.publicRateLimitPerMinute, responseHeaders)
    assertNotBlocked(everywhere)
    const credentials = await readCredentials(request, form, () => guessedWrong(headers))
    const pair = `${credentials.id.slice(0, 64)}@${network}`
    assertNotBlocked(pair)
    const app = await appOf(credentials.id, address)
    if (!app || !isSecretCorrect(app, credentials)) {
      await count(pair, WRONG_SECRETS)
      await guessedWrong()
      throw unknownClient()
    }
    const isProven = credentials.secret !== null
    // Anybody can name a public app, so its requests are counted by network instead.
    const counted = isProven
      ? ([app.id, config.rateLimitPerMinute] as const)
      : ([`public@${network}`, config.publicRateLimitPerMinute] as const)
    await count(`asks:${counted[0]}`, counted[1], headers)
    // An app that proved its secret may send old tokens of its users: they are no guesses, and its requests are counted anyway.
    return { app, isProven, recordWrongGuess: isProven ? async () => {} : () => guessedWrong() }
  }
}

/** Returns undefined for an invalid metadata document, which identifies no client. Throws all other errors. */
function ignoreMetadataError(error: unknown): undefined {
  if (!(error instanceof ClientMetadataError)) throw error
}

/** Reads the credentials of a client. Malformed ones count like wrong ones. */
async function readCredentials(request: Request, form: FormParameters, guessedWrong: () => Promise<void>): Promise<ClientCredentials> {
  try {
    return parseCredentials(request, form)
  } catch (error) {
    await guessedWrong()
    throw error
  }
}

function parseCredentials(request: Request, form: FormParameters): ClientCredentials {
  const header = request.headers.get('authorization')
  const [id, secret] = [form.get('client_id'), form.get('client_secret') ?? null]
  if (header === null) {
    if (id === undefined) throw unknownClient()
    return { id, secret }
  }
  if (secret !== null) throw invalidRequest('Send the client secret only once: in the header or in the body.')
  const basic = parseBasicHeader(header)
  if (!basic) throw unknownClient()
  if (id !== undefined && id !== basic.id) throw invalidRequest('client_id differs from the one in the Authorization header.')
  return basic
}

/** Parses HTTP Basic credentials. Both parts are form-encoded (RFC 6749, section 2.3.1). Returns null when they are malformed. */
function parseBasicHeader(header: string): { id: string; secret: string } | null {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1]
  const [, id, secret] = (encoded && /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8'))) || []
  if (id === undefined || secret === undefined) return null
  try {
    const [one, other] = [id, secret].map((part) => decodeURIComponent(part.replace(/\+/g, ' ')))
    return one !== undefined && other !== undefined && !one.includes('\0') ? { id: one, secret: other } : null
  } catch {
    return null
  }
}

/** Tells if the secret is correct. A public app must not send one. */
const isSecretCorrect = ({ secretHash }: App, { secret }: ClientCredentials) =>
  secretHash === null ? secret === null : secret !== null && constantTimeEqual(secretHash, sha256(secret))

const unknownClient = () => new Refusal('invalid_client', 'The client_id or its secret is wrong.')

function slowDown(waitMs: number): Refusal {
  const wait = String(Math.ceil(waitMs / 1000))
  return new Refusal('slow_down', `Too many requests or failed attempts. Wait ${wait} s.`, { headers: { 'retry-after': wait } })
}
