import { readBytes } from '../../http/body.ts'
import { invalidRequest } from './refusal.ts'

const FORM_BYTES = 16 * 1024
const TYPE = 'application/x-www-form-urlencoded'

/** Parameters by name. What has no value counts as left out (RFC 6749, 3.1). */
export type Parameters = ReadonlyMap<string, string>

/** The body of a request as a form. Throws `invalid_request`, and what reading a body throws. */
export async function readForm(request: Request): Promise<Parameters> {
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';')
  const bytes = await readBytes(request, FORM_BYTES)
  if (type.trim().toLowerCase() !== TYPE) throw invalidRequest(`Send ${TYPE}.`)
  return parametersOf(new URLSearchParams(new TextDecoder().decode(bytes)))
}

/** Throws `invalid_request` for one that stands twice, or that nobody could have meant. */
export function parametersOf(search: URLSearchParams): Parameters {
  const parameters = new Map<string, string>()
  for (const [name, value] of search) {
    if (value === '') continue
    if (parameters.has(name)) throw invalidRequest(`The parameter ${printable(name)} stands there more than once.`)
    if (value.includes('\0') || !value.isWellFormed()) throw invalidRequest(`The parameter ${printable(name)} is no text.`)
    parameters.set(name, value)
  }
  return parameters
}

/** Throws `invalid_request` where it is missing. */
export function required(parameters: Parameters, name: string): string {
  const value = parameters.get(name)
  if (value === undefined) throw invalidRequest(`The parameter ${name} is missing.`)
  return value
}

/** As it may stand in an error (RFC 6749, 5.2). */
const printable = (name: string) => name.slice(0, 40).replace(/[^\w.-]/g, '?')
