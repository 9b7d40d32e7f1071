import type { Context } from '../../context.ts'
import { constantTimeEqual } from '../../lib/crypto/crypto.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { evictOldest } from '../../lib/evict-oldest.ts'
import { storeDomainErrors } from './domains.errors.ts'
import { isProvenHost } from './domains.queries.ts'

const [PROVEN_TTL_MS, UNPROVEN_TTL_MS, CACHE_MAX] = [10_000, 2_000, 10_000]
const LOOPBACK = /^(local|::1|127\.[\d.]+|::ffff:127\.[\d.]+)$/

/** Request of a web server that is about to obtain a certificate. */
export interface CertificateRequest {
  readonly address: string
  readonly headers: Headers
  readonly token: string | undefined
}

/** Hosts that stores have proven to own, cached for seconds. */
export interface ProvenHosts {
  /** Throws `not_found` where no store has proven the domain, `forbidden` for a caller who may not ask. */
  assertCertificateAllowed(domain: string, request: CertificateRequest): Promise<void>
  /** Returns true where a store has proven the host. */
  isProven(host: string): Promise<boolean>
}

/**
 * Opens the cache of proven hosts. A TLS handshake waits for each lookup, and anybody can cause handshakes, so answers are cached for some
 * seconds.
 */
export function openProvenHosts({ sql, config }: Pick<Context, 'sql' | 'config'>): ProvenHosts {
  const known = new Map<string, { readonly until: number; readonly isOurs: Promise<boolean> }>()
  const isProvenCached = (host: string) => {
    const entry = known.get(host)
    if (entry && entry.until > Date.now()) return entry.isOurs
    const isOurs = isProvenHost(sql, host)
    known.delete(host)
    evictOldest(known, CACHE_MAX - 1)
    known.set(host, { until: Date.now() + UNPROVEN_TTL_MS, isOurs })
    isOurs.then(
      (ours) => ours && known.set(host, { until: Date.now() + PROVEN_TTL_MS, isOurs }),
      () => known.delete(host),
    )
    return isOurs
  }
  return {
    isProven: isProvenCached,
    async assertCertificateAllowed(domain, request) {
      if (!isTrusted(config.domainAskToken, request)) throw storeDomainErrors.askForbidden()
      if (!(await isProvenCached(domain.toLowerCase().replace(/\.$/, '')))) throw notFound('A store with this domain')
    },
  }
}

/**
 * Returns true for a request with the configured token. Without a configured token, returns true for a direct request from this machine,
 * which no proxy has forwarded.
 */
function isTrusted(needed: string | undefined, { address, headers, token }: CertificateRequest): boolean {
  if (needed !== undefined) return token !== undefined && constantTimeEqual(token, needed)
  return LOOPBACK.test(address) && !headers.has('x-forwarded-for') && !headers.has('forwarded')
}
