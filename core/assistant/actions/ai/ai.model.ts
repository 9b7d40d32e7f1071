import { type Static, Type as T } from '@sinclair/typebox'
import { sizes } from '../../../../plugins/model/model.ts'
import { exact, Id, MONEY_MAX, named, oneOf, Text } from '../../../http/schema.ts'
import { orderStatuses } from '../../../orders/statuses.ts'
import { productStatuses } from '../../../shop/catalog/products.model.ts'

const commonFields = {
  storeId: T.Optional(Id),
  model: T.Optional(T.String({ minLength: 1, maxLength: 300, description: 'an id of GET /v1/ai/models; by default the first that fits' })),
}
const request = Text(4000, 1)
const apply = T.Optional(T.Boolean({ default: false, description: 'true: write the change at once; false: only return it' }))
const Price = T.Number({ minimum: 0, maximum: MONEY_MAX })

/** Fields of a product that a model may change. */
export const ProductSuggestion = exact({
  name: T.Optional(Text(200, 1)),
  description: T.Optional(Text(20_000)),
  tags: T.Optional(T.Array(Text(60, 1), { maxItems: 50, uniqueItems: true })),
  seo: T.Optional(exact({ title: T.Optional(Text(200)), description: T.Optional(Text(500)) })),
  price: T.Optional(Price),
  compareAtPrice: T.Optional(Price),
})
/** Type of {@link ProductSuggestion}. */
export type ProductSuggestion = Static<typeof ProductSuggestion>

/** Body that asks for changes of a product. */
export const ProductInstruction = named('ProductWish', exact({ ...commonFields, productId: Id, instruction: request, apply }))
/** Type of {@link ProductInstruction}. */
export type ProductInstruction = Static<typeof ProductInstruction>
/** Body that asks for changes of the delivery prices. */
export const DeliveryPricesInstruction = named('ShippingWish', exact({ ...commonFields, instruction: request, apply }))
/** Type of {@link DeliveryPricesInstruction}. */
export type DeliveryPricesInstruction = Static<typeof DeliveryPricesInstruction>

const anything = T.Unknown({ description: 'value of the field' })
/** Change that a model suggests, with `applied` true when it was written. */
export const SuggestedChange = named(
  'SuggestedChange',
  T.Object({
    before: T.Record(T.String(), anything),
    after: T.Record(T.String(), anything),
    changes: T.Array(T.Object({ field: T.String(), before: anything, after: anything })),
    applied: T.Boolean(),
  }),
)
/** Type of {@link SuggestedChange}. */
export type SuggestedChange = Static<typeof SuggestedChange>

const sortsOf = (...fields: string[]) => T.Optional(oneOf(fields.flatMap((field) => [`-${field}`, field])))
const q = T.Optional(Text(200, 1))
/** Filters of each list that a model may set. */
export const filterSchemas = {
  orders: exact({
    status: T.Optional(oneOf(orderStatuses)),
    phone: T.Optional(Text(100, 1)),
    promoCode: T.Optional(Text(80, 1)),
    sort: sortsOf('createdAt', 'updatedAt', 'total'),
    q,
  }),
  products: exact({
    status: T.Optional(oneOf(productStatuses)),
    sku: T.Optional(Text(80, 1)),
    vendor: T.Optional(Text(120, 1)),
    tag: T.Optional(Text(60, 1)),
    minPrice: T.Optional(Price),
    maxPrice: T.Optional(Price),
    inStock: T.Optional(T.Boolean()),
    sort: sortsOf('createdAt', 'updatedAt', 'name', 'price'),
    q,
  }),
} as const
const lists = ['orders', 'products'] as const

/** Body that asks for a filter of a list. */
export const FilterRequest = named('FilterWish', exact({ ...commonFields, list: oneOf(lists), request }))
/** Type of {@link FilterRequest}. */
export type FilterRequest = Static<typeof FilterRequest>
/** Filter of a list, as an object and as a query string. */
export const SuggestedFilter = named(
  'SuggestedFilter',
  T.Object({
    list: oneOf(lists),
    filter: T.Record(T.String(), T.Union([T.String(), T.Number(), T.Boolean()])),
    query: T.String({ description: 'the filter as a query of GET /v1/{list}' }),
  }),
)
/** Type of {@link SuggestedFilter}. */
export type SuggestedFilter = Static<typeof SuggestedFilter>

/** Body that asks for a range of days. */
export const DatesRequest = named('DateWish', exact({ ...commonFields, request }))
/** Type of {@link DatesRequest}. */
export type DatesRequest = Static<typeof DatesRequest>
const Day = T.String({ format: 'date', description: 'YYYY-MM-DD' })
/** Range of days as a model answers it. */
export const DatePreset = exact({ name: Text(80, 1), from: Day, to: Day })
/** Named range of days; both days are included. */
export const SuggestedDates = named(
  'SuggestedDates',
  T.Object({ name: T.String(), from: Day, to: { ...Day, description: 'last day, included' } }),
)
/** Type of {@link SuggestedDates}. */
export type SuggestedDates = Static<typeof SuggestedDates>

/** Bytes of code in a request or an answer. */
export const CODE_MAX = 64 * 1024
/** Languages of generated code. */
const codeLanguages = ['html', 'css', 'javascript', 'json'] as const
/** Body that asks for code. */
export const CodeRequest = named(
  'CodeWish',
  exact({
    ...commonFields,
    request,
    language: T.Optional(oneOf(codeLanguages, { default: 'html' })),
    code: T.Optional(Text(CODE_MAX)),
  }),
)
/** Type of {@link CodeRequest}. */
export type CodeRequest = Static<typeof CodeRequest>
/** Generated code. */
export const GeneratedCode = named(
  'WrittenCode',
  T.Object({ language: oneOf(codeLanguages), code: T.String({ description: 'untested code: show it in a sandboxed frame' }) }),
)
/** Type of {@link GeneratedCode}. */
export type GeneratedCode = Static<typeof GeneratedCode>

const size = T.Optional(oneOf(sizes, { default: 'square' }))
/** Body that asks for an image. */
export const ImageRequest = named(
  'ImageWish',
  exact({
    ...commonFields,
    prompt: request,
    size,
    fileId: T.Optional({ ...Id, description: 'id of a picture of the store to edit; without it a new one is generated' }),
  }),
)
/** Type of {@link ImageRequest}. */
export type ImageRequest = Static<typeof ImageRequest>
/** Body that asks for a logo. */
export const LogoRequest = named(
  'LogoWish',
  exact({
    ...commonFields,
    name: T.Optional(Text(120, 1)),
    description: Text(2000, 1),
    transparent: T.Optional(T.Boolean({ default: true })),
  }),
)
/** Type of {@link LogoRequest}. */
export type LogoRequest = Static<typeof LogoRequest>
/** Body that asks for speech. */
export const VoiceoverRequest = named(
  'VoiceWish',
  exact({
    ...commonFields,
    text: Text(4096, 1),
    voice: T.Optional(T.String({ minLength: 1, maxLength: 60, description: 'a voice of the model; by default its first' })),
    manner: T.Optional(T.String({ maxLength: 2000, description: 'manner of speaking' })),
    speed: T.Optional(T.Number({ minimum: 0.25, maximum: 4 })),
  }),
)
/** Type of {@link VoiceoverRequest}. */
export type VoiceoverRequest = Static<typeof VoiceoverRequest>
