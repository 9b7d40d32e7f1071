import { AdapterError, ask, isRow, problemOf, type Row, rows, text, unreadable } from 'serai/connector'
import type { Context } from './fields.ts'

export const LABEL = 'Shopify'
export const MONEY = '{ shopMoney { amount currencyCode } }'

const refusals: Readonly<Record<string, 'rate_limited' | 'unauthorized'>> = { THROTTLED: 'rate_limited', UNAUTHORIZED: 'unauthorized' }

/** Runs one GraphQL query and returns its `data`. Errors come with status 200. */
export async function graphql(context: Context, query: string, variables: Row, { readsOnly = false } = {}): Promise<Row> {
  const { shop, apiVersion } = context.settings
  const answer = await ask(context, LABEL, `https://${shop}/admin/api/${apiVersion}/graphql.json`, {
    method: 'POST',
    readsOnly,
    headers: { 'x-shopify-access-token': context.credentials.accessToken ?? '' },
    json: { query, variables },
  })
  if (!answer.ok) throw problemOf(context, LABEL, answer, { method: 'POST' })
  const { data, errors } = isRow(answer.value) ? answer.value : {}
  const [error] = rows(errors)
  if (error) throw refusalOf(error)
  if (!isRow(data)) throw unreadable(LABEL, 'no data')
  return data
}

function refusalOf(error: Row): AdapterError {
  const code = isRow(error.extensions) ? text(error.extensions.code) : undefined
  const message = text(error.message) ?? 'no reason given'
  return new AdapterError(refusals[code ?? ''] ?? 'refused', `${LABEL} refused: ${message}`, { ...(code && { code }), message })
}

/** Returns the result of a mutation; throws its user errors. */
export function mutationResult(data: Row, name: string, errors = 'userErrors'): Row {
  const made = data[name]
  if (!isRow(made)) throw unreadable(LABEL, `nothing of ${name}`)
  const [error] = rows(made[errors])
  if (error) throw new AdapterError('refused', `${LABEL} refused: ${text(error.message) ?? 'no reason given'}`)
  return made
}

/** Returns the value if it is an object, else an empty one. */
export const row = (value: unknown): Row => (isRow(value) ? value : {})

/** Returns the number in a global id: 123 of `gid://shopify/Order/123`, as callbacks write it. */
export const numberOf = (gid: unknown): string | undefined => /^gid:\/\/shopify\/\w+\/(\d{1,30})/.exec(text(gid) ?? '')?.[1]
