import { AdapterError, type Answer, ask, problemOf, type Query, text, toBase64 } from 'serai/connector'
import type { Context } from './fields.ts'

export const LABEL = 'WooCommerce'

interface Asked {
  readonly query?: Query
  readonly json?: unknown
}

/** Calls the shop's API; throws unless it succeeds. */
export async function call(context: Context, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, asked: Asked = {}): Promise<Answer> {
  const { consumerKey, consumerSecret } = context.credentials
  const { shop, keysIn, permalinks } = context.settings
  const inQuery = keysIn === 'query'
  const route = `/wc/v3/${path}`
  const plain = permalinks === 'plain'
  const answer = await ask(context, LABEL, plain ? `https://${shop}/` : `https://${shop}/wp-json${route}`, {
    method,
    headers: inQuery ? {} : { authorization: `Basic ${toBase64(new TextEncoder().encode(`${consumerKey}:${consumerSecret}`))}` },
    query: {
      ...(plain && { rest_route: route }),
      ...asked.query,
      ...(inQuery && { consumer_key: consumerKey, consumer_secret: consumerSecret }),
    },
    ...(asked.json !== undefined && { json: asked.json }),
  })
  if (answer.ok) return answer
  if (answer.status >= 300 && answer.status < 400)
    throw new AdapterError('refused', `${LABEL} sends us to another address: name the host that the shop answers at, with or without www.`)
  throw problemOf(context, LABEL, answer, { method })
}

/** Returns the number of pages of a list. */
export const pagesOf = ({ headers }: Answer): number => {
  const pages = Number(text(headers.get('x-wp-totalpages')))
  return Number.isInteger(pages) && pages > 0 ? pages : 1
}
