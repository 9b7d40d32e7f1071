import { ask, CarrierError, isRow, problemOf, type Question, type Row, text, unreadable, yes } from 'serai/carrier'
import type { Context } from './fields.ts'

export const label = 'Zimou Express'
export const host = 'zimou.express'

const wordsMax = 500

/** Returns the authorization header. */
export const bearer = ({ credentials }: Context) => ({ authorization: `Bearer ${credentials.token}` })

type Asked = Pick<Question, 'query' | 'json'>

/**
 * Makes one call and returns its JSON, or undefined when it is empty. A refusal (`error` 1 and a `message`) may come with 200 or 201. A
 * refusal that also names a parcel has an unknown outcome.
 */
export async function call(context: Context, method: 'GET' | 'POST' | 'DELETE', path: string, asked: Asked = {}): Promise<unknown> {
  const answer = await ask(context, label, `https://${host}/api/${path}`, { method, headers: bearer(context), ...asked })
  if (!answer.ok) throw problemOf(context, label, answer, { method })
  const { value, words } = answer
  if (value === undefined && words.trim() !== '') throw unreadable(label, 'no JSON')
  if (!isRow(value) || !yes(value.error)) return value
  if (isRow(value.data) && text(value.data.tracking_code)) throw unreadable(label, 'a refusal together with a parcel')
  const said = text(value.message)?.slice(0, wordsMax)
  throw new CarrierError('refused', `${label} refused: ${said ?? 'it gave no reason'}`, { code: 'refused', ...(said && { message: said }) })
}

/** Reads a list, bare or under `data`. */
export async function list(context: Context, path: string): Promise<Row[]> {
  const answer = await call(context, 'GET', path)
  const found = isRow(answer) ? answer.data : answer
  if (!Array.isArray(found)) throw unreadable(label, `no list at ${path}`)
  return found.filter(isRow)
}
