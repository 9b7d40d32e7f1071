import { FormatRegistry, Type as T, type TSchema, type TString } from '@sinclair/typebox'
import { t } from 'elysia'
import { Nullable } from '../../plugins/schema.ts'
import { freeForm } from './body/free-form.ts'

export { exact, Maybe, Nullable, named, oneOf, stated } from '../../plugins/schema.ts'

const SAYS = '\\S'
/** What must say something says more than white space. */
export const Text = (maxLength: number, minLength = 0) => T.String({ minLength, maxLength, ...(minLength > 0 && { pattern: SAYS }) })
/** A phone number as people write it; there is room for two of them with every separator. */
export const Phone = Text(100, 3)

/** Opaque, sortable by creation. Requests may carry anything here; what names nothing is a 404. */
export const Id = T.String({ minLength: 1, maxLength: 64 })
export const Timestamp = T.String({ format: 'date-time', description: 'ISO 8601, UTC, milliseconds' })
/** Decimal amount in the currency's major unit. */
export const MONEY_MAX = 1e11
export const Money = T.Number({
  minimum: 0,
  maximum: MONEY_MAX,
  'x-decimals': 3,
  description:
    'in the major unit of the currency, with as many decimals as it has (ISO 4217: two as a rule, three in Tunisia, none in Japan)',
})
/** Sum of amounts in an answer. It has no bounds: a sum may pass what one amount may be, and an answer never fails because of it. */
export const Sum = (description = 'in the major unit of the currency') => T.Number({ description })
export const Quantity = T.Number({ minimum: -1e11, maximum: 1e11, 'x-decimals': 4, description: 'up to 4 decimals' })
/** A map of names to values. `T.Record` by itself checks neither a name's length nor the value under a name with a line break. */
export const MapOf = <S extends TSchema>(keyLength: number, value: S, options: { maxProperties: number; description?: string }) =>
  T.Record(T.String({ pattern: `^[^\\u0000]{0,${keyLength}}$` }), value, { additionalProperties: false, ...options })

FormatRegistry.Set('web-page', (text) => URL.canParse(text))

/** Where a browser goes on to. What no browser could open is refused. */
export const WebPage = (description: string): TString =>
  T.String({ maxLength: 1000, format: 'web-page', pattern: '^https?://[^\\s]+$', description })

/** An address with http or https, as the description shows it; its code says what is wrong with one. */
export const WEB_ADDRESS = { format: 'uri', pattern: '^https?://[^\\s]+$' }

/** Exactly one of these fields, as the description shows it. */
export const oneField = (...names: readonly string[]) => ({ oneOf: names.map((name) => ({ required: [name] })) })

/** Free-form, for the caller's own use. */
export const Metadata = freeForm({ names: 50, nameLength: 100, bytes: 16 * 1024 })

export const Data = <S extends TSchema>(schema: S) => T.Object({ data: schema })
export const List = <S extends TSchema>(row: S) => T.Object({ data: T.Array(row), nextCursor: Nullable(T.String()) })

/** What every list takes. Queries use Elysia's coercing types, bodies never do. */
export const pageQuery = {
  limit: T.Optional(t.Integer({ minimum: 1, maximum: 100, default: 20 })),
  cursor: T.Optional(T.String({ maxLength: 4000, description: 'nextCursor of the page before' })),
}
