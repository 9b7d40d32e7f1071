import { AdapterError, ask, isRow, problemOf, type Row, unreadable, wordsIn } from 'serai/payment'
import { type Context, hosts } from './fields.ts'

export const LABEL = 'SlickPay'

/** Makes one call under the account type and returns its object; throws unless it succeeds. */
export async function call(context: Context, method: 'GET' | 'POST', path: string, json?: unknown): Promise<Row> {
  const { mode, accountType } = context.settings
  const host = mode === 'live' ? hosts.live : hosts.sandbox
  const headers = { authorization: `Bearer ${context.credentials.publicKey.trim()}` }
  const url = `https://${host}/api/v2/${accountType === 'merchants' ? 'merchants' : 'users'}/${path}`
  const answer = await ask(context, LABEL, url, { method, headers, ...(json !== undefined && { json }) })
  if (!answer.ok) throw problemOf(context, LABEL, answer, { method })
  if (!isRow(answer.value)) throw unreadable(LABEL, 'no object')
  return answer.value
}

/** Returns the refusal in an answer with status 200: it has errors, and no invoice. */
export function refusalIn(row: Row): AdapterError | undefined {
  if (!isRow(row.errors) && row.success !== 0 && row.success !== false) return undefined
  const said = wordsIn(row)
  return new AdapterError(
    'refused',
    `${LABEL} refused${said === undefined ? '.' : `: ${said}`}`,
    said === undefined ? {} : { message: said },
  )
}
