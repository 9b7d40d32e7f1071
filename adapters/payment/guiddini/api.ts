import { type Answer, ask, type FetchInit, isRow, problemOf, type Query, type Row, unreadable, wordsIn } from 'serai/payment'
import { type Context, HOST } from './fields.ts'

export const LABEL = 'Guiddini Pay'

interface Asked {
  readonly query?: Query
  readonly json?: unknown
}

/** One call, whatever its status. */
export function asked(context: Context, method: 'GET' | 'POST', path: string, question: Asked): Promise<Answer> {
  const { appKey, appSecret } = context.credentials
  const headers = { 'x-app-key': appKey.trim(), 'x-app-secret': appSecret.trim() }
  return ask(context, LABEL, `https://${HOST}/api/${path}`, { method, headers, ...question })
}

/** Resolves to the `data` that was answered: its `id`, and its attributes. */
export async function call(...given: Parameters<typeof asked>): Promise<{ id: unknown; attributes: Row }> {
  const [context, method] = given
  const answer = await asked(...given)
  if (!answer.ok) throw problemIn(context, answer, method)
  const data = isRow(answer.value) && isRow(answer.value.data) ? answer.value.data : undefined
  if (!data) throw unreadable(LABEL, 'no data')
  return { id: data.id, attributes: isRow(data.attributes) ? data.attributes : {} }
}

/** Its words stand in `meta`, or where Laravel puts them. */
export function problemIn(context: Context, answer: Answer, method: FetchInit['method']) {
  const { value } = answer
  const meta = isRow(value) && isRow(value.meta) ? value.meta : undefined
  const said = wordsIn(value) ?? wordsIn(meta)
  return problemOf(context, LABEL, answer, { method, ...(said !== undefined && { said }) })
}
