import { AdapterError, isRow, rows, problemOf as usualProblem } from 'serai/model'
import { type Context, label } from './fields.ts'

type Answer = Parameters<typeof usualProblem>[2]

/** Reason of an invalid key, in the details of a 400 answer. */
const BAD_KEY = 'API_KEY_INVALID'

/** Builds the error for an unsuccessful answer. */
export function problemOf(context: Context, answer: Answer, method: 'GET' | 'POST'): AdapterError {
  const { status, value } = answer
  const error = isRow(value) && isRow(value.error) ? value.error : {}
  if (rows(error.details).some(({ reason }) => reason === BAD_KEY))
    return new AdapterError('unauthorized', `${label} does not accept this key.`, { code: String(status), message: BAD_KEY })
  return usualProblem(context, label, answer, { method })
}
