import type { Logger } from 'pino'
import { ApiError } from '../../http/errors.ts'
import { Refusal, type RefusalCode } from './refusal.ts'

const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' }

/** Answers an app as RFC 6749 says, whatever happens. Null is an answer without a body. */
export async function answering(log: Logger, work: () => Promise<object | null>, status = 200): Promise<Response> {
  try {
    const answer = await work()
    return answer === null ? new Response(null, { status, headers: NO_STORE }) : Response.json(answer, { status, headers: NO_STORE })
  } catch (error) {
    const refusal = error instanceof Refusal ? error : refusalOf(error)
    if (refusal.status >= 500) log.error({ err: error }, refusal.message)
    const body = { error: refusal.code, error_description: writable(refusal.message) }
    return Response.json(body, { status: refusal.status, headers: { ...NO_STORE, ...refusal.extra.headers } })
  }
}

/** No quotes, no backslashes, nothing beyond ASCII (RFC 6749, 5.2). */
const writable = (text: string) => text.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'")

/** What our own parts threw, in the words that apps know. */
function refusalOf(error: unknown): Refusal {
  const failure = error instanceof ApiError ? error : null
  const code: RefusalCode = failure && failure.status < 500 ? 'invalid_request' : isAway(error) ? 'temporarily_unavailable' : 'server_error'
  if (failure)
    return new Refusal(code, failure.message, { status: failure.status, ...(failure.extra.headers && { headers: failure.extra.headers }) })
  if (code === 'server_error') return new Refusal(code, 'Something went wrong on our side. Try again.')
  return new Refusal(code, 'The database cannot be reached. Try again in a few seconds.', { headers: { 'retry-after': '2' } })
}

/** The database is not there, or kept us waiting. */
const isAway = (error: unknown) =>
  /^(08|53|57|58|55P03|25P03|40001|40P01)|^CONNECT|^E(CONN|PIPE|TIMEDOUT)/.test(String((error as { code?: unknown })?.code))
