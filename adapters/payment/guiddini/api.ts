import { type Answer, ask, type FetchInit, isRow, problemOf, type Query, type Row, unreadable, wordsIn } from 'serai/payment'
import { type Context, HOST } from './fields.ts'

export const LABEL = 'Guiddini Pay'

interface Asked {
  readonly query?: Query
  readonly json?: unknown
}

/** Makes one call and returns the answer, whatever its status. */
export function sendRequest(context: Context, method: 'GET' | 'POST', path: string, question: Asked): Promise<Answer> {
  const { appKey, appSecret } = context.credentials
  const headers = { 'x-app-key': appKey.trim(), 'x-app-secret': appSecret.trim() }
  return ask(context, LABEL, `https://${HOST}/api/${path}`, { method, headers, ...question })
}

/** Makes one call and returns the `id` and attributes of its `data`. */
export async function call(...given: Parameters<typeof sendRequest>): Promise<{ id: unknown; attributes: Row }> {
  const [context, method] = given
  const answer = await sendRequest(...given)
  if (!answer.ok) throw problemIn(context, answer, method)
  const data = isRow(answer.value) && isRow(answer.value.data) ? answer.value.data : undefined
  if (!data) throw unreadable(LABEL, 'no data')
  return { id: data.id, attributes: isRow(data.attributes) ? data.attributes : {} }
}

/** Builds the error, with the message from `meta` or from Laravel's fields. */
export function problemIn(context: Context, answer: Answer, method: FetchInit['method']) {
  const { value } = answer
  const meta = isRow(value) && isRow(value.meta) ? value.meta : undefined
  const said = wordsIn(value) ?? wordsIn(meta)
  return problemOf(context, LABEL, answer, { method, ...(said !== undefined && { said }) })
}
