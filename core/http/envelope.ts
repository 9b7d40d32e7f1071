import type { TSchema } from '@sinclair/typebox'
import type { TypeCheck } from '@sinclair/typebox/compiler'
import { Elysia, ValidationError } from 'elysia'
import type { Logger } from 'pino'
import { ApiError, type Detail } from './errors.ts'

const DATA_EXCEPTION = /^22/
const UNIQUE_VIOLATION = '23505'
const FOREIGN_KEY_VIOLATION = '23503'
const CONNECTION_LOST = /^(08|57P0)|^CONNECT|ECONNREFUSED|ECONNRESET|CONNECTION_/

/** The one place where a failure becomes a response. It never forwards a message that it did not write. */
export const envelope = (log: Logger) =>
  new Elysia({ name: 'envelope' }).onError({ as: 'global' }, ({ code, error, set, request }) => {
    const requestId = String(set.headers['x-request-id'] ?? '')
    const failure = toApiError(code, error)
    if (failure.status >= 500) {
      log.error(
        { requestId, err: failure.extra.cause ?? error, method: request.method, path: new URL(request.url).pathname },
        failure.message,
      )
    }
    return failureResponse(failure, requestId, set.headers as Record<string, string>)
  })

export function failureResponse(failure: ApiError, requestId: string, headers: Record<string, string> = {}): Response {
  const { details } = failure.extra
  const body = { error: { code: failure.code, message: failure.message, ...(details && { details }), requestId } }
  const { 'content-type': _type, ...kept } = headers
  return Response.json(body, { status: failure.status, headers: { ...kept, 'x-request-id': requestId, ...failure.extra.headers } })
}

function toApiError(code: string | number, error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (code === 'NOT_FOUND') return new ApiError('not_found', 'There is no such route. See /openapi for those there are.')
  if (code === 'PARSE') return new ApiError('invalid_json', 'The body is not JSON that can be read.')
  if (error instanceof ValidationError) return fromValidation(error)
  return (
    fromDatabase(error) ??
    new ApiError('internal_error', 'Something went wrong on our side. Try again, and give the requestId if it stays.', { cause: error })
  )
}

function fromValidation(error: ValidationError): ApiError {
  // A response that breaks its own schema is our fault, never the caller's.
  if (error.type === 'response') {
    return new ApiError('internal_error', 'Something went wrong on our side. Try again, and give the requestId if it stays.', {
      cause: new Error(error.message),
    })
  }
  // A path parameter that cannot exist names nothing.
  if (error.type === 'params') return new ApiError('not_found', 'There is no such thing under this address.')
  return new ApiError('invalid_request', 'The request does not match its schema; see details.', { details: detailsOf(error) })
}

/** Elysia reports a broken coerced query value as `property`. */
const placeOf = (type: string) => (type === 'body' ? '/body' : type === 'headers' ? '/headers' : '/query')

function detailsOf(error: ValidationError): Detail[] {
  const place = placeOf(error.type)
  // A coerced query value brings a validator of another make, which lists nothing.
  const validator = error.validator as Partial<TypeCheck<TSchema>>
  const problems = [...(validator.Errors?.(error.value) ?? [])]
  const details = problems.slice(0, 20).map(({ path, message }) => ({ path: `${place}${path}`, message }))
  return details.length > 0 ? details : [{ path: place, message: 'Does not match the schema.' }]
}

/** What the database refused although the schema let it through (a NUL in a text, a number too large, a name taken meanwhile). */
function fromDatabase(error: unknown): ApiError | null {
  const code = String((error as { code?: unknown } | null)?.code ?? '')
  if (DATA_EXCEPTION.test(code)) {
    return new ApiError(
      'invalid_request',
      'A value has characters or a size that cannot be stored (a NUL character, half of a surrogate pair, a number too large).',
      { cause: error },
    )
  }
  if (code === UNIQUE_VIOLATION)
    return new ApiError('conflict', 'Another record has this value already, and it must be unique.', { cause: error })
  if (code === FOREIGN_KEY_VIOLATION)
    return new ApiError('conflict', 'Something else refers to this, or it refers to something that is gone.', { cause: error })
  if (CONNECTION_LOST.test(code)) {
    return new ApiError('unavailable', 'The database cannot be reached. Try again in a few seconds.', {
      cause: error,
      headers: { 'retry-after': '5' },
    })
  }
  return null
}
