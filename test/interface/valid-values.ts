import fc from 'fast-check'
import { DAY_MS } from '../../core/lib/durations.ts'
import type { Schema } from '../support/openapi.ts'
import { example, type RichTenant } from '../support/rich-tenant.ts'

/** Optional fields that a value has, of all that it may have. */
const OPTIONAL_SHARE = 4
const LENGTH_MAX = 40
const ITEMS_MAX = 3

const patterns = new Map<string, fc.Arbitrary<string>>()
function matching(pattern: string): fc.Arbitrary<string> {
  const known = patterns.get(pattern) ?? fc.stringMatching(new RegExp(pattern, 'u'))
  patterns.set(pattern, known)
  return known
}

const moments = fc.date({ noInvalidDate: true, min: new Date('1971-01-01'), max: new Date('2199-12-31') })
/** Days from yesterday on, far enough from now that the clock does not matter. */
const later = fc.integer({ min: 2, max: 60 }).map((days) => new Date(Date.now() + days * DAY_MS))
const day = (date: Date) => date.toISOString().slice(0, 10)

/** Values of the formats that the document uses. One that is missing here is asked for. */
const formats: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'date-time': fc.oneof(moments, later).map((date) => date.toISOString()),
  date: fc.oneof(moments, later).map(day),
  email: fc.tuple(fc.nat(), fc.constantFrom('dz', 'com')).map(([number, ending]) => `someone${number}@example.${ending}`),
  uri: fc.webUrl({ withQueryParameters: true, validSchemes: ['https', 'http'] }),
  uuid: fc.uuid(),
  ipv4: fc.ipV4(),
  byte: fc.base64String({ maxLength: LENGTH_MAX }),
}

/** Length as JSON Schema counts it: in characters, not in units of UTF-16. */
const lengthOf = (text: string) => [...text].length

function text(schema: Schema): fc.Arbitrary<string> {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = schema
  const fits = (value: string) => {
    const length = lengthOf(value)
    return length >= minLength && length <= maxLength && (pattern === undefined || new RegExp(pattern, 'u').test(value))
  }
  const known = format === undefined ? undefined : formats[format]
  if (known) return known.filter(fits)
  if (pattern !== undefined) return lengthened(schema, pattern).filter(fits)
  const most = Math.min(maxLength, minLength + LENGTH_MAX)
  const of = (unit: 'grapheme-ascii' | 'grapheme' | 'binary') =>
    fc.string({ minLength, maxLength: most, unit }).map((value) => [...value].slice(0, most).join(''))
  return fc
    .oneof({ weight: 3, arbitrary: of('grapheme-ascii') }, { weight: 2, arbitrary: of('grapheme') }, { weight: 1, arbitrary: of('binary') })
    .filter(fits)
}

/** A pattern that only asks for something somewhere, or forbids characters, says nothing of the length. */
function lengthened({ minLength = 0 }: Schema, pattern: string): fc.Arbitrary<string> {
  const one = matching(pattern)
  if (minLength <= 1) return one
  return fc.oneof(
    { weight: 1, arbitrary: one },
    { weight: 3, arbitrary: fc.array(one, { minLength: 1, maxLength: minLength }).map((parts) => parts.join('').padEnd(minLength, 'x')) },
  )
}

function number(schema: Schema): fc.Arbitrary<number> {
  const {
    type,
    minimum = -1e6,
    maximum = Math.max(1e6, minimum),
    exclusiveMinimum,
    exclusiveMaximum,
    'x-decimals': decimals,
  }: Schema = schema
  const fits = (value: number) => (!exclusiveMinimum || value > minimum) && (!exclusiveMaximum || value < maximum)
  if (type === 'integer') return fc.integer({ min: Math.ceil(minimum), max: Math.floor(Math.min(maximum, 2 ** 31 - 1)) }).filter(fits)
  if (decimals !== undefined) return steps(minimum, maximum, 10 ** -decimals).filter(fits)
  return fc
    .oneof(
      { weight: 2, arbitrary: fc.integer({ min: Math.ceil(minimum), max: Math.floor(Math.min(maximum, 1e6)) }) },
      { weight: 1, arbitrary: fc.double({ min: minimum, max: maximum, noNaN: true }) },
    )
    .filter((value) => fits(value) && Number.isFinite(value))
}

/** Multiples of a step, as near to its decimals as a double comes. */
function steps(minimum: number, maximum: number, step: number): fc.Arbitrary<number> {
  const parts = Math.round(1 / step)
  const [least, most] = [Math.ceil(minimum * parts), Math.floor(Math.min(maximum, 1e6) * parts)]
  return fc.oneof(
    { weight: 2, arbitrary: fc.integer({ min: Math.ceil(minimum), max: Math.floor(Math.min(maximum, 1e5)) }) },
    {
      weight: 1,
      arbitrary: fc
        .maxSafeInteger()
        .map((drawn) => least + (Math.abs(drawn) % (most - least + 1)))
        .map((count) => count / parts),
    },
  )
}

const looksLike: Readonly<Record<string, RegExp>> = { 'date-time': /T.*Z$/, date: /^\d{4}-\d\d-\d\d$/, email: /@/, uri: /^https?:\/\/\S+$/ }

