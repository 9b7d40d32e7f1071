import { Elysia } from 'elysia'
import type { Logger } from 'pino'

const ACCEPTED_ID = /^[\w.-]{8,64}$/
const ALLOWED_HEADERS =
  'authorization, content-type, dpop, idempotency-key, x-request-id, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id'
const EXPOSED_HEADERS =
  'x-request-id, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after, idempotent-replayed, www-authenticate, dpop-nonce'

/** Adds a request id and CORS headers to every response. Credentials are bearer tokens, so CORS allows no cookies. */
export const requestContext = (origins: readonly string[]) =>
  new Elysia({ name: 'edge' }).onRequest(({ request, set }) => {
    const given = request.headers.get('x-request-id')
    set.headers['x-request-id'] = given && ACCEPTED_ID.test(given) ? given : crypto.randomUUID()
    const origin = request.headers.get('origin')
    if (origin === null) return
    const allowed = origins.includes('*') ? '*' : origins.includes(origin) ? origin : null
    if (allowed === null) return
    set.headers['access-control-allow-origin'] = allowed
    set.headers['access-control-expose-headers'] = EXPOSED_HEADERS
    if (allowed !== '*') set.headers.vary = 'origin'
    if (request.method !== 'OPTIONS' || !request.headers.has('access-control-request-method')) return
    const headers = {
      ...(set.headers as Record<string, string>),
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': ALLOWED_HEADERS,
      'access-control-max-age': '600',
    }
    return new Response(null, { status: 204, headers })
  })

/** Logs each response at `debug`. */
export const requestLog = (log: Logger) =>
  new Elysia({ name: 'request-log' }).onAfterResponse({ as: 'global' }, ({ request, route, set, responseValue }) => {
    if (!log.isLevelEnabled('debug')) return
    const status = responseValue instanceof Response ? responseValue.status : set.status
    log.debug({ requestId: set.headers['x-request-id'], method: request.method, route, status }, 'request')
  })
