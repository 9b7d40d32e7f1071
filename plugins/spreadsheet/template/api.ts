import { AdapterError, ask, isRow, problemOf, type Query, type Row, unreadable, wordsIn } from 'serai/spreadsheet'
import { type Context, label } from './fields.ts'

const root = 'https://api.example.com/v1'

interface Asked {
  readonly query?: Query
  readonly json?: unknown
}

/** One call; resolves to the object that was answered, throws what the other side meant by anything else. */
export async function call(context: Context, method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, asked: Asked = {}): Promise<Row> {
  const headers = { authorization: `Bearer ${context.credentials.token}` }
  const answer = await ask(context, label, `${root}/${path}`, { method, headers, ...asked })
  if (answer.status === 403) throw new AdapterError('refused', `${label} does not let this account into the file.`, { code: '403' })
  // In its own words a 404 says that nothing is there, and so that nothing was written.
  if (!answer.ok) throw problemOf(context, label, answer, { method: wordsIn(answer.value) === undefined ? method : 'GET' })
  if (!isRow(answer.value)) throw unreadable(label, 'no object')
  return answer.value
}
