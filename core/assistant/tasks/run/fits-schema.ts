import { isRow } from '../../../../plugins/toolkit/values.ts'

type Schema = Readonly<Record<string, unknown>>

/** Steps after which a check stops: a caller's schema can be arbitrarily expensive. */
const STEPS_MAX = 200_000
/** Characters that cost as much as one step. */
const CHARS_PER_STEP = 256

/**
 * Returns the first problem of a value with a caller's JSON schema; undefined when it fits. Checks `type`, `enum`, `const`, `properties`,
 * `required`, `additionalProperties`, `items`, `anyOf`, `oneOf`, `allOf`, and the bounds of texts, numbers and lists.
 * Ignores all other keywords, such as patterns and references.
 */
export function findSchemaMismatch(schema: unknown, value: unknown): string | undefined {
  return new SchemaChecker().problem(schema, value, '')
}

const isOf: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isRow,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
}
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const isSame = (one: unknown, other: unknown): boolean => Bun.deepEquals(one, other, true)

function weightOf(schema: unknown, value: unknown): number {
  const lists = isRow(schema) ? listOf(schema.enum).length + listOf(schema.required).length : 0
  return 1 + lists + (typeof value === 'string' ? Math.floor(value.length / CHARS_PER_STEP) : 0)
}

/** Escapes a name that a model made up, since PostgreSQL cannot store NUL and lone surrogates. */
const escapeName = (name: string) => JSON.stringify(name).slice(1, -1)

class SchemaChecker {
  #steps = 0

  problem(schema: unknown, value: unknown, at: string): string | undefined {
    this.#steps += weightOf(schema, value)
    if (this.#steps > STEPS_MAX) return 'it is too much to be checked'
    if (schema === false) return `${at || '/'}: nothing may stand here`
    if (!isRow(schema)) return undefined
    return (
      plainProblem(schema, value, at) ??
      this.#variants(schema, value, at) ??
      this.#members(schema, value, at) ??
      this.#rows(schema, value, at)
    )
  }

  #variants({ anyOf, oneOf, allOf }: Schema, value: unknown, at: string): string | undefined {
    for (const one of listOf(allOf)) {
      const wrong = this.problem(one, value, at)
      if (wrong !== undefined) return wrong
    }
    const fitting = (variants: readonly unknown[]) => variants.filter((one) => this.problem(one, value, at) === undefined).length
    if (Array.isArray(anyOf) && fitting(anyOf) === 0) return `${at || '/'}: none of anyOf`
    if (Array.isArray(oneOf) && fitting(oneOf) !== 1) return `${at || '/'}: not exactly one of oneOf`
    return undefined
  }

  #members({ properties, required, additionalProperties }: Schema, value: unknown, at: string): string | undefined {
    if (!isRow(value)) return undefined
    const known = isRow(properties) ? properties : {}
    const missing = listOf(required).find((name) => typeof name === 'string' && !Object.hasOwn(value, name))
    if (missing !== undefined) return `${at}/${missing}: it is missing`
    for (const [name, member] of Object.entries(value)) {
      const wrong = this.problem(Object.hasOwn(known, name) ? known[name] : additionalProperties, member, `${at}/${escapeName(name)}`)
      if (wrong !== undefined) return wrong
    }
    return undefined
  }

  #rows({ items }: Schema, value: unknown, at: string): string | undefined {
    if (items === undefined || !Array.isArray(value)) return undefined
    for (const [index, row] of value.entries()) {
      const wrong = this.problem(items, row, `${at}/${index}`)
      if (wrong !== undefined) return wrong
    }
    return undefined
  }
}

function plainProblem(schema: Schema, value: unknown, at: string): string | undefined {
  const { type, enum: choices } = schema
  const types = (Array.isArray(type) ? type : [type]).filter((one): one is string => typeof one === 'string' && Object.hasOwn(isOf, one))
  if (types.length > 0 && !types.some((one) => isOf[one]?.(value))) return `${at || '/'}: expected ${types.join(' or ')}`
  if ('const' in schema && !isSame(schema.const, value)) return `${at || '/'}: expected ${JSON.stringify(schema.const)}`
  if (Array.isArray(choices) && !choices.some((one) => isSame(one, value))) return `${at || '/'}: none of the enum`
  const violated = Object.entries(bounds).find(([name, { of, isWithin }]) => {
    const bound = schema[name]
    const size = typeof bound === 'number' ? of(value) : undefined
    return size !== undefined && !isWithin(size, bound as number)
  })
  return violated && `${at || '/'}: ${violated[0]} is ${schema[violated[0]]}`
}

/** Function that measures a value; undefined when the bound does not apply to its type. */
type Measure = (value: unknown) => number | undefined

const charactersOf: Measure = (value) => (typeof value === 'string' ? countCharacters(value) : undefined)
const rowsOf: Measure = (value) => (Array.isArray(value) ? value.length : undefined)
const numberOf: Measure = (value) => (typeof value === 'number' ? value : undefined)

/** Counts characters as JSON Schema does: a surrogate pair is one. */
function countCharacters(text: string): number {
  let count = text.length
  for (let at = 1; at < text.length; at += 1)
    if ((text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) count -= 1
  return count
}

const atLeast = (size: number, bound: number) => size >= bound
const atMost = (size: number, bound: number) => size <= bound

const bounds: Readonly<Record<string, { readonly of: Measure; readonly isWithin: (size: number, bound: number) => boolean }>> = {
  minLength: { of: charactersOf, isWithin: atLeast },
  maxLength: { of: charactersOf, isWithin: atMost },
  minItems: { of: rowsOf, isWithin: atLeast },
  maxItems: { of: rowsOf, isWithin: atMost },
  minimum: { of: numberOf, isWithin: atLeast },
  maximum: { of: numberOf, isWithin: atMost },
  exclusiveMinimum: { of: numberOf, isWithin: (size, bound) => size > bound },
  exclusiveMaximum: { of: numberOf, isWithin: (size, bound) => size < bound },
}
