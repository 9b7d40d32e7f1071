import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import { limitConcurrency } from '../../../http/concurrency.ts'
import { ApiError, invalid } from '../../../http/errors/errors.ts'
import { hostOf } from '../../../lib/net/addresses.ts'
import { isDeclared, type OutboundAnswer, OutboundError } from '../../../lib/net/outbound.ts'
import { recordAudit } from '../../../platform/audit/record-audit.ts'
import { holdStore } from '../../../shop/stores/stores.ts'
import type { ProxyAnswer, ProxyHosts, ProxyRequest } from './proxy.model.ts'
import { findHosts, putHosts } from './proxy.queries.ts'

type Needs = Pick<Context, 'sql' | 'webhookOutbound'>

const TIMEOUT_MS = 10_000
const BYTES_MAX = 1024 * 1024
const USER_AGENT = 'Serai'

const SHOWN = ['content-type', 'content-language', 'cache-control', 'etag', 'expires', 'last-modified', 'location', 'retry-after'] as const

const failures: Readonly<Record<OutboundError['reason'], string>> = {
  refused: 'It may not be asked',
  unresolved: 'It is not known',
  timeout: `It did not answer within ${TIMEOUT_MS / 1000} seconds`,
  connection: 'It cannot be reached',
  too_large: `It answered more than ${BYTES_MAX} bytes`,
}

/** Each has its answer in memory. */
const asAsked = limitConcurrency({ own: 4, all: 24 }, 'Too many requests are under way.')

/** Says which hosts pages of a store may ask, in place of those before. */
export const allowHosts = ({ sql }: Pick<Context, 'sql'>, storeId: string, hosts: readonly string[]): Promise<ProxyHosts> =>
  transaction(sql, async (tx) => {
    await holdStore(tx, storeId)
    const before = await findHosts(tx, storeId)
    const after = await putHosts(tx, storeId, hosts)
    await recordAudit(tx, { storeId }, { what: 'proxy_hosts.changed', thing: storeId, before, after })
    return after
  })

/**
 * Asks a host that the owner of the store has listed, for a page of the store. Nothing of who asks is passed on; redirects are told, not
 * followed. Throws `forbidden` for a host that is not listed, `proxy_failed`, `unavailable`.
 */
export async function askThrough(context: Needs, storeId: string, asked: ProxyRequest, signal: AbortSignal): Promise<ProxyAnswer> {
  const { url, method = 'GET', headers = {}, body } = asked
  const address = URL.parse(url)
  if (!address || address.username + address.password !== '') throw invalid('/body/url', 'Put an address without a password here.')
  if (method === 'GET' && body !== undefined) throw invalid('/body/body', 'Only a POST has a body.')
  const { hosts } = await findHosts(context.sql, storeId)
  const host = hostOf(address)
  if (!isDeclared(host, hosts)) {
    const remedy = `The owner lists hosts by PUT /v1/stores/${storeId}/proxy-hosts.`
    throw new ApiError('forbidden', `The host ${host.slice(0, 253)} is not among those that pages of this store may ask. ${remedy}`)
  }
  return asAsked(storeId, async () =>
    presented(
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
  return new ApiError('proxy_failed', `${host}: ${failures[error.reason]}.`, { cause: error })
}

function presented({ status, headers, body }: OutboundAnswer): ProxyAnswer {
  const shown = SHOWN.flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [[name, value.slice(0, 2000)]]
  })
  return { status, headers: Object.fromEntries(shown), ...written(body) }
}

/** As text where it is such, else as base64. */
function written(body: Uint8Array): Pick<ProxyAnswer, 'body' | 'encoding'> {
  try {
    return { body: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body), encoding: 'utf8' }
  } catch {
    return { body: Buffer.from(body).toString('base64'), encoding: 'base64' }
  }
}
