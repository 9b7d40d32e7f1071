import type { TSchema } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import { yieldToOthers } from '../../lib/async/yield-every.ts'
import { ApiError, type Detail, invalid } from '../errors/errors.ts'
import { BODY_BYTES, COMPUTING_BYTES, readBytes, readJson } from './body.ts'
import { detailOf } from './validation-detail.ts'

/** What is told of a body that is wrong in many ways. */
const PROBLEMS_MAX = 10
/** A body where none is asked for may be an empty object. */
const EMPTY_BYTES = 64
/** A route that reads its own body, such as an uploaded file. */
const UNLIMITED = Number.POSITIVE_INFINITY

interface Declared {
  readonly method: string
  readonly path: string
  readonly hooks?: { readonly body?: unknown; readonly detail?: { readonly requestBody?: unknown } }
}

/** The bodies that routes declare, checked before anything else looks at them. */
export interface Bodies {
  /** Bytes that the body of a route may have at most. */
  maxOf(method: string, route: string): number
  /** The body as the route declares it; null where it declares none, or reads it by itself. Throws 400, 413 and 415. */
  read(request: Request, route: string): Promise<unknown>
  /** Takes over what routes declare. */
  declare(routes: readonly Declared[]): void
}

export function declaredBodies(): Bodies {
  const declared = new Map<string, Declared['hooks']>()
  const checks = new Map<string, TypeCheck<TSchema>>()
  const readsItself = (name: string) => declared.get(name)?.detail?.requestBody !== undefined

  function checkOf(name: string, schema: TSchema): TypeCheck<TSchema> {
    const check = checks.get(name) ?? TypeCompiler.Compile(schema)
    checks.set(name, check)
    return check
  }

  return {
    declare(routes) {
      checks.clear()
      for (const { method, path, hooks } of routes) declared.set(`${method} ${path}`, hooks)
    },
    maxOf: (method, route) => (readsItself(`${method} ${route}`) ? UNLIMITED : BODY_BYTES),
    async read(request, route) {
      const name = `${request.method} ${route}`
      if (request.method === 'GET' || request.method === 'HEAD' || readsItself(name)) return null
      const schema = declared.get(name)?.body as TSchema | undefined
      if (!schema) return assertEmpty(request)
      const body = await readJson(request)
      const check = checkOf(name, schema)
      if (isLong(request)) await yieldToOthers()
      if (!check.Check(body)) throw mismatch(check, body)
      return body
    },
  }
}

/**
 * Tells the first problems of a body. What is too large ends the search: its members would all be walked through, and the next problem may be
 * at the end of a megabyte.
 */
function mismatch(check: TypeCheck<TSchema>, body: unknown): ApiError {
  const details: Detail[] = []
  for (const error of check.Errors(body)) {
    details.push(detailOf('/body', error))
    if (details.length === PROBLEMS_MAX || isTooLarge(error)) break
  }
  return new ApiError('invalid_request', 'The request does not match its schema; see details.', { details })
}

/** Also where nobody says how long it is. */
const isLong = ({ headers }: Request) => !(Number(headers.get('content-length') ?? Number.NaN) <= COMPUTING_BYTES)

const tooLarge: readonly ValueErrorType[] = [
  ValueErrorType.ArrayMaxItems,
  ValueErrorType.ObjectMaxProperties,
  ValueErrorType.StringMaxLength,
]

/** Also of a value that may be left out or null: there the size stands within the choice. */
const isTooLarge = ({ type, errors }: ValueError): boolean =>
  tooLarge.includes(type) || errors.some((choice) => tooLarge.includes(choice.First()?.type as ValueErrorType))

async function assertEmpty(request: Request): Promise<null> {
  const bytes = await readBytes(request, EMPTY_BYTES).catch((error) => {
    throw error instanceof ApiError && error.code === 'payload_too_large' ? undeclared() : error
  })
  const text = new TextDecoder().decode(bytes).trim()
  if (text !== '' && text !== 'null' && !/^\{\s*\}$/.test(text)) throw undeclared()
  return null
}

const undeclared = () => invalid('/body', 'This takes no body.')
