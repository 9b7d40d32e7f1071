import {
  type Answer,
  ask,
  CarrierError,
  isRow,
  problemOf,
  type Question,
  type Row,
  remember,
  remembered,
  text,
  unreadable,
  wordsIn,
  yes,
} from 'serai/carrier'
import type { Account } from './fields.ts'

/** Rate window: the platform allows 50 calls a minute. */
const WINDOW_SECONDS = 60
/** The host has moved; the call was not processed. */
const MOVED = new Set([301, 307, 308])

/** Explanations of the platform's own error codes. */
const refusals: Readonly<Record<string, string>> = {
  10001: 'The order is validated already, so it can no longer be changed or deleted. Ask the company, or ask for its return in the panel.',
  10002: 'The company does not deliver to this wilaya. Choose another carrier for it.',
  10003: 'A return cannot be asked for at this stage.',
}
export const ALREADY_VALIDATED = '10001'

/** Makes one call and returns its JSON. The body tells success from refusal: a refusal comes with status 200 too. */
export async function call(account: Account, path: string, question: Question = {}): Promise<unknown> {
  const { value } = await callForAnswer(account, path, question)
  if (value === undefined) throw unreadable(account.company.label, 'no JSON')
  if (isRow(value) && isRefusal(value)) throw refusalFor(account, value)
  return value
}

/** Makes one call and returns the answer; throws unless its status is a success. */
export async function callForAnswer(account: Account, path: string, question: Question = {}): Promise<Answer> {
  const answer = await sendRequest(account, path, question)
  const said = isRow(answer.value) ? text(answer.value.message) : undefined
  if (/^unauthenticated/i.test(said ?? '')) throw tokenRefused(account, said)
  if (answer.status >= 300 && answer.status < 400) throw hostMoved(account, answer)
  if (answer.ok) return answer
  const problem = problemOf(account.context, account.company.label, answer, { method: question.method })
  // The rate-limit answer does not always hold a delay; a whole window is always enough.
  if (problem.reason === 'rate_limited') problem.upstream.retryAfterSeconds ??= WINDOW_SECONDS
  throw problem
}

async function sendRequest({ context, company }: Account, path: string, question: Question): Promise<Answer> {
  const { host } = context.settings
  const headers = { ...question.headers, authorization: `Bearer ${context.credentials.token}` }
  try {
    return await ask(context, company.label, `https://${host}/api/v1/${path}`, { ...question, headers })
  } catch (error) {
    const isKnown = host === company.host || host.endsWith('.ecotrack.dz')
    if (isKnown || !(error instanceof CarrierError) || error.reason !== 'unavailable') throw error
    const hint = `If ${host} is right: the administrator of this server must allow the company’s own domain (ADAPTER_HOSTS).`
    throw new CarrierError('unavailable', `${error.message} ${hint}`, {}, { cause: error })
  }
}

/**
 * Builds the error for a redirect. Redirects are not followed, because a POST would become a GET: the configured host must be corrected.
 */
function hostMoved({ context, company }: Account, { status, headers }: Answer): CarrierError {
  const { host } = context.settings
  const target = URL.parse(headers.get('location') ?? '', `https://${host}/`)?.host
  const advice = target && target !== host ? `Set the host of the connection to ${target}.` : 'Check the host of the connection.'
  const reason = MOVED.has(status) ? 'refused' : 'unavailable'
  return new CarrierError(reason, `${company.label} is no longer at ${host}. ${advice}`, { code: String(status) })
}

const tokenRefused = ({ context, company }: Account, said: string | undefined) =>
  new CarrierError('unauthorized', `${company.label} does not accept this token at ${context.settings.host}.`, {
    ...(said !== undefined && { message: said }),
  })

export const isRefusal = (value: Row) => value.success !== undefined && !yes(value.success)

/** Builds the `refused` error from the platform's message and code. */
export function refusalFor({ company: { label } }: Account, value: Row): CarrierError {
  const code = String(value.error ?? 'refused').slice(0, 40)
  const said = wordsIn(value)
  return new CarrierError('refused', refusals[code] ?? `${label} refused${said === undefined ? '.' : `: ${said}`}`, {
    code,
    ...(said !== undefined && { message: said }),
  })
}

/** Throws unless the token works on this host. The error holds the platform's message. */
export async function testConnection(account: Account): Promise<object> {
  const { token } = account.context.credentials
  try {
    const { value } = await callForAnswer(account, 'validate/token', { query: { api_token: token } })
    if (!isRow(value) || value.success === undefined) throw unreadable(account.company.label, 'nothing on the token')
    if (isRefusal(value)) throw tokenMalformed(account, text(value.message))
  } catch (error) {
    if (!(error instanceof CarrierError) || error.reason !== 'not_found') throw error
    // Some companies lack that endpoint; this one refuses wrong tokens too.
    await call(account, 'get/wilayas')
  }
  return {}
}

function tokenMalformed(account: Account, said = ''): CarrierError {
  if (said !== 'TOKEN_NOT_ALLOWED') return tokenRefused(account, said)
  const message = `${account.company.label} knows this token but does not let it use the API. Ask the company to allow it.`
  return new CarrierError('unauthorized', message, { code: said, message: said })
}

const keyAt = ({ context }: Account, key: string) => `${context.settings.host}:${key}`

/** Caches an answer of one host for a day (or `forMs`). Each host has its own cache keys. */
export const cachedForHost = <V>(account: Account, key: string, ask: () => Promise<V>, forMs?: number): Promise<V> =>
  remembered(account.context, keyAt(account, key), ask, forMs === undefined ? {} : { forMs })

export const cacheForHost = <V>(account: Account, key: string, value: V): Promise<V> =>
  remember(account.context, keyAt(account, key), value)
