import { ask, CarrierError, isRow, problemOf, type Question, type Row, text, unreadable, wordsIn } from 'serai/carrier'
import type { Context } from './fields.ts'

export const label = 'ZR Express'
export const host = 'api.zrexpress.app'

const base = `https://${host}/api/v1`
export const pageSizeMax = 1000
const pagesMax = 20
const wordsMax = 500

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Makes one call and returns its JSON, or undefined when a success is empty. */
export async function call(
  context: Context,
  method: Method,
  path: string,
  question: Pick<Question, 'json' | 'query' | 'readsOnly'> = {},
): Promise<unknown> {
  const { apiKey, tenant } = context.credentials
  const headers = { 'x-api-key': apiKey, 'x-tenant': tenant }
  const answer = await ask(context, label, `${base}/${path}`, { ...question, method, headers })
  if (!answer.ok) throw problem(context, method, answer)
  if (answer.value === undefined && answer.words.trim() !== '') throw unreadable(label, 'no JSON')
  return answer.value
}

function problem(context: Context, method: Method, answer: Awaited<ReturnType<typeof ask>>): CarrierError {
  const said = messageIn(answer.value)
  // An unknown hub is answered with 404, also to a POST. With an explanation it is a refusal: nothing was created.
  if (answer.status === 404 && method === 'POST' && said !== undefined) {
    return new CarrierError('refused', `${label} refused: ${said}`, { code: '404', message: said })
  }
  return problemOf(context, label, answer, { method, said: said ?? wordsIn(answer.value) })
}

/** Message of a ProblemDetails body: type (when it is a code), title, detail and each entry of `errors`. */
function messageIn(value: unknown): string | undefined {
  if (!isRow(value)) return undefined
  const type = text(value.type)
  const heads = [type && !URL.canParse(type) ? type : undefined, text(value.title), text(value.detail)]
  const fields = isRow(value.errors) ? Object.entries(value.errors) : []
  const errors = fields.map(([field, said]) => `${field}: ${[said].flat().map(String).join(', ')}`)
  const words = [...new Set([...heads.filter((head) => head !== undefined), ...errors])]
  return words.join(' – ').slice(0, wordsMax) || undefined
}

/** Returns true when the carrier refused with this code. */
export const isRefusedWith = (error: unknown, code: string): error is CarrierError =>
  error instanceof CarrierError && error.upstream.message?.includes(code) === true

/** Page of a list. */
export interface Page {
  readonly rows: readonly Row[]
  readonly hasNext: boolean
}

/** Reads one page of `<resource>/search`. */
export async function search(context: Context, resource: string, question: Row = {}): Promise<Page> {
  const value = await call(context, 'POST', `${resource}/search`, {
    readsOnly: true,
    json: { pageNumber: 1, pageSize: pageSizeMax, ...question },
  })
  if (!isRow(value) || !Array.isArray(value.items)) throw unreadable(label, `no list of ${resource}`)
  return { rows: value.items.filter(isRow), hasNext: value.hasNext === true && value.items.length > 0 }
}

/** Reads a whole list, up to 20,000 rows; more are logged and left out. */
export async function all(context: Context, resource: string, question: Row = {}): Promise<Row[]> {
  const rows: Row[] = []
  for (let pageNumber = 1; pageNumber <= pagesMax; pageNumber++) {
    const page = await search(context, resource, { ...question, pageNumber })
    rows.push(...page.rows)
    if (!page.hasNext) return rows
  }
  context.log('a list was longer than is read', { resource, rows: rows.length })
  return rows
}

/** Reads a list of other endpoints, bare or under `items`. */
export function listIn(value: unknown, what: string): Row[] {
  const list = isRow(value) ? value.items : value
  if (!Array.isArray(list)) throw unreadable(label, `no list of ${what}`)
  return list.filter(isRow)
}
