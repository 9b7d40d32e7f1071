import { AdapterError, type Answer, ask, isRow, problemOf, type Question, type Row, unreadable } from 'serai/payment'
import { type Context, HOST } from './fields.ts'

export const LABEL = 'Chargily'

const roots = { test: `https://${HOST}/test/api/v2`, live: `https://${HOST}/api/v2` } as const
/** Known prefixes of keys; keys with other prefixes are sent as they are. */
const marks = { test: 'test_sk_', live: 'live_sk_' } as const
const others = { test: 'live', live: 'test' } as const

/** Makes one call and returns its object; throws unless it succeeds. */
export async function call(context: Context, method: 'GET' | 'POST', path: string, { json, makes }: Asked = {}): Promise<Row> {
  const answer = await sendRequest(context, method, path, { ...(json !== undefined && { json }) })
  // After a 404 to a creation the outcome is unknown; other 404 answers mean that the object does not exist.
  if (!answer.ok) throw problemOf(context, LABEL, answer, { method: makes ? 'POST' : 'GET' })
  if (!isRow(answer.value)) throw unreadable(LABEL, 'no object')
  return answer.value
}

interface Asked {
  readonly json?: unknown
  /** True for a call that creates something. */
  readonly makes?: boolean
}

function sendRequest(context: Context, method: 'GET' | 'POST', path: string, question: Pick<Question, 'json'>): Promise<Answer> {
  const { mode } = context.settings
  const headers = { authorization: `Bearer ${keyFor(context)}` }
  return ask(context, LABEL, `${mode === 'live' ? roots.live : roots.test}/${path}`, { method, headers, ...question })
}

export const keyOf = ({ credentials }: Context) => credentials.secretKey.trim()

/** Returns the key. Throws when its prefix belongs to the other mode: address and key must match. */
function keyFor(context: Context): string {
  const key = keyOf(context)
  const mode = context.settings.mode === 'live' ? 'live' : 'test'
  const other = others[mode]
  if (key.startsWith(marks[other]))
    throw new AdapterError('unauthorized', `This is a key of the ${other} mode, and the connection is set to the ${mode} mode.`, {
      code: 'other_mode',
    })
  return key
}
