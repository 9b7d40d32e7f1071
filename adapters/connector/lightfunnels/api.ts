import { AdapterError, ask, isRow, problemOf, type Row, rows, text, unreadable } from 'serai/connector'
import type { Context } from './fields.ts'

export const LABEL = 'LightFunnels'
const ADDRESS = 'https://services.lightfunnels.com/api/v2'

/** Runs one GraphQL query and returns its `data`. Errors may come with status 200. */
export async function graphql(context: Context, query: string, variables: Row, { readsOnly = false } = {}): Promise<Row> {
  const answer = await ask(context, LABEL, ADDRESS, {
    method: 'POST',
    readsOnly,
    headers: { authorization: `Bearer ${context.credentials.accessToken ?? ''}` },
    json: { query, variables },
  })
  if (!answer.ok) throw problemOf(context, LABEL, answer, { method: 'POST' })
  const { data, errors } = isRow(answer.value) ? answer.value : {}
  const [error] = rows(errors)
  if (error) throw new AdapterError('refused', `${LABEL} refused: ${text(error.message) ?? 'no reason given'}`)
  if (!isRow(data)) throw unreadable(LABEL, 'no data')
  return data
}

/** Returns the value if it is an object, else an empty one. */
export const row = (value: unknown): Row => (isRow(value) ? value : {})

/** Returns the nodes of a page, and the cursor of the next one; null at the end. */
export function pageIn(list: unknown, what: string): { readonly found: readonly Row[]; readonly cursor: string | null } {
  if (!isRow(list) || !Array.isArray(list.edges)) throw unreadable(LABEL, `no list of ${what}`)
  const { hasNextPage, endCursor } = row(list.pageInfo)
  return { found: rows(list.edges).map(({ node }) => row(node)), cursor: hasNextPage === true ? (text(endCursor) ?? null) : null }
}
