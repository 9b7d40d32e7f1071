import { FormatRegistry, Type as T, type TSchema, type TString } from '@sinclair/typebox'
import { t } from 'elysia'
import { Nullable } from '../../plugins/schema.ts'
import { freeForm } from './body/free-form.ts'

export { documentedAs as stated, exact, Maybe, Nullable, namedSchema as named, oneOf } from '../../plugins/schema.ts'

const NON_BLANK = '\\S'
/** Schema of a text. With a minimum length, it must contain more than white space. */
export const Text = (maxLength: number, minLength = 0) => T.String({ minLength, maxLength, ...(minLength > 0 && { pattern: NON_BLANK }) })
/** Schema of a phone number as people write it. Has room for two numbers with separators. */
export const Phone = Text(100, 3)

/** Schema of an opaque id, sortable by creation. Requests may contain any text; an unknown id is a 404. */
export const Id = T.String({ minLength: 1, maxLength: 64 })
/** Schema of a timestamp. */
export const Timestamp = T.String({ format: 'date-time', description: 'ISO 8601, UTC, milliseconds' })
/** Maximum amount of money. */
export const MONEY_MAX = 1e11
/** Schema of an amount in the currency's major unit. */
export const Money = T.Number({
  minimum: 0,
  maximum: MONEY_MAX,
  'x-decimals': 3,
  description:
    'in the major unit of the currency, with as many decimals as it has (ISO 4217: two as a rule, three in Tunisia, none in Japan)',
})
/** Schema of a sum of amounts in a response. Unbounded, so that a response never fails because of a large sum. */
export const Sum = (description = 'in the major unit of the currency') => T.Number({ description })
/** Schema of a quantity with up to 4 decimals. */
export const Quantity = T.Number({ minimum: -1e11, maximum: 1e11, 'x-decimals': 4, description: 'up to 4 decimals' })
/** Schema of a map of names to values. `T.Record` alone checks neither the length of names nor values under names with a line break. */
export const MapOf = <S extends TSchema>(keyLength: number, value: S, options: { maxProperties: number; description?: string }) =>
  T.Record(T.String({ pattern: `^[^\\u0000]{0,${keyLength}}$` }), value, { additionalProperties: false, ...options })

FormatRegistry.Set('web-page', (text) => URL.canParse(text))

/** Schema of a URL that a browser is redirected to. Rejects URLs that no browser can open. */
export const WebPage = (description: string): TString =>
  T.String({ maxLength: 1000, format: 'web-page', pattern: '^https?://[^\\s]+$', description })

/** An address with http or https, as the description shows it; its code says what is wrong with one. */
export const WEB_ADDRESS = { format: 'uri', pattern: '^https?://[^\\s]+$' }

/** Exactly one of these fields, as the description shows it. */
export const oneField = (...names: readonly string[]) => ({ oneOf: names.map((name) => ({ required: [name] })) })

/** Schema of free-form metadata for the caller's own use. */
export const Metadata = freeForm({ names: 50, nameLength: 100, bytes: 16 * 1024 })

/** Schema of a response with one object. */
export const Data = <S extends TSchema>(schema: S) => T.Object({ data: schema })
/** Schema of a response with a page of a list. */
export const List = <S extends TSchema>(row: S) => T.Object({ data: T.Array(row), nextCursor: Nullable(T.String()) })

/** Query parameters of every list. Queries use Elysia's coercing types; bodies never do. */
export const pageQuery = {
  limit: T.Optional(t.Integer({ minimum: 1, maximum: 100, default: 20 })),
  cursor: T.Optional(T.String({ maxLength: 4000, description: 'nextCursor of the previous page' })),
}
