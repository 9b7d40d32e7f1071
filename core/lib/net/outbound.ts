import { invariant } from '../invariant.ts'
import { cacheLookups, systemLookup } from './addresses.ts'
import { startDeadline } from './deadline.ts'
import { limitStream, readHead, readUpTo } from './outbound-body.ts'
import { asOutboundError, OutboundError } from './outbound-error.ts'
import type { OutboundRequest, OutboundResponse, OutboundRules } from './outbound-request.ts'
import { type OpenRules, resolveTargets, type Target } from './outbound-target.ts'

/** Sends a request. Throws an {@link OutboundError} if it was refused or got no usable response. */
export type Outbound = (request: OutboundRequest) => Promise<OutboundResponse>

const REDIRECTS_MAX = 3

const BYTES_MAX = 10 * 1024 * 1024

/** Opens the only client for outbound requests. It enforces host and address rules, pins the checked address, and limits time and size. */
export function openOutbound(given: OutboundRules): Outbound {
  const rules = { ...given, resolve: cacheLookups(given.resolve ?? systemLookup) }
  return async (request) => {
    const deadline = startDeadline(request)
    let isOpen = false
    try {
      let current: OutboundRequest = request
      for (let hop = 0; ; hop += 1) {
        const answer = await sendOnce(current, rules, deadline.signal)
        const location = answer.headers.get('location')
        if (!request.followRedirects || !location || answer.status < 300 || answer.status > 399) {
          if (!answer.stream) return answer
          isOpen = true
          return { ...answer, stream: limitStream(answer.stream, request.maxBytes ?? BYTES_MAX, deadline) }
        }
        await answer.stream?.cancel().catch(() => {})
        const next = URL.parse(location, current.url)
        if (hop === REDIRECTS_MAX || !next)
          throw new OutboundError('refused', next ? `More than ${REDIRECTS_MAX} redirects.` : 'A redirect to no address.', {
            wasSent: true,
          })
        await request.beforeRedirect?.()
        current = followRedirect(current, next, answer.status)
      }
    } finally {
      if (!isOpen) deadline.clear()
    }
  }
}

const CROSS_ORIGIN_HEADERS = /^(accept|accept-language|user-agent|content-type)$/i

/**
 * Builds the request that follows a redirect. 307 and 308 repeat the request; other codes make it a GET (RFC 9110, section 15.4). Only a
 * few harmless headers are sent to another origin.
 */
function followRedirect(request: OutboundRequest, next: URL, status: number): OutboundRequest {
  const sameOrigin = next.origin === new URL(request.url).origin
  const { body, headers = {}, method = 'GET', ...rest } = request
  const keptHeaders = Object.entries(headers).filter(([name]) => sameOrigin || CROSS_ORIGIN_HEADERS.test(name))
  if (status === 307 || status === 308) return { ...request, url: next.href, headers: Object.fromEntries(keptHeaders) }
  const bodiless = keptHeaders.filter(([name]) => !/^content-/i.test(name))
  return { ...rest, url: next.href, headers: Object.fromEntries(bodiless), method: method === 'HEAD' ? 'HEAD' : 'GET' }
}

async function sendOnce(request: OutboundRequest, rules: OpenRules, deadline: AbortSignal): Promise<OutboundResponse> {
  let failure: OutboundError | undefined
  for (const target of await resolveTargets(request, rules, deadline)) {
    try {
      return await send(request, target, rules, deadline)
    } catch (error) {
      failure = asOutboundError(error, deadline)
      if (failure.reason !== 'connection' || failure.wasSent) throw failure
    }
  }
  throw invariant(failure, 'An address of a host')
}

async function send(request: OutboundRequest, target: Target, rules: OpenRules, deadline: AbortSignal): Promise<OutboundResponse> {
  const given = Object.entries(request.headers ?? {}).filter(([name]) => !/^host$/i.test(name))
  if (performance.now() >= (request.notAfter ?? Number.POSITIVE_INFINITY))
    throw new OutboundError('timeout', 'The request was held up on our side.', { wasSent: false })
  const tls = { ...(target.serverName && { serverName: target.serverName }), ...(rules.ca && { ca: rules.ca }) }
  const response = await fetch(target.url, {
    method: request.method ?? 'GET',
    headers: { ...Object.fromEntries(given), host: target.host },
    ...(request.body !== undefined && { body: request.body }),
    redirect: 'manual',
    signal: deadline,
    ...(Object.keys(tls).length > 0 && { tls }),
  } as RequestInit)
  const { status, headers } = response
  if (request.isStreamed) return { status, headers, body: new Uint8Array(), stream: response.body ?? new Blob([]).stream() }
  const body =
    request.headBytes === undefined ? await readUpTo(response, request.maxBytes ?? BYTES_MAX) : await readHead(response, request.headBytes)
  return { status, headers, body }
}