/** Whether a schema takes a value that an example offers: a name that two schemas share may mean two things. */
function takesValue(schema: Schema, value: unknown): boolean {
  const { type, anyOf, oneOf, minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, minimum, maximum, items } = schema
  if (value === null) return schema.nullable === true
  const members = anyOf ?? oneOf
  if (members) return members.some((member) => takesValue(member, value))
  if (schema.enum) return schema.enum.includes(value)
  if (type === 'string' && schema.format && !looksLike[schema.format]?.test(String(value))) return false
  if (type === 'string')
    return (
      typeof value === 'string' &&
      value.length >= minLength &&
      value.length <= maxLength &&
      (!pattern || new RegExp(pattern, 'u').test(value))
    )
  if (type === 'number' || type === 'integer')
    return typeof value === 'number' && value >= (minimum ?? value) && value <= (maximum ?? value)
  if (type === 'boolean') return typeof value === 'boolean'
  if (type === 'array') return Array.isArray(value) && value.every((one) => takesValue(items ?? {}, one))
  return type === 'object' && typeof value === 'object' && !Array.isArray(value) && schema.properties === undefined
}

/** Values of which the schema says that they are taken: the tenant's own ids where an id stands, else anything that fits. */
export function validValue(tenant: RichTenant, name: string, schema: Schema): fc.Arbitrary<unknown> {
  const any = free(tenant, name, schema)
  const own =
    schema.type === 'object' || schema.type === 'array' || schema.anyOf || schema.oneOf ? undefined : example(tenant, name, schema)
  const either =
    own === undefined || !takesValue(schema, own)
      ? any
      : fc.oneof({ weight: 3, arbitrary: fc.constant(own) }, { weight: 1, arbitrary: any })
  return schema.nullable ? fc.oneof({ weight: 5, arbitrary: either }, { weight: 1, arbitrary: fc.constant(null) }) : either
}

function free(tenant: RichTenant, name: string, schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const members = schema.anyOf ?? schema.oneOf
  if (members && schema.type === undefined) return fc.oneof(...members.map((member) => validValue(tenant, name, member)))
  if (schema.type === 'object') return object(tenant, schema)
  if (schema.type === 'array') return array(tenant, name, schema)
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'number' || schema.type === 'integer') return number(schema)
  return schema.type === 'string' ? text(schema) : fc.jsonValue({ maxDepth: 2 })
}

function array(tenant: RichTenant, name: string, schema: Schema) {
  const { items = {}, minItems = 0, maxItems = ITEMS_MAX, uniqueItems }: Schema = schema
  const bounds = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, ITEMS_MAX)) }
  const item = validValue(tenant, name.replace(/s$/, ''), items)
  const some = uniqueItems ? fc.uniqueArray(item, { ...bounds, selector: (one) => JSON.stringify(one) }) : fc.array(item, bounds)
  return some.filter((value) => schema.anyOf?.some((member) => listFits(member, value)) ?? true)
}

/** What `anyOf` beside the items asks of a list: a length, or items that are none of some values. */
const listFits = ({ maxItems = Number.POSITIVE_INFINITY, items }: Schema, value: readonly unknown[]) =>
  value.length <= maxItems && !value.some((one) => items?.not?.enum?.includes(one))

/** With exactly one or at least one of the sets of names that `anyOf` and `oneOf` beside the properties ask for. */
function object(tenant: RichTenant, schema: Schema): fc.Arbitrary<unknown> {
  const { properties, minProperties = 0 } = schema
  if (!properties) return map(tenant, schema)
  const names = Object.keys(properties)
  const required = new Set(schema.required)
  const chosen = fc
    .tuple(
      ...names.map((name) =>
        required.has(name) || name === 'storeId' ? fc.constant(true) : fc.nat(OPTIONAL_SHARE - 1).map((drawn) => drawn === 0),
      ),
    )
    .map((drawn) => names.filter((_, at) => drawn[at]))
  const enough = fc
    .tuple(
      chosen,
      fc.shuffledSubarray(names, { minLength: Math.min(minProperties, names.length), maxLength: Math.min(minProperties, names.length) }),
    )
    .map(([some, more]) => (some.length >= minProperties ? some : [...new Set([...some, ...more])]))
    .filter((some) => namesFit(schema, new Set(some)))
  return enough.chain((some) =>
    fc.record(Object.fromEntries(some.map((name) => [name, validValue(tenant, name, properties[name] ?? {})])), { noNullPrototype: true }),
  )
}

/** Whether the names of an object are as the schema asks. */
function namesFit({ required = [], anyOf, oneOf, allOf, not, dependentRequired }: Schema, names: ReadonlySet<string>): boolean {
  if (!required.every((name) => names.has(name))) return false
  const fits = (member: Schema) => namesFit(member, names)
  if (anyOf && !anyOf.some(fits)) return false
  if (oneOf && oneOf.filter(fits).length !== 1) return false
  if (allOf && !allOf.every(fits)) return false
  if (not && fits(not)) return false
  return Object.entries(dependentRequired ?? {}).every(([name, others]) => !names.has(name) || others.every((other) => names.has(other)))
}

function map(tenant: RichTenant, { additionalProperties, minProperties = 0, maxProperties = ITEMS_MAX }: Schema) {
  const value = typeof additionalProperties === 'object' ? validValue(tenant, 'value', additionalProperties) : fc.jsonValue({ maxDepth: 1 })
  return fc.dictionary(fc.string({ minLength: 1, maxLength: 10 }), value, {
    minKeys: minProperties,
    maxKeys: Math.max(minProperties, Math.min(maxProperties, ITEMS_MAX)),
    noNullPrototype: true,
  })
}
