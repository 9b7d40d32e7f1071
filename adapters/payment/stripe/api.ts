import { AdapterError, type Answer, ask, isRow, problemOf, type Query, type Row, text, unreadable } from 'serai/payment'
import { type Context, HOST, LABEL } from './fields.ts'

/** Answers have the form of this version, whatever the account is set to. */
export const VERSION = '2026-10-28.endive'

interface Asked {
  readonly query?: Query
  /** What is made, as Stripe's forms nest it: `line_items[0][quantity]`. */
  readonly form?: Form
  /** Asked again under the same key, nothing more is made. */
  readonly key?: string
}
export type Form = Readonly<Record<string, string | number>>

/** One call; resolves to the object that was answered, throws what Stripe meant by anything else. */
export async function call(context: Context, method: 'GET' | 'POST', path: string, { query, form, key }: Asked = {}): Promise<Row> {
  const headers = {
    authorization: `Bearer ${context.credentials.secretKey.trim()}`,
    'stripe-version': VERSION,
    ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    ...(key !== undefined && { 'idempotency-key': key }),
  }
  const answer = await ask(sending(context, form), LABEL, `https://${HOST}/v1/${path}`, { method, headers, ...(query && { query }) })
  if (!answer.ok) throw problemIn(context, method, answer)
  if (!isRow(answer.value)) throw unreadable(LABEL, 'no object')
  return answer.value
}

/** Stripe takes forms, never JSON. */
const sending = (context: Context, form: Form | undefined): Pick<Context, 'fetch' | 'now'> => ({
  now: () => context.now(),
  fetch: (url, init) => context.fetch(url, form ? { ...init, body: written(form) } : init),
})

/** The text of a form. */
export const written = (form: Form): string =>
  new URLSearchParams(Object.entries(form).map(([name, value]): [string, string] => [name, String(value)])).toString()

function problemIn(context: Context, method: 'GET' | 'POST', answer: Answer): AdapterError {
  const error = isRow(answer.value) && isRow(answer.value.error) ? answer.value.error : {}
  const code = text(error.code)
  if (code === 'resource_missing') return new AdapterError('not_found', `${LABEL} does not have it.`, { code })
  // The same is being done by somebody else at this moment: nobody knows yet what comes of it.
  if (answer.status === 409) return new AdapterError('unavailable', `${LABEL} is busy with the same request.`, { ...(code && { code }) })
  // 402: rightly asked, and declined.
  return problemOf(context, LABEL, { ...answer, status: answer.status === 402 ? 400 : answer.status }, { method })
}
