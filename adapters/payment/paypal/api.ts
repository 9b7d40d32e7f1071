import { AdapterError, type Answer, ask, isRow, problemOf, type Row, rows, text, unreadable } from 'serai/payment'
import { type Context, LABEL, rootOf } from './fields.ts'
import { tokenAfter, tokenOf } from './token.ts'

interface Asked {
  /** JSON text, sent unchanged. */
  readonly body?: string
  /** Idempotency id: a repeated request has no further effect. */
  readonly id?: string
  /** The call changes nothing. */
  readonly readsOnly?: boolean
}

/** Makes one call and returns its object; throws unless it succeeds. */
export async function call(context: Context, method: 'GET' | 'POST', path: string, asked: Asked = {}): Promise<Row> {
  const token = await tokenOf(context)
  const first = await send(context, method, path, asked, token)
  // A call with an invalid token had no effect, so it can be repeated.
  const answer = first.status === 401 ? await send(context, method, path, asked, await tokenAfter(context, token)) : first
  if (!answer.ok) throw problemIn(context, method, answer)
  if (!isRow(answer.value)) throw unreadable(LABEL, 'no object')
  return answer.value
}

function send(context: Context, method: 'GET' | 'POST', path: string, { body, id, readsOnly }: Asked, token: string): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${token}`,
    prefer: 'return=representation',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(id !== undefined && { 'paypal-request-id': id }),
  }
  const sending: Pick<Context, 'fetch' | 'now'> = {
    now: () => context.now(),
    fetch: (url, init) => context.fetch(url, body === undefined ? init : { ...init, body }),
  }
  return ask(sending, LABEL, `${rootOf(context)}/${path}`, { method, headers, ...(readsOnly && { readsOnly }) })
}

/** Builds the error. The first entry of `details` is more precise than the message. */
function problemIn(context: Context, method: 'GET' | 'POST', answer: Answer): AdapterError {
  const row = isRow(answer.value) ? answer.value : {}
  const [detail] = rows(row.details)
  const code = text(detail?.issue) ?? text(row.name)
  const said = text(detail?.description) ?? text(row.message) ?? text(row.error_description)
  const upstream = { ...(code && { code }), ...(said && { message: said }) }
  if (answer.status === 404 && text(row.name) === 'RESOURCE_NOT_FOUND')
    return new AdapterError('not_found', `${LABEL} does not have it.`, upstream)
  // An equal request is in progress, so its outcome is unknown.
  if (answer.status === 409 || code === 'PREVIOUS_REQUEST_IN_PROGRESS')
    return new AdapterError('unavailable', `${LABEL} is busy with the same request.`, upstream)
  const { reason, message, upstream: own } = problemOf(context, LABEL, answer, { method, said: said?.slice(0, 500) })
  return new AdapterError(reason, message, { ...own, ...(code && { code }) })
}
