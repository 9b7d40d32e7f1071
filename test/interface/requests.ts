import fc from 'fast-check'
import { bodySchema, type Described, type Parameter, parametersOf, type Schema } from '../support/openapi.ts'
import { example, parameterValue, type RichTenant } from '../support/rich-tenant.ts'
import { headers, hostile, hostileText, oddQuery, oddSegment, write } from './hostile.ts'

/** A request as it goes over the wire; what a counterexample shows. */
export interface Wire {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly raw: string | null
}

const patterns = new Map<string, fc.Arbitrary<string>>()
/** Texts of a pattern; ours use nothing but classes and bounds. */
function matching(pattern: string): fc.Arbitrary<string> {
  const known = patterns.get(pattern) ?? fc.stringMatching(new RegExp(pattern))
  patterns.set(pattern, known)
  return known
}

const hostileWithin = ({ minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Schema) =>
  hostileText
    .map((value) => (value.length < minLength ? (value || 'x').repeat(minLength).slice(0, minLength) : value))
    .filter((value) => value.length <= maxLength)

function text(schema: Schema): fc.Arbitrary<string> {
  const { minLength = 0, maxLength = 60, pattern, format }: Schema = schema
  if (pattern || format) return formed(schema)
  const plain = fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 60), unit: 'grapheme' })
  return fc.oneof({ weight: 1, arbitrary: plain }, { weight: 1, arbitrary: hostileWithin(schema) })
}

function formed({ pattern, format }: Schema): fc.Arbitrary<string> {
  if (pattern) return matching(pattern)
  if (format === 'date-time')
    return fc.date({ noInvalidDate: true, min: new Date('1900-01-01'), max: new Date('2200-01-01') }).map((date) => date.toISOString())
  if (format === 'email') return fc.nat().map((number) => `someone${number}@example.dz`)
  return fc.constant('https://example.dz/picture.png')
}

function number({ type, minimum = -1e6, maximum = 1e6 }: Schema): fc.Arbitrary<number> {
  const low = Math.max(minimum, -1e12)
  const high = Math.min(maximum, 1e12)
  const whole = fc.integer({ min: Math.ceil(Math.max(low, -(2 ** 31))), max: Math.floor(Math.min(high, 2 ** 31 - 1)) })
  if (type === 'integer') return whole
  const odd = [low, high, 0.005, 1e-7, 1e-10, -0, 0.1 + 0.2, 99_999_999_999.99].filter((value) => value >= minimum && value <= maximum)
  return fc.oneof(
    { weight: 2, arbitrary: whole },
    { weight: 2, arbitrary: whole.map((value) => value / 100) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  )
}

/** The same again would be a conflict. */
const UNIQUE = new Set(['slug', 'sku', 'reference', 'code'])

/** Values that a schema takes; names of the tenant's own things lead past the first check. */
function valid(tenant: RichTenant, name: string, schema: Schema): fc.Arbitrary<unknown> {
  const own = UNIQUE.has(name) ? free(tenant, name, schema) : fc.constant(example(tenant, name, schema))
  const any = free(tenant, name, schema)
  const either =
    schema.type === 'object' || schema.type === 'array' ? any : fc.oneof({ weight: 2, arbitrary: own }, { weight: 1, arbitrary: any })
  return schema.nullable ? fc.oneof({ weight: 5, arbitrary: either }, { weight: 1, arbitrary: fc.constant(null) }) : either
}

function free(tenant: RichTenant, name: string, schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf && schema.type === undefined) return fc.oneof(...schema.anyOf.map((member) => valid(tenant, name, member)))
  if (schema.type === 'object') return object(tenant, schema)
  if (schema.type === 'array') {
    const { minItems = 0, maxItems = 4 } = schema
    return fc.array(valid(tenant, name.replace(/s$/, ''), schema.items ?? {}), {
      minLength: minItems,
      maxLength: Math.max(minItems, Math.min(maxItems, 4)),
    })
  }
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'number' || schema.type === 'integer') return number(schema)
  return schema.type === 'string' ? text(schema) : fc.jsonValue({ maxDepth: 3 })
}

const sometimes = <V>(value: fc.Arbitrary<V>) => fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })

