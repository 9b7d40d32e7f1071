import type { ErrorCode } from '../../lib/errors/codes.ts'
import { DomainError } from '../../lib/errors/domain-error.ts'
import { parsePointer } from '../../lib/errors/json-pointer.ts'
import { statusOf } from './statuses.ts'

/** Problem with one value of a request. */
export interface ErrorDetail {
  /** JSON pointer to the value, such as `/body/items/0`. */
  readonly path: string
  readonly message: string
  /** Values that the message names, for programs. */
  readonly values?: Readonly<Record<string, string>>
}

interface Extra {
  readonly details?: readonly ErrorDetail[] | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly cause?: unknown
}

const PLACES = ['body', 'query', 'headers', 'params']

/** Error of the edge: a domain error with the response's headers, and pointers into the request instead of fields. */
export class ApiError extends DomainError {
  override readonly name = 'ApiError'
  readonly details: readonly ErrorDetail[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, message: string, { details, headers = {}, cause }: Extra = {}) {
    super(code, message, { issues: details?.map(issueOf), cause })
    this.details = details
    this.headers = headers
  }

  get status(): number {
    return statusOf(this)
  }
}

function issueOf({ path, message, values }: ErrorDetail) {
  const [place = '', ...field] = parsePointer(path)
  const said = { message, ...(values && { values }) }
  return PLACES.includes(String(place)) ? { field, ...said } : { field: [place, ...field], ...said, isOutside: true as const }
}

/** Builds a 400 for one invalid value. `path` is a JSON pointer to it. */
export const invalidValue = (path: string, message: string) => new ApiError('invalid_request', message, { details: [{ path, message }] })

/** Builds a 400 for a body as a whole. */
export const invalidBody = (message: string) => invalidValue('/body', message)
