import { readBytes } from '../../../http/body/body.ts'
import { invalidRequest, type Refusal } from '../refusal.ts'

const FORM_BYTES = 16 * 1024
const TYPE = 'application/x-www-form-urlencoded'

/** Parameters by name. Parameters without a value count as omitted (RFC 6749, section 3.1). */
export type FormParameters = ReadonlyMap<string, string>

/** Reads the body of a request as a form. Throws `invalid_request`, and the errors of reading a body. */
export async function readOAuthForm(request: Request): Promise<FormParameters> {
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';')
  const bytes = await readBytes(request, FORM_BYTES)
  if (type.trim().toLowerCase() !== TYPE) throw invalidRequest(`Send ${TYPE}.`)
  return parseParameters(new URLSearchParams(new TextDecoder().decode(bytes)))
}

/** Parses parameters. Throws `invalid_request` for one that is repeated or is not valid text. */
function parseParameters(search: URLSearchParams): FormParameters {
  const { values, errors } = collectParameters(search)
  for (const refusal of errors.values()) throw refusal
  return values
}

/** Parses parameters without throwing. A repeated parameter keeps its first value; `errors` holds one error per parameter name. */
export function collectParameters(search: URLSearchParams): { values: FormParameters; errors: ReadonlyMap<string, Refusal> } {
  const [values, errors] = [new Map<string, string>(), new Map<string, Refusal>()]
  for (const [name, value] of search) {
    if (value === '') continue
    if (values.has(name)) errors.set(name, invalidRequest(`The parameter ${printable(name)} is repeated. Send it once.`))
    else if (!isText(name) || !isText(value)) errors.set(name, invalidRequest(`The parameter ${printable(name)} is not valid text.`))
    else values.set(name, value)
  }
  return { values, errors }
}

const isText = (text: string) => !text.includes('\0') && text.isWellFormed()

/** Returns a parameter. Throws `invalid_request` when it is missing. */
export function requireParameter(parameters: FormParameters, name: string): string {
  const value = parameters.get(name)
  if (value === undefined) throw invalidRequest(`The parameter ${name} is missing.`)
  return value
}

/** Replaces characters that an error description must not contain (RFC 6749, section 5.2). */
const printable = (name: string) => name.slice(0, 40).replace(/[^\w.-]/g, '?')
