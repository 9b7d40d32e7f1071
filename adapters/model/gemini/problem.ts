import { AdapterError, isRow, rows, problemOf as usualProblem } from 'serai/model'
import { type Context, label } from './fields.ts'

type Answer = Parameters<typeof usualProblem>[2]

/** A key that is none is told as a wrong request: its reason stands among the details. */
const BAD_KEY = 'API_KEY_INVALID'

/** What an answer that is no success means. */
export function problemOf(context: Context, answer: Answer, method: 'GET' | 'POST'): AdapterError {
  const { status, value } = answer
  const error = isRow(value) && isRow(value.error) ? value.error : {}
  if (rows(error.details).some(({ reason }) => reason === BAD_KEY))
    return new AdapterError('unauthorized', `${label} does not accept this key.`, { code: String(status), message: BAD_KEY })
  return usualProblem(context, label, answer, { method })
}
