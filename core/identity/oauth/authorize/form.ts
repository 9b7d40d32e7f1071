import { readBytes } from '../../../http/body/body.ts'
import { invalidRequest, type Refusal } from '../refusal.ts'

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
  const { said, wrong } = parametersIn(search)
  for (const refusal of wrong.values()) throw refusal
  return said
}

/** The same, with what is wrong by the parameter's name: of each the first is taken. */
export function parametersIn(search: URLSearchParams): { said: Parameters; wrong: ReadonlyMap<string, Refusal> } {
  const [said, wrong] = [new Map<string, string>(), new Map<string, Refusal>()]
  for (const [name, value] of search) {
    if (value === '') continue
    if (said.has(name)) wrong.set(name, invalidRequest(`The parameter ${printable(name)} stands there more than once.`))
    else if (!isText(name) || !isText(value)) wrong.set(name, invalidRequest(`The parameter ${printable(name)} is no text.`))
    else said.set(name, value)
  }
  return { said, wrong }
}

const isText = (text: string) => !text.includes('\0') && text.isWellFormed()

/** Throws `invalid_request` where it is missing. */
export function required(parameters: Parameters, name: string): string {
  const value = parameters.get(name)
  if (value === undefined) throw invalidRequest(`The parameter ${name} is missing.`)
  return value
}

/** As it may stand in an error (RFC 6749, 5.2). */
const printable = (name: string) => name.slice(0, 40).replace(/[^\w.-]/g, '?')
