import { Type as T, type TProperties, type TSchema } from '@sinclair/typebox'
import { t } from 'elysia'

/** An object that refuses fields it does not know, so that a typo is not silently lost. */
export const exact = <P extends TProperties>(properties: P, options: { description?: string; minProperties?: number } = {}) =>
  T.Object(properties, { additionalProperties: false, ...options })

export const oneOf = <const V extends readonly string[]>(values: V, options: { description?: string; default?: V[number] } = {}) =>
  T.Unsafe<V[number]>(
    T.Union(
      values.map((value) => T.Literal(value)),
      options,
    ),
  )

export const Nullable = <S extends TSchema>(schema: S) => T.Union([schema, T.Null()])
export const Maybe = <S extends TSchema>(schema: S) => T.Optional(schema)
export const Text = (maxLength: number, minLength = 0) => T.String({ minLength, maxLength })

/** Opaque, sortable by creation. Requests may carry anything here; what names nothing is a 404. */
export const Id = T.String({ minLength: 1, maxLength: 64 })
export const Timestamp = T.String({ format: 'date-time', description: 'ISO 8601, UTC, milliseconds' })
/** Decimal amount in the currency's major unit. */
export const MONEY_MAX = 1e11
export const Money = T.Number({
  minimum: 0,
  maximum: MONEY_MAX,
  'x-decimals': 2,
  description: 'in the major unit of the currency, up to 2 decimals',
})
export const Quantity = T.Number({ minimum: -1e11, maximum: 1e11, description: 'up to 4 decimals' })
/** A map of names to values. `T.Record` by itself checks neither a name's length nor the value under a name with a line break. */
export const MapOf = <S extends TSchema>(keyLength: number, value: S, options: { maxProperties: number; description?: string }) =>
  T.Record(T.String({ pattern: `^[^\\u0000]{0,${keyLength}}$` }), value, { additionalProperties: false, ...options })

/** Free-form, for the caller's own use. */
export const Metadata = MapOf(100, T.Unknown(), { maxProperties: 50 })

export const Data = <S extends TSchema>(schema: S) => T.Object({ data: schema })
export const List = <S extends TSchema>(row: S) => T.Object({ data: T.Array(row), nextCursor: Nullable(T.String()) })

/** What every list takes. Queries use Elysia's coercing types, bodies never do. */
export const pageQuery = {
  limit: T.Optional(t.Integer({ minimum: 1, maximum: 100, default: 20 })),
  cursor: T.Optional(T.String({ maxLength: 500 })),
}
