import type { TSchema } from '@sinclair/typebox'
import type { TypeCheck } from '@sinclair/typebox/compiler'
import { Elysia, ValidationError } from 'elysia'
import type { Logger } from 'pino'
import { DomainError } from '../../lib/errors/domain-error.ts'
import { writePointer } from '../../lib/errors/json-pointer.ts'
import type { BodyRegistry } from '../body/declared-bodies.ts'
import { detailOf } from '../body/validation-detail.ts'
import { conflicts } from './conflicts.ts'
import { ApiError, type ErrorDetail } from './errors.ts'
import { pointerInRequest, type RouteInputs } from './pointers.ts'

/** Problems that are reported for a query or headers, which are short. */
const PROBLEMS_MAX = 20
const INVALID_VALUES = 'The request has values that cannot be accepted; see details.'
const MISMATCH = 'Does not match the schema.'
const DATA_EXCEPTION = /^22/
/** SQLSTATE of unique and foreign key violations. */
const VIOLATION = /^2350[35]$/
/** SQLSTATE and connection errors of a database that is unreachable, starting, stopping, out of resources or too slow. */
const UNAVAILABLE = /^(08|53|57|58|55P03|25P03|40001|40P01)|^CONNECT|^E(CONN|PIPE|TIMEDOUT|HOST|NET|NOENT|NOTFOUND)/

/** Builds the plugin that turns every failure into a response. Never forwards a message of a library or the database. */
export const errorEnvelope = (log: Logger, routes: Pick<BodyRegistry, 'inputsOf'>) => {
  let aborted = 0
  return new Elysia({ name: 'envelope' }).onError({ as: 'global' }, ({ code, error, set, request, route }) => {
    const requestId = String(set.headers['x-request-id'] ?? '')
    const failure = toApiError(code, error, request, () => routes.inputsOf(request.method, route))
    if (failure.code === 'request_aborted') {
      aborted += 1
      log.debug(
        { requestId, method: request.method, path: new URL(request.url).pathname, brokenOff: aborted },
        'a body broke off before its end',
      )
    }
    // Skips database outages, which the watcher logs once.
    if (failure.status >= 500 && failure.code !== 'unavailable') {
      log.error({ requestId, err: failure.cause ?? error, method: request.method, path: new URL(request.url).pathname }, failure.message)
    }
    return failureResponse(failure, requestId, set.headers as Record<string, string>)
  })
}

/** Builds the response of a failure. */
export function failureResponse(failure: ApiError, requestId: string, headers: Record<string, string> = {}): Response {
  const { code, details } = failure
  const body = { error: { code, message: messageOf(failure), ...(details && { details }), requestId } }
  const { 'content-type': _type, ...keptHeaders } = headers
  return Response.json(body, {
    status: failure.status,
    headers: { ...keptHeaders, 'x-request-id': requestId, ...failure.headers },
  })
}

/** Message of a response. The sentence about a single invalid value is in its details. */
const messageOf = ({ code, message, details }: ApiError) =>
  code === 'invalid_request' && details?.length === 1 && details[0]?.message === message ? INVALID_VALUES : message

/** Converts an error of a use case to a response's error. `inputs` are those of the route that the request named. */
export function fromDomainError(error: DomainError, inputs: RouteInputs): ApiError {
  if (error instanceof ApiError) return error
  const { code, message, issues, retryAfterSeconds, cause } = error
  const details = issues.map(({ field, message: problem, values, isOutside }) => ({
    path: isOutside ? writePointer('', field) : pointerInRequest(field, inputs),
    message: problem,
    ...(values && { values }),
  }))
  return new ApiError(code, message, {
    ...(details.length > 0 && { details }),
    headers: retryHeader(retryAfterSeconds),
    cause,
  })
}

const retryHeader = (seconds: number | undefined): Record<string, string> =>
  seconds === undefined ? {} : { 'retry-after': String(seconds) }

/** Returns the headers that the response to an error carries. */
export const headersOf = (error: DomainError): Readonly<Record<string, string>> =>
  error instanceof ApiError ? error.headers : retryHeader(error.retryAfterSeconds)

function toApiError(code: string | number, error: unknown, request: Request, inputs: () => RouteInputs): ApiError {
  if (error instanceof DomainError) return fromDomainError(error, inputs())
  // The caller has disconnected, so the response is not read.
  if (request.signal.aborted && error === request.signal.reason) return new ApiError('request_timeout', 'The caller hung up.')
  if (code === 'NOT_FOUND') return new ApiError('not_found', 'There is no such route. See /openapi for those there are.')
  if (error instanceof ValidationError) return fromValidation(error, request)
  return (
    databaseApiError(error) ??
    new ApiError('internal_error', 'Something went wrong on our side. Try again, and give the requestId if it stays.', { cause: error })
  )
}

function fromValidation(error: ValidationError, request: Request): ApiError {
  // A response that violates its own schema is a bug of the server.
  if (error.type === 'response') {
    return new ApiError('internal_error', 'Something went wrong on our side. Try again, and give the requestId if it stays.', {
      cause: new Error(error.message),
    })
  }
  // An invalid path parameter names nothing that exists.
  if (error.type === 'params') return new ApiError('not_found', 'There is no such thing under this address.')
  return new ApiError('invalid_request', 'The request does not match its schema; see details.', { details: detailsOf(error, request) })
}

const placeOf = (type: string) => (type === 'body' ? '/body' : type === 'headers' ? '/headers' : '/query')

function detailsOf(error: ValidationError, request: Request): ErrorDetail[] {
  if (error.type === 'property') return [describeCoerced(error, request)]
  const place = placeOf(error.type)
  // Lists nothing for a validator that could not be compiled.
  const validator = error.validator as Partial<TypeCheck<TSchema>>
  const details = [...(validator.Errors?.(error.value) ?? [])].slice(0, PROBLEMS_MAX).map((problem) => detailOf(place, problem))
  return details.length > 0 ? details : [{ path: place, message: MISMATCH }]
}

/** Describes an out-of-range number of a query. Elysia does not report its name, so it is the only parameter with that value. */
function describeCoerced({ value, valueError }: ValidationError, request: Request): ErrorDetail {
  const [name, other] = [...new URL(request.url).searchParams].filter(([, said]) => Number(said) === value).map(([name]) => name)
  const path = name !== undefined && other === undefined ? `/query/${name}` : '/query'
  return { path, message: valueError?.message ?? MISMATCH }
}

/**
 * Converts a database error that a caller can cause (a NUL in a text, a number too large, a name that was taken meanwhile). Null for
 * others.
 */
export function databaseApiError(error: unknown): ApiError | null {
  const code = String((error as { code?: unknown } | null)?.code ?? '')
  if (DATA_EXCEPTION.test(code)) {
    return new ApiError(
      'invalid_request',
      'A value has characters or a size that cannot be stored (a NUL character, half of a surrogate pair, a number too large).',
      { cause: error },
    )
  }
  const conflict = VIOLATION.test(code) ? conflicts[String((error as { constraint_name?: unknown }).constraint_name)] : undefined
  if (conflict) return new ApiError(...conflict, { cause: error })
  if (UNAVAILABLE.test(code)) {
    return new ApiError('unavailable', 'The database cannot be reached. Try again in a few seconds.', {
      cause: error,
      headers: { 'retry-after': '2' },
    })
  }
  return null
}
