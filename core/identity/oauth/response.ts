import type { Logger } from 'pino'
import { ApiError } from '../../http/errors/errors.ts'
import { MetadataProblem } from '../apps/register.ts'
import { Refusal, type RefusalCode } from './refusal.ts'

/** Who is told 401 is told how to say who he is, whatever he tried (RFC 9110, 15.5.2). */
const CHALLENGE = { 'www-authenticate': 'Basic realm="oauth"' }
const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' }

interface Answered {
  readonly status?: number
  /** Filled while `work` goes on, and sent with whatever comes of it. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Answers an app as RFC 6749 says, whatever happens. */
export async function answering(
  log: Logger,
  work: () => Promise<object>,
  { status = 200, headers = {} }: Answered = {},
): Promise<Response> {
  try {
    const answer = await work()
    return Response.json(answer, { status, headers: { ...NO_STORE, ...headers } })
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal.status >= 500) log.error({ err: error }, refusal.message)
    const body = { error: refusal.code, error_description: writable(refusal.message) }
    return Response.json(body, {
      status: refusal.status,
      headers: { ...NO_STORE, ...(refusal.status === 401 && CHALLENGE), ...headers, ...refusal.extra.headers },
    })
  }
}

/** No quotes, no backslashes, nothing beyond ASCII (RFC 6749, 5.2). */
const writable = (text: string) => text.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'")

/** What our own parts threw, in the words that apps know. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof MetadataProblem) return new Refusal(error.code, error.message)
  const refused = refusedByDatabase(String((error as { code?: unknown } | null)?.code))
  if (refused) return refused
  const failure = error instanceof ApiError ? error : null
  const code: RefusalCode = failure && failure.status < 500 ? 'invalid_request' : isAway(error) ? 'temporarily_unavailable' : 'server_error'
  if (failure)
    return new Refusal(code, failure.message, { status: failure.status, ...(failure.extra.headers && { headers: failure.extra.headers }) })
  if (code === 'server_error') return new Refusal(code, 'Something went wrong on our side. Try again.')
  return new Refusal(code, 'The database cannot be reached. Try again in a few seconds.', { headers: { 'retry-after': '2' } })
}

/** A text that cannot be stored, or an app that was deleted in this moment. */
function refusedByDatabase(code: string): Refusal | null {
  if (code.startsWith('22')) return new Refusal('invalid_request', 'A parameter has characters that cannot be stored.')
  return code === '23503' ? new Refusal('invalid_client', 'The app does not exist any more.') : null
}

/** The database is not there, or kept us waiting. */
const isAway = (error: unknown) =>
  /^(08|53|57|58|55P03|25P03|40001|40P01)|^CONNECT|^E(CONN|PIPE|TIMEDOUT)/.test(String((error as { code?: unknown })?.code))
