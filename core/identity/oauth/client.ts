import type { Context } from '../../context.ts'
import { rateHeaders } from '../../http/rates.ts'
import { constantTimeEqual, sha256 } from '../../lib/crypto/crypto.ts'
import { evictOldest } from '../../lib/evict-oldest.ts'
import { networkOf } from '../../lib/net/addresses.ts'
import { type App, clientApp } from '../apps/client.ts'
import { isDocumentAddress } from '../apps/document-address.ts'
import { MetadataProblem } from '../apps/register.ts'
import { tagOf } from '../auth/credentials/authenticate.ts'
import type { Parameters } from './authorize/form.ts'
import { invalidRequest, Refusal } from './refusal.ts'
import { assertMayFetch } from './registration.ts'

const MINUTE_MS = 60_000
const BARRED_MAX = 10_000
/** Wrong secrets of one app from one network, in a minute. */
const WRONG_SECRETS = 20

/** Who asks, and how it may be asked what an app asks. */
export interface Client {
  readonly app: App
  /** Whether it proved its secret; a public app says only its name. */
  readonly isProven: boolean
  /** Says that what it brought (a code, a token) was none. Throws where it did that too often. */
  guessedWrong(): Promise<void>
}

interface Said {
  readonly id: string
  readonly secret: string | null
}

/**
 * The app that a request is from: `client_secret_basic`, `client_secret_post` or `none`. Wrong secrets are counted by app and network, all that
 * is wrong by network, unless its sender proved a secret; whoever has guessed too often is not looked at until the minute is over.
 */
export function openClients(context: Pick<Context, 'sql' | 'shared' | 'config' | 'clientApps' | 'documentApps'>) {
  const { sql, shared, config, clientApps, documentApps } = context
  const barred = new Map<string, number>()

  function assertNotBarred(key: string) {
    const waitMs = (barred.get(key) ?? 0) - Date.now()
    if (waitMs > 0) throw slowDown(waitMs)
  }

  async function count(key: string, most: number, headers: Record<string, string> = {}) {
    const { count: times, resetMs } = await shared.hit(`oauth:${key}`, MINUTE_MS)
    Object.assign(headers, rateHeaders(most, most - times, resetMs))
    if (times <= most) return
    evictOldest(barred, BARRED_MAX - 1)
    barred.set(key, Date.now() + resetMs)
    throw slowDown(resetMs)
  }

  /** An app is looked for once: what changes of it is heard of. */
  const appOf = (id: string, address: string) =>
    clientApps.find(id, async () => {
      const look = isDocumentAddress(id)
        ? documentApps.find(id, () => assertMayFetch(context, address)).catch(unknownOf)
        : clientApp(sql, id)
      const app = await look
      return app ? { value: app, tags: [tagOf.app(app.id)] } : null
    })

  /** What may still be asked is written into `headers`. */
  return async (request: Request, form: Parameters, address: string, headers: Record<string, string>): Promise<Client> => {
    const network = networkOf(address)
    const everywhere = `guesses@${network}`
    const guessedWrong = (told?: Record<string, string>) => count(everywhere, config.publicRateLimitPerMinute, told)
    assertNotBarred(everywhere)
    const said = await sayingWho(request, form, () => guessedWrong(headers))
    const pair = `${said.id.slice(0, 64)}@${network}`
    assertNotBarred(pair)
    const app = await appOf(said.id, address)
    if (!app || !isRight(app, said)) {
      await count(pair, WRONG_SECRETS)
      await guessedWrong()
      throw unknownClient()
    }
    const isProven = said.secret !== null
    // Whoever knows a public app's name could use up what it may ask.
    const counted = isProven
      ? ([app.id, config.rateLimitPerMinute] as const)
      : ([`public@${network}`, config.publicRateLimitPerMinute] as const)
    await count(`asks:${counted[0]}`, counted[1], headers)
    // Whoever proved a secret has a name: old tokens of his people are no guesses of a stranger, and how much he asks is counted.
    return { app, isProven, guessedWrong: isProven ? async () => {} : () => guessedWrong() }
  }
}

/** A document that is none names no client. */
function unknownOf(error: unknown): undefined {
  if (!(error instanceof MetadataProblem)) throw error
}

export type Clients = ReturnType<typeof openClients>

/** Who cannot even say that is counted like who says it wrongly. */
async function sayingWho(request: Request, form: Parameters, guessedWrong: () => Promise<void>): Promise<Said> {
  try {
    return saidIn(request, form)
  } catch (error) {
    await guessedWrong()
    throw error
  }
}

function saidIn(request: Request, form: Parameters): Said {
  const header = request.headers.get('authorization')
  const [id, secret] = [form.get('client_id'), form.get('client_secret') ?? null]
  if (header === null) {
    if (id === undefined) throw unknownClient()
    return { id, secret }
  }
  if (secret !== null) throw invalidRequest('Say your secret once: in the header or in the body.')
  const basic = basicIn(header)
  if (!basic) throw unknownClient()
  if (id !== undefined && id !== basic.id) throw invalidRequest('client_id is not the one of the Authorization header.')
  return basic
}

/** Both parts are written as in a form (RFC 6749, 2.3.1). */
function basicIn(header: string): { id: string; secret: string } | null {
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

/** An app with a secret has to prove it; one without must not pretend. */
const isRight = ({ secretHash }: App, { secret }: Said) =>
  secretHash === null ? secret === null : secret !== null && constantTimeEqual(secretHash, sha256(secret))

const unknownClient = () => new Refusal('invalid_client', 'The client_id or its secret is wrong.')

function slowDown(waitMs: number): Refusal {
  const wait = String(Math.ceil(waitMs / 1000))
  return new Refusal('slow_down', `Too many requests, or too many wrong ones. Wait ${wait} s.`, { headers: { 'retry-after': wait } })
}
