import type { TSchema } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import { yieldToOthers } from '../../lib/async/yield-every.ts'
import { ApiError, type ErrorDetail, invalidBody } from '../errors/errors.ts'
import type { RouteInputs } from '../errors/pointers.ts'
import { BODY_BYTES, readBytes, readJson, SLOW_BODY_BYTES } from './body.ts'
import { detailOf } from './validation-detail.ts'

/** Problems that are reported for an invalid body. */
const PROBLEMS_MAX = 10
/** Maximum bytes of a body on a route without one, such as an empty object. */
const EMPTY_BYTES = 64
/** Limit for routes that read their own body, such as file uploads. */
const UNLIMITED = Number.POSITIVE_INFINITY

interface Declared {
  readonly method: string
  readonly path: string
  readonly hooks?: {
    readonly body?: unknown
    readonly query?: unknown
    readonly params?: unknown
    readonly detail?: { readonly requestBody?: unknown }
  }
}

/** Bodies that routes declare. They are validated before anything else reads them. */
export interface BodyRegistry {
  /** Returns the maximum bytes of a route's body. */
  maxBytesOf(method: string, route: string): number
  /** Reads and validates the body of a route. Null if the route declares none or reads it itself. Throws 400, 408, 413 and 415. */
  read(request: Request, route: string): Promise<unknown>
  /** Returns the schemas of a route's inputs. */
  inputsOf(method: string, route: string): RouteInputs
  /** Registers the declarations of routes. */
  registerRoutes(routes: readonly Declared[]): void
}

/** Creates the registry of declared bodies. Schemas are compiled at first use. */
export function createBodyRegistry(): BodyRegistry {
  const declared = new Map<string, Declared['hooks']>()
  const checks = new Map<string, TypeCheck<TSchema>>()
  const isSelfParsed = (name: string) => declared.get(name)?.detail?.requestBody !== undefined

  function checkOf(name: string, schema: TSchema): TypeCheck<TSchema> {
    const check = checks.get(name) ?? TypeCompiler.Compile(schema)
    checks.set(name, check)
    return check
  }

  return {
    registerRoutes(routes) {
      checks.clear()
      for (const { method, path, hooks } of routes) declared.set(`${method} ${path}`, hooks)
    },
    maxBytesOf: (method, route) => (isSelfParsed(`${method} ${route}`) ? UNLIMITED : BODY_BYTES),
    inputsOf(method, route) {
      const { body, query, params } = declared.get(`${method} ${route}`) ?? {}
      return { method, body, query, params }
    },
    async read(request, route) {
      const name = `${request.method} ${route}`
      if (request.method === 'GET' || request.method === 'HEAD' || isSelfParsed(name)) return null
      const schema = declared.get(name)?.body as TSchema | undefined
      if (!schema) return assertEmpty(request)
      const body = await readJson(request)
      const check = checkOf(name, schema)
      if (isLong(request)) await yieldToOthers()
      if (!check.Check(body)) throw describeMismatch(check, body)
      return body
    },
  }
}

/**
 * Builds the error with the first problems of a body. Stops at an oversized value, because searching its members for more problems is slow.
 */
function describeMismatch(check: TypeCheck<TSchema>, body: unknown): ApiError {
  const details: ErrorDetail[] = []
  for (const error of check.Errors(body)) {
    details.push(detailOf('/body', error))
    if (details.length === PROBLEMS_MAX || isTooLarge(error)) break
  }
  return new ApiError('invalid_request', 'The request does not match its schema; see details.', { details })
}

/** Returns true if a body is long or has no declared length. */
const isLong = ({ headers }: Request) => !(Number(headers.get('content-length') ?? Number.NaN) <= SLOW_BODY_BYTES)

const tooLarge: readonly ValueErrorType[] = [
  ValueErrorType.ArrayMaxItems,
  ValueErrorType.ObjectMaxProperties,
  ValueErrorType.StringMaxLength,
]

/** Returns true if a value is oversized, including the members of a union, such as an optional value. */
const isTooLarge = ({ type, errors }: ValueError): boolean =>
  tooLarge.includes(type) || errors.some((choice) => tooLarge.includes(choice.First()?.type as ValueErrorType))

async function assertEmpty(request: Request): Promise<null> {
  const bytes = await readBytes(request, EMPTY_BYTES).catch((error) => {
    throw error instanceof ApiError && error.code === 'payload_too_large' ? unexpectedBody() : error
  })
  const text = new TextDecoder().decode(bytes).trim()
  if (text !== '' && text !== 'null' && !/^\{\s*\}$/.test(text)) throw unexpectedBody()
  return null
}

const unexpectedBody = () => invalidBody('This takes no body.')
