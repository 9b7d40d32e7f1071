import { Type as T, type TProperties, type TSchema } from '@sinclair/typebox'

/** Object schema that rejects unknown properties, so that a typo is not silently lost. */
export const exact = <P extends TProperties>(properties: P, options: { description?: string; minProperties?: number } = {}) =>
  T.Object(properties, { additionalProperties: false, ...options })
/** Optional property. */
export const Maybe = <S extends TSchema>(schema: S) => T.Optional(schema)
/** Schema that also allows null. */
export const Nullable = <S extends TSchema>(schema: S, options: { description?: string } = {}) => T.Union([schema, T.Null()], options)

/** Names a schema: the OpenAPI document shows it under this name wherever it is used. */
export const namedSchema = <S extends TSchema>(title: string, schema: S): S => ({ ...schema, title })

/** Keyword of a schema under which `stated` keeps what the description says besides. */
export const STATED = 'x-stated'

/** A schema that the description of the interface shows with these keywords besides: its code checks them, with better words. */
export const documentedAs = <S extends TSchema>(schema: S, keywords: Readonly<Record<string, unknown>>): S => ({
  ...schema,
  [STATED]: { ...(schema[STATED] as object | undefined), ...keywords },
})

/** Schema of a text that is one of the given values. */
export const oneOf = <const V extends readonly string[]>(values: V, options: { description?: string; default?: V[number] } = {}) =>
  T.Unsafe<V[number]>(
    T.Union(
      values.map((value) => T.Literal(value)),
      options,
    ),
  )

/** Schema of one or several of the given values, separated by commas. */
export const anyOf = (values: readonly string[]) =>
  T.String({
    pattern: `^(${values.join('|')})(,(${values.join('|')})){0,${values.length - 1}}$`,
    description: `one of ${values.join(', ')}; or several, separated by commas`,
  })

/** Pattern of texts without control characters, which a terminal or a form could interpret. */
export const PRINTED = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]*$'
/** Schema of a text that is shown to a person: without control characters. */
export const PrintableText = (maxLength: number, minLength = 0) => T.String({ minLength, maxLength, pattern: PRINTED })
/** Schema of a text without NUL, which PostgreSQL cannot store. */
export const StorableText = (maxLength: number, minLength = 0) => T.String({ minLength, maxLength, pattern: '^[^\\u0000]*$' })
