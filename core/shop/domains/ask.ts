import type { Context } from '../../context.ts'
import { ApiError, notFound } from '../../http/errors/errors.ts'
import { constantTimeEqual } from '../../lib/crypto/crypto.ts'
import { evictOldest } from '../../lib/evict-oldest.ts'
import { isHeld } from './domains.queries.ts'

const [KEPT_MS, REFUSED_KEPT_MS, KEPT_MAX] = [10_000, 2_000, 10_000]
const OWN_MACHINE = /^(local|::1|127\.[\d.]+|::ffff:127\.[\d.]+)$/

/** Who asks: a web server that is about to get a certificate. */
export interface Asking {
  readonly address: string
  readonly headers: Headers
  readonly token: string | undefined
}

export interface Doorkeeper {
  /** Throws `not_found` where no store has proven that the domain is its own, and `forbidden` for who may not ask. */
  assertOurs(domain: string, asking: Asking): Promise<void>
  /** Whether a store has proven that the host is its own. */
  isProven(host: string): Promise<boolean>
}

/** What was answered is remembered for some seconds: a handshake waits for it, and strangers can cause as many as they will. */
export function openDoorkeeper({ sql, config }: Pick<Context, 'sql' | 'config'>): Doorkeeper {
  const known = new Map<string, { readonly until: number; readonly isOurs: Promise<boolean> }>()
  const look = (host: string) => {
    const entry = known.get(host)
    if (entry && entry.until > Date.now()) return entry.isOurs
    const isOurs = isHeld(sql, host)
    known.delete(host)
    evictOldest(known, KEPT_MAX - 1)
    known.set(host, { until: Date.now() + REFUSED_KEPT_MS, isOurs })
    isOurs.then(
      (ours) => ours && known.set(host, { until: Date.now() + KEPT_MS, isOurs }),
      () => known.delete(host),
    )
    return isOurs
  }
  return {
    isProven: look,
    async assertOurs(domain, asking) {
      if (!mayAsk(config.domainAskToken, asking))
        throw new ApiError('forbidden', 'Ask from the same machine, or with the token of DOMAIN_ASK_TOKEN.')
      if (!(await look(domain.toLowerCase().replace(/\.$/, '')))) throw notFound('A store with this domain')
    },
  }
}

/** Whoever has the token; without one, what comes from this machine and was handed on by nobody. */
function mayAsk(needed: string | undefined, { address, headers, token }: Asking): boolean {
  if (needed !== undefined) return token !== undefined && constantTimeEqual(token, needed)
  return OWN_MACHINE.test(address) && !headers.has('x-forwarded-for') && !headers.has('forwarded')
}
