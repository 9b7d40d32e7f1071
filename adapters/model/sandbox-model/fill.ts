import { isRow } from 'serai/model'

type Schema = Readonly<Record<string, unknown>>

const DEPTH_MAX = 6
const NUMBER = /-?\d+(?:\.\d+)?/g

/** Values found in a request; each is used once, in order. */
export interface Source {
  readonly text: string
  readonly quoted: string[]
  readonly numbers: number[]
  /** JSON in the request, whose fields are used as they are. */
  readonly given: Schema
}

export function sourceOf(text: string): Source {
  const json = /\{[\s\S]*\}/.exec(text)?.[0]
  const words = json === undefined ? text : text.replace(json, ' ')
  return {
    text: words.toLowerCase(),
    quoted: [...words.matchAll(/["“«]\s*([^"”»]*?)\s*["”»]/g)].map(([, quoted = '']) => quoted),
    numbers: [...words.matchAll(NUMBER)].map(([number]) => Number(number)),
    given: objectIn(json),
  }
}

function objectIn(json: string | undefined): Schema {
  try {
    const value: unknown = JSON.parse(json ?? '{}')
    return isRow(value) ? value : {}
  } catch {
    return {}
  }
}

/**
 * Builds a value that fits a JSON schema, always the same. Uses fields given in the request, `enum` words, quoted texts and numbers in
 * order, else the smallest fitting value.
 */
export function fill(schema: unknown, source: Source, name = 'value', depth = 0): unknown {
  if (!isRow(schema) || depth > DEPTH_MAX) return null
  if (Object.hasOwn(source.given, name) && depth > 0) return source.given[name]
  if ('const' in schema) return schema.const
  const choices = Array.isArray(schema.enum) ? schema.enum : constantsOf(schema.anyOf ?? schema.oneOf)
  if (choices.length > 0) return choices.find((one) => source.text.includes(String(one).toLowerCase())) ?? choices[0]
  const [variant] = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((all) => (Array.isArray(all) ? all : []))
  if (variant) return fill(variant, source, name, depth + 1)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object' || isRow(schema.properties)) return object(schema, source, depth)
  if (type === 'array') return Array.from({ length: Number(schema.minItems ?? 1) }, () => fill(schema.items, source, name, depth + 1))
  if (type === 'integer' || type === 'number') return numberFor(schema, source, { isInteger: type === 'integer' })
  if (type === 'boolean') return true
  if (type === 'null') return null
  return textFor(schema, source, name)
}

const constantsOf = (variants: unknown): unknown[] =>
  Array.isArray(variants) && variants.every((one) => isRow(one) && 'const' in one) ? variants.map((one: Schema) => one.const) : []

function object(schema: Schema, source: Source, depth: number): Schema {
  const properties = isRow(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required : []
  const wanted = Object.entries(properties).filter(([name]) => required.includes(name) || Object.hasOwn(source.given, name))
  return Object.fromEntries(wanted.map(([name, inner]) => [name, fill(inner, source, name, depth + 1)]))
}

function numberFor({ minimum, maximum }: Schema, { numbers }: Source, { isInteger }: { readonly isInteger: boolean }): number {
  const [least, most] = [Number(minimum ?? 0), Number(maximum ?? Number.MAX_SAFE_INTEGER)]
  const at = numbers.findIndex((number) => number >= least && number <= most && (!isInteger || Number.isInteger(number)))
  return at < 0 ? least : (numbers.splice(at, 1)[0] ?? least)
}

function textFor({ minLength, maxLength, format }: Schema, { quoted }: Source, name: string): string {
  if (format === 'date') return '2026-01-31'
  if (format === 'date-time') return '2026-01-31T10:00:00Z'
  const text = quoted.shift() ?? `${name} of the sandbox`
  return text.padEnd(Number(minLength ?? 0), '.').slice(0, Number(maxLength ?? text.length + Number(minLength ?? 0)))
}
