import type { Context } from '../../../context.ts'
import { projectIdOf } from '../../../data/project-ids.ts'
import { transaction } from '../../../data/sql.ts'
import { limitConcurrency } from '../../../http/concurrency.ts'
import { hostOf } from '../../../lib/net/addresses.ts'
import { OutboundError } from '../../../lib/net/outbound-error.ts'
import type { OutboundResponse } from '../../../lib/net/outbound-request.ts'
import { isDeclaredHost } from '../../../lib/net/outbound-target.ts'
import { recordAudit } from '../../../platform/audit/record-audit.ts'
import { lockExistingDetails } from '../../../shop/stores/stores.ts'
import { actionErrors } from '../actions.errors.ts'
import type { ProxyAnswer, ProxyHosts, ProxyRequest } from './proxy.model.ts'
import { findHosts, upsertHosts } from './proxy.queries.ts'

type Needs = Pick<Context, 'sql' | 'webhookOutbound'>

const TIMEOUT_MS = 10_000
const BYTES_MAX = 1024 * 1024
const USER_AGENT = 'Serai'

/** Response headers that are passed on. */
const SHOWN = ['content-type', 'content-language', 'cache-control', 'etag', 'expires', 'last-modified', 'location', 'retry-after'] as const

const failures: Readonly<Record<OutboundError['reason'], string>> = {
  refused: 'It may not be called',
  unresolved: 'Its name cannot be resolved',
  timeout: `It did not answer within ${TIMEOUT_MS / 1000} seconds`,
  connection: 'It cannot be reached',
  too_large: `It answered more than ${BYTES_MAX} bytes`,
}

/** Limit of requests at the same time, because each response is in memory. */
const withLimit = limitConcurrency({ own: 4, all: 24 }, 'Too many requests are running.')

/** Replaces the hosts that pages of a store may call, and records it in the audit log. */
export const allowHosts = ({ sql }: Pick<Context, 'sql'>, storeId: string, hosts: readonly string[]): Promise<ProxyHosts> =>
  transaction(sql, async (tx) => {
    await lockExistingDetails(tx, storeId)
    const before = await findHosts(tx, projectIdOf(storeId))
    const after = await upsertHosts(tx, projectIdOf(storeId), hosts)
    await recordAudit(tx, { storeId }, { what: 'proxy_hosts.changed', thing: storeId, before, after })
    return after
  })

/**
 * Sends a request of a page to a host that the owner of the store has listed. Forwards nothing about the caller, and returns redirects
 * without following them. Throws `forbidden` for a host that is not listed, `proxy_failed`, `unavailable`.
 */
export async function sendProxyRequest(context: Needs, storeId: string, proxied: ProxyRequest, signal: AbortSignal): Promise<ProxyAnswer> {
  const { url, method = 'GET', headers = {}, body } = proxied
  const address = URL.parse(url)
  if (!address || address.username + address.password !== '') throw actionErrors.urlHasCredentials({ field: ['url'] })
  if (method === 'GET' && body !== undefined) throw actionErrors.bodyWithoutPost({ field: ['body'] })
  const { hosts } = await findHosts(context.sql, projectIdOf(storeId))
  const host = hostOf(address)
  if (!isDeclaredHost(host, hosts)) throw actionErrors.hostNotAllowed({ host: host.slice(0, 253), storeId })
  return withLimit(storeId, async () =>
    presentAnswer(
      await context
        .webhookOutbound({
          url: address.href,
          method,
          headers: { ...headers, 'user-agent': USER_AGENT },
          ...(body !== undefined && { body }),
          timeoutMs: TIMEOUT_MS,
          maxBytes: BYTES_MAX,
          allowedHosts: hosts,
          signal,
        })
        .catch((error) => {
          throw failureOf(host, error)
        }),
    ),
  )
}

function failureOf(host: string, error: unknown): unknown {
  if (!(error instanceof OutboundError)) return error
  return actionErrors.proxyFailed({ host, reason: failures[error.reason] }, { cause: error })
}

function presentAnswer({ status, headers, body }: OutboundResponse): ProxyAnswer {
  const forwarded = SHOWN.flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [[name, value.slice(0, 2000)]]
  })
  return { status, headers: Object.fromEntries(forwarded), ...encodeBody(body) }
}

/** Returns the body as text if it is valid UTF-8, else as base64. */
function encodeBody(body: Uint8Array): Pick<ProxyAnswer, 'body' | 'encoding'> {
  try {
    return { body: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body), encoding: 'utf8' }
  } catch {
    return { body: Buffer.from(body).toString('base64'), encoding: 'base64' }
  }
}
