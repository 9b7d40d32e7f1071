import { AdapterError, type Answer, ask, isRow, problemOf, type Row, rows, text, unreadable } from 'serai/payment'
import { type Context, LABEL, rootOf } from './fields.ts'
import { tokenAfter, tokenOf } from './token.ts'

interface Asked {
  /** The text of a JSON, to the letter. */
  readonly body?: string
  /** Asked again under the same id, nothing more is done. */
  readonly id?: string
  /** Nothing comes of it. */
  readonly readsOnly?: boolean
}

/** One call; resolves to the object that was answered, throws what PayPal meant by anything else. */
export async function call(context: Context, method: 'GET' | 'POST', path: string, asked: Asked = {}): Promise<Row> {
  const token = await tokenOf(context)
  const first = await send(context, method, path, asked, token)
  // Nothing was done where the token was none any more.
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

/** Its own words: the first of `details` says more than the message above them. */
function problemIn(context: Context, method: 'GET' | 'POST', answer: Answer): AdapterError {
  const row = isRow(answer.value) ? answer.value : {}
  const [detail] = rows(row.details)
  const code = text(detail?.issue) ?? text(row.name)
  const said = text(detail?.description) ?? text(row.message) ?? text(row.error_description)
  const upstream = { ...(code && { code }), ...(said && { message: said }) }
  if (answer.status === 404 && text(row.name) === 'RESOURCE_NOT_FOUND')
    return new AdapterError('not_found', `${LABEL} does not have it.`, upstream)
  // The same is being done at this moment: nobody knows yet what comes of it.
  if (answer.status === 409 || code === 'PREVIOUS_REQUEST_IN_PROGRESS')
    return new AdapterError('unavailable', `${LABEL} is busy with the same request.`, upstream)
  const { reason, message, upstream: own } = problemOf(context, LABEL, answer, { method, said: said?.slice(0, 500) })
  return new AdapterError(reason, message, { ...own, ...(code && { code }) })
}
