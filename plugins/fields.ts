import type { FieldIssue, FieldPath } from '../core/lib/errors/domain-error.ts'
import { matchesPattern } from './patterns.ts'

/**
 * Input of the connect form, declared once. The form, the validation of `PUT …/integrations/{key}`, the encryption at rest and the masking
 * in responses derive from it.
 */
export interface Field {
  readonly label: string
  /** `text` by default. Credentials are always text. */
  readonly type?: 'text' | 'number' | 'boolean'
  /** Never returned: responses show `"••••1234"`. */
  readonly secret?: boolean
  readonly optional?: boolean
  /** Value that the adapter sees if the user entered none. A field with a default is never missing. */
  readonly default?: string | number | boolean
  /** The only allowed values. */
  readonly options?: readonly string[]
  /** A regular expression in RE2 syntax that the whole text must match. */
  readonly pattern?: string
  readonly help?: string
}

/** Declared inputs by name. */
export type Fields = Readonly<Record<string, Field>>

type Value<F extends Field> = F['type'] extends 'number' ? number : F['type'] extends 'boolean' ? boolean : string

/** Values of declared fields: optional ones without a default may be undefined. */
export type Values<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends { default: string | number | boolean }
    ? Value<F[K]>
    : F[K] extends { optional: true }
      ? Value<F[K]> | undefined
      : Value<F[K]>
}

/** Validates entered values against their declaration. Reports unknown, missing and ill-typed ones, each with a field below `at`. */
export function checkFields(fields: Fields, values: Readonly<Record<string, unknown>>, at: FieldPath): FieldIssue[] {
  const unknown = Object.keys(values)
    .filter((name) => !Object.hasOwn(fields, name))
    .map((name) => ({ field: [...at, name], message: `Unknown field. Known are: ${Object.keys(fields).join(', ') || 'none'}.` }))
  const wrong = Object.entries(fields).flatMap(([name, field]) => {
    const message = problemOf(field, values[name])
    return message === undefined ? [] : [{ field: [...at, name], message }]
  })
  return [...unknown, ...wrong]
}

function problemOf(field: Field, value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') {
    return field.optional || field.default !== undefined ? undefined : `${field.label} is required.`
  }
  const type = field.type ?? 'text'
  if (typeof value !== (type === 'text' ? 'string' : type)) return `${field.label} must be ${article(type)}.`
  if (typeof value === 'string' && value.length > 2000) return `${field.label} must have at most 2000 characters.`
  if (field.options && !field.options.includes(String(value))) return `${field.label} must be one of ${field.options.join(', ')}.`
  if (field.pattern && !matchesPattern(field.pattern, String(value))) {
    return `${field.label} does not have the expected form.`
  }
  return undefined
}

const article = (type: string) => (type === 'text' ? 'a text' : `a ${type}`)

/** Returns the entered values completed with the declared defaults, as the adapter sees them. */
export function withDefaults(fields: Fields, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, values[name] === '' ? field.default : (values[name] ?? field.default)]),
  )
}

/** Masks secrets for a response. A secret of at least 12 characters keeps its last four; fields without a declaration count as secret. */
export function maskSecrets(fields: Fields, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, fields[name]?.secret === false ? value : maskValue(fields[name], value)]),
  )
}

function maskValue(field: Field | undefined, value: unknown): unknown {
  if (field && !field.secret) return value
  const text = String(value ?? '')
  return `••••${text.length >= 12 ? text.slice(-4) : ''}`
}