function object(tenant: RichTenant, { properties, required = [], additionalProperties }: Schema): fc.Arbitrary<unknown> {
  if (properties) {
    // Few at a time, so that one odd field does not hide another; what is undefined is not written.
    const part = (name: string, schema: Schema) =>
      required.includes(name) ? valid(tenant, name, schema) : sometimes(valid(tenant, name, schema))
    return fc.record(Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, part(name, schema)])), {
      noNullPrototype: true,
    })
  }
  const value = typeof additionalProperties === 'object' ? valid(tenant, 'value', additionalProperties) : fc.jsonValue({ maxDepth: 2 })
  return fc.dictionary(fc.oneof(fc.string({ maxLength: 10 }), fc.constantFrom('__proto__', 'a\nb', '')), value, {
    maxKeys: 3,
    noNullPrototype: true,
  })
}

interface Mutation {
  readonly at: number
  readonly how: 'replace' | 'remove' | 'add' | 'repeat'
  readonly key: string
  readonly value: unknown
}

const mutation: fc.Arbitrary<Mutation> = fc.record(
  {
    at: fc.nat(50),
    how: fc.constantFrom('replace', 'replace', 'remove', 'add', 'repeat'),
    key: fc.constantFrom('surplus', '__proto__', 'constructor', 'toString', '\u0000', ''),
    value: hostile,
  },
  { noNullPrototype: true },
)

/** Every place in the value: its container and the key there. */
function places(value: unknown): { container: Record<string, unknown>; key: string }[] {
  if (value === null || typeof value !== 'object') return []
  return Object.keys(value).flatMap((key) => [
    { container: value as Record<string, unknown>, key },
    ...places((value as Record<string, unknown>)[key]),
  ])
}

function mutate(whole: unknown, { at, how, key, value }: Mutation): unknown {
  const copy = structuredClone(whole)
  const all = places(copy)
  if (all.length === 0) return how === 'replace' ? value : copy
  const place = all[at % all.length]!
  if (how === 'replace') place.container[place.key] = value
  else if (how === 'remove') delete place.container[place.key]
  else if (how === 'repeat' && Array.isArray(place.container[place.key]))
    (place.container[place.key] as unknown[]).push(...(place.container[place.key] as unknown[]))
  else Object.defineProperty(place.container, key, { value, enumerable: true, configurable: true, writable: true })
  return copy
}

const body = (tenant: RichTenant, schema: Schema): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 12, arbitrary: valid(tenant, 'body', schema).map(write) },
    {
      weight: 8,
      arbitrary: fc
        .tuple(valid(tenant, 'body', schema), fc.array(mutation, { minLength: 1, maxLength: 2 }))
        .map(([value, mutations]) => write(mutations.reduce(mutate, value))),
    },
    { weight: 1, arbitrary: hostile.map(write) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', '{', '{"a":', 'null', '{"a":1}trailing', '\ufeff{}', "{'a':1}", '[', '"\\ud800"', '{"a":1,"a":2}'),
    },
  )

function path(tenant: RichTenant, described: Described): fc.Arbitrary<string> {
  const parts = described.path.split('/').map((part) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (name === undefined) return fc.constant(part)
    return fc.oneof(
      { weight: 9, arbitrary: fc.constant(encodeURIComponent(parameterValue(tenant, described.path, name)!)) },
      { weight: 1, arbitrary: oddSegment },
    )
  })
  return fc.tuple(...parts).map((all) => all.join('/'))
}

/** Present or not, good or not, once or twice. */
function query(tenant: RichTenant, described: Described): fc.Arbitrary<string> {
  const pair = ({ name, schema }: Parameter): fc.Arbitrary<string> =>
    fc.oneof(
      { weight: 4, arbitrary: valid(tenant, name, schema).map((value) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`) },
      { weight: 1, arbitrary: oddQuery.map((value) => `${name}=${value}`) },
    )
  const each = parametersOf(described, 'query').map((parameter) =>
    fc
      .array(
        pair(parameter),
        parameter.required || parameter.name === 'storeId' ? { minLength: 1, maxLength: 1 } : { maxLength: 2, size: 'xsmall' },
      )
      .map((pairs) => pairs.join('&')),
  )
  return fc.tuple(...each).map((all) => {
    const given = all.filter(Boolean)
    return given.length > 0 ? `?${given.join('&')}` : ''
  })
}

/** Requests near what the operation takes. */
export function requestsTo(tenant: RichTenant, described: Described): fc.Arbitrary<Wire> {
  const schema = bodySchema(described)
  const raw = schema ? body(tenant, schema) : fc.constantFrom(null, null, '{}', '[1]')
  return fc
    .tuple(path(tenant, described), query(tenant, described), headers, raw)
    .map(([at, asked, sent, text_]) => ({ path: at + asked, headers: sent, raw: text_ }))
}
