import { AdapterError, type Answer, ask, isRow, problemOf, type Query, type Row, text, unreadable } from 'serai/payment'
import { type Context, HOST, LABEL } from './fields.ts'

/** API version of all answers, whatever the account's default. */
const VERSION = '2026-10-28.endive'

interface Asked {
  readonly query?: Query
  /** Form fields with Stripe's nesting: `line_items[0][quantity]`. */
  readonly form?: Form
  /** Idempotency key: a repeated request has no further effect. */
  readonly key?: string
}
export type Form = Readonly<Record<string, string | number>>

/** Makes one call and returns its object; throws unless it succeeds. */
export async function call(context: Context, method: 'GET' | 'POST', path: string, { query, form, key }: Asked = {}): Promise<Row> {
  const headers = {
    authorization: `Bearer ${context.credentials.secretKey.trim()}`,
    'stripe-version': VERSION,
    ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    ...(key !== undefined && { 'idempotency-key': key }),
  }
  const answer = await ask(withFormBody(context, form), LABEL, `https://${HOST}/v1/${path}`, { method, headers, ...(query && { query }) })
  if (!answer.ok) throw problemIn(context, method, answer)
  if (!isRow(answer.value)) throw unreadable(LABEL, 'no object')
  return answer.value
}

/** Sends a form, the only format that Stripe accepts. */
const withFormBody = (context: Context, form: Form | undefined): Pick<Context, 'fetch' | 'now'> => ({
  now: () => context.now(),
  fetch: (url, init) => context.fetch(url, form ? { ...init, body: encodeForm(form) } : init),
})

/** Encodes a form. */
export const encodeForm = (form: Form): string =>
  new URLSearchParams(Object.entries(form).map(([name, value]): [string, string] => [name, String(value)])).toString()

function problemIn(context: Context, method: 'GET' | 'POST', answer: Answer): AdapterError {
  const error = isRow(answer.value) && isRow(answer.value.error) ? answer.value.error : {}
  const code = text(error.code)
  if (code === 'resource_missing') return new AdapterError('not_found', `${LABEL} does not have it.`, { code })
  // An equal request is in progress, so its outcome is unknown.
  if (answer.status === 409) return new AdapterError('unavailable', `${LABEL} is busy with the same request.`, { ...(code && { code }) })
  // 402: a valid request that was declined.
  return problemOf(context, LABEL, { ...answer, status: answer.status === 402 ? 400 : answer.status }, { method })
}
