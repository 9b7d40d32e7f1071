import { isRow } from '../../../plugins/toolkit/values.ts'

type Schema = Readonly<Record<string, unknown>>

/** A stranger's schema costs no more than this to hold something against. */
const STEPS_MAX = 200_000
/** Letters that cost as much to count as one step. */
const LETTERS_A_STEP = 256

/**
 * What is wrong with a value by a caller's JSON schema; undefined where it fits. Held to are `type`, `enum`, `const`, `properties`,
 * `required`, `additionalProperties`, `items`, `anyOf`, `oneOf`, `allOf` and the bounds of texts, numbers and lists. What else a schema
 * says, its patterns and references among them, is left to the model.
 */
export function misfitOf(schema: unknown, value: unknown): string | undefined {
  return new Holding().problem(schema, value, '')
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
  return 1 + lists + (typeof value === 'string' ? Math.floor(value.length / LETTERS_A_STEP) : 0)
}

/** Names of a model's own, as they can be stored: without NUL and halves of letters. */
const printed = (name: string) => JSON.stringify(name).slice(1, -1)

class Holding {
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
      const wrong = this.problem(Object.hasOwn(known, name) ? known[name] : additionalProperties, member, `${at}/${printed(name)}`)
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
  const bounds = boundsOf(value)
  const broken = bounds && Object.entries(bounds).find(([name, holds]) => typeof schema[name] === 'number' && !holds(schema[name]))
  return broken && `${at || '/'}: ${broken[0]} is ${schema[broken[0]]}`
}

type Bounds = Readonly<Record<string, (bound: number) => boolean>>

const between = (size: number, least: string, most: string): Bounds => ({
  [least]: (bound) => size >= bound,
  [most]: (bound) => size <= bound,
})

function boundsOf(value: unknown): Bounds | undefined {
  if (typeof value === 'string') return between([...value].length, 'minLength', 'maxLength')
  if (Array.isArray(value)) return between(value.length, 'minItems', 'maxItems')
  if (typeof value !== 'number') return undefined
  return {
    ...between(value, 'minimum', 'maximum'),
    exclusiveMinimum: (bound) => value > bound,
    exclusiveMaximum: (bound) => value < bound,
  }
}
