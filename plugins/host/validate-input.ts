import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { getSchemaValidator, ValidationError } from 'elysia'
import { invalidBody } from '../../core/http/errors/errors.ts'
import type { EndpointSchemas } from './endpoint-schemas.ts'

/** Input of a request to an endpoint that several kinds share. */
export interface RequestInput {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** Validates the input against the schemas of one kind and applies their defaults. Throws as Elysia does for a route's own schema. */
export function validateInput({ params, query, body }: EndpointSchemas, given: RequestInput): RequestInput {
  const isEmpty =
    given.body === null || given.body === undefined || (typeof given.body === 'object' && Object.keys(given.body).length === 0)
  if (!body && !isEmpty) throw invalidBody('No body is allowed here.')
  return {
    params: params ? read('params', params, given.params) : {},
    query: query ? read('query', query, given.query) : {},
    body: body ? read('body', body, given.body) : null,
  }
}

type Validator = ReturnType<typeof getSchemaValidator<TSchema>>
const validators = new WeakMap<TSchema, Validator>()

/** Returns the compiled validator of a schema; each is built once, as Elysia does for routes. */
function validatorOf(type: string, schema: TSchema): Validator {
  const validator = validators.get(schema) ?? getSchemaValidator(schema, { coerce: type !== 'body', normalize: false })
  validators.set(schema, validator)
  return validator
}

function read<V>(type: string, schema: TSchema, value: V): V {
  const validator = validatorOf(type, schema)
  const whole = Value.Default(schema, Value.Clone(value))
  if (!validator.Check(whole)) throw new ValidationError(type, validator, whole)
  return (validator.hasTransform ? validator.Decode(whole) : whole) as V
}
