import { AdapterError, ask, type FetchInit, isRow, problemOf, type Row, text, unreadable, word } from 'serai/payment'
import type { Context } from './fields.ts'

export const LABEL = 'SATIM'

type Form = Readonly<Record<string, string | number>>

/** Makes one call and returns its object, whatever its error code; throws without an object. */
export async function call(context: Context, path: string, form: Form): Promise<Row> {
  const { userName, password } = context.credentials
  const body = formOf({ userName: userName.trim(), password: password.trim(), ...form })
  const answer = await ask(withFormBody(context, body), LABEL, `https://${context.settings.host}/payment/rest/${path}`, { method: 'POST' })
  if (!answer.ok) throw problemOf(context, LABEL, answer, { method: 'POST' })
  if (!isRow(answer.value)) throw unreadable(LABEL, 'no object')
  if (codeOf(answer.value) === undefined) throw unreadable(LABEL, 'no code')
  return answer.value
}

function formOf(fields: Form): string {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  return String(form)
}

/** Posts the form. Queries work too, but proxies log addresses, which would hold the password. */
const withFormBody = (context: Context, body: string) => ({
  now: () => context.now(),
  fetch: (url: string, init: FetchInit = {}) =>
    context.fetch(url, { ...init, headers: { ...init.headers, 'content-type': 'application/x-www-form-urlencoded' }, body }),
})

/** Returns the error code or message. Some calls capitalise the keys, and the code may be a number or text. */
export const codeOf = (row: Row): string | undefined => word(row.errorCode) ?? word(row.ErrorCode)
export const wordsOf = (row: Row): string | undefined => text(row.errorMessage) ?? text(row.ErrorMessage)
export const OK = '0'

/**
 * Reasons by error code. `1` is a used order number: nothing was created, and a retry gets a new number. Codes not listed mean an unknown
 * outcome.
 */
const reasons: Readonly<Record<string, AdapterError['reason']>> = {
  1: 'unavailable',
  3: 'refused',
  4: 'refused',
  5: 'refused',
  6: 'not_found',
  7: 'unavailable',
  14: 'refused',
}

/** Matches messages about access. Code `5` also means a bad value or an expired password, and only the message tells, in any language. */
const ACCESS = /access|denied|password|acc[eè]s|mot de passe|دخول|وصول|مرور/i

export function problemIn(row: Row): AdapterError {
  const [code = '', said] = [codeOf(row), wordsOf(row)]
  const upstream = { code, ...(said !== undefined && { message: said }) }
  if (code === '5' && ACCESS.test(said ?? ''))
    return new AdapterError('unauthorized', `${LABEL} does not accept these credentials.`, upstream)
  const reason = reasons[code] ?? 'unavailable'
  return new AdapterError(reason, `${LABEL} ${verbs[reason]} (code ${code})${said === undefined ? '.' : `: ${said}`}`, upstream)
}

const verbs: Readonly<Record<AdapterError['reason'], string>> = {
  refused: 'refused',
  not_found: 'has no such order',
  unavailable: 'did not do it',
  unauthorized: 'does not accept these credentials',
  rate_limited: 'takes no more calls for now',
}
