import type { Logger } from 'pino'
import { headersOf } from '../../http/errors/envelope.ts'
import { statusOf } from '../../http/errors/statuses.ts'
import { DomainError, isRefusal } from '../../lib/errors/domain-error.ts'
import { ClientMetadataError } from '../apps/register.ts'
import { Refusal, type RefusalCode } from './refusal.ts'

/** Header that every 401 response must carry (RFC 9110, section 15.5.2). */
const CHALLENGE = { 'www-authenticate': 'Basic realm="oauth"' }
const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' }

interface ResponseOptions {
  readonly status?: number
  /** Response headers. `work` may add some while it runs. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Runs `work` and builds its response in the format of RFC 6749, for success and for every error. */
export async function oauthResponse(
  log: Logger,
  work: () => Promise<object>,
  { status = 200, headers = {} }: ResponseOptions = {},
): Promise<Response> {
  try {
    const answer = await work()
    return Response.json(answer, { status, headers: { ...NO_STORE, ...headers } })
  } catch (error) {
    const refusal = toRefusal(error)
    if (refusal.status >= 500) log.error({ err: error }, refusal.message)
    const body = { error: refusal.code, error_description: toDescription(refusal.message) }
    return Response.json(body, {
      status: refusal.status,
      headers: { ...NO_STORE, ...(refusal.status === 401 && CHALLENGE), ...headers, ...refusal.extra.headers },
    })
  }
}

/**
 * Replaces characters that an error description must not contain: quotes, backslashes and everything beyond ASCII (RFC 6749, section 5.2).
 */
const toDescription = (text: string) => text.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'")

/** Converts any error into an OAuth error. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof ClientMetadataError) return new Refusal(error.code, error.message)
  const refused = fromDatabaseError(String((error as { code?: unknown } | null)?.code))
  if (refused) return refused
  const failure = error instanceof DomainError ? error : null
  const code: RefusalCode = isRefusal(failure)
    ? 'invalid_request'
    : isDatabaseUnavailable(error)
      ? 'temporarily_unavailable'
      : 'server_error'
  if (failure) return new Refusal(code, failure.message, { status: statusOf(failure), headers: headersOf(failure) })
  if (code === 'server_error') return new Refusal(code, 'An unexpected error occurred. Try again.')
  return new Refusal(code, 'The database cannot be reached. Try again in a few seconds.', { headers: { 'retry-after': '2' } })
}

/** Converts database errors for text that cannot be stored, or for an app that was deleted meanwhile. Returns null for other errors. */
function fromDatabaseError(code: string): Refusal | null {
  if (code.startsWith('22')) return new Refusal('invalid_request', 'A parameter contains characters that cannot be stored.')
  return code === '23503' ? new Refusal('invalid_client', 'The app was deleted.') : null
}

/** Tells if an error means that the database is unreachable or too slow. */
const isDatabaseUnavailable = (error: unknown) =>
  /^(08|53|57|58|55P03|25P03|40001|40P01)|^CONNECT|^E(CONN|PIPE|TIMEDOUT)/.test(String((error as { code?: unknown })?.code))
