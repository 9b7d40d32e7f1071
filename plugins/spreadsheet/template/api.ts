import { AdapterError, ask, isRow, problemOf, type Query, type Row, unreadable, wordsIn } from 'serai/spreadsheet'
import { type Context, label } from './fields.ts'

const root = 'https://api.example.com/v1'

interface Asked {
  readonly query?: Query
  readonly json?: unknown
}

/** Makes one call and returns the object of the answer. Throws by the platform's meaning of any other answer. */
export async function call(context: Context, method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, asked: Asked = {}): Promise<Row> {
  const headers = { authorization: `Bearer ${context.credentials.token}` }
  const answer = await ask(context, label, `${root}/${path}`, { method, headers, ...asked })
  if (answer.status === 403) throw new AdapterError('refused', `${label} does not let this account into the file.`, { code: '403' })
  // A 404 with a message of the platform means that nothing is there, so nothing was written.
  if (!answer.ok) throw problemOf(context, label, answer, { method: wordsIn(answer.value) === undefined ? method : 'GET' })
  if (!isRow(answer.value)) throw unreadable(label, 'no object')
  return answer.value
}
