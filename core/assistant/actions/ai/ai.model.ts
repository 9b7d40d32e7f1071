import { type Static, Type as T } from '@sinclair/typebox'
import { sizes } from '../../../../plugins/model/model.ts'
import { exact, Id, MONEY_MAX, named, oneOf, Text } from '../../../http/schema.ts'
import { orderStatuses } from '../../../orders/statuses.ts'
import { productStatuses } from '../../../shop/catalog/products.model.ts'

const asked = {
  storeId: T.Optional(Id),
  model: T.Optional(T.String({ minLength: 1, maxLength: 300, description: 'as GET /v1/ai/models names it; left out, the first that can' })),
}
const request = Text(4000, 1)
const apply = T.Optional(
  T.Boolean({ default: false, description: 'whether the change is made at once; else it is shown and nothing is written' }),
)
const Price = T.Number({ minimum: 0, maximum: MONEY_MAX })

/** What a model may say of a product. */
export const ProductSuggestion = exact({
  name: T.Optional(Text(200, 1)),
  description: T.Optional(Text(20_000)),
  tags: T.Optional(T.Array(Text(60, 1), { maxItems: 50, uniqueItems: true })),
  seo: T.Optional(exact({ title: T.Optional(Text(200)), description: T.Optional(Text(500)) })),
  price: T.Optional(Price),
  compareAtPrice: T.Optional(Price),
})
export type ProductSuggestion = Static<typeof ProductSuggestion>

export const ProductWish = named('ProductWish', exact({ ...asked, productId: Id, instruction: request, apply }))
export type ProductWish = Static<typeof ProductWish>
export const ShippingWish = named('ShippingWish', exact({ ...asked, instruction: request, apply }))
export type ShippingWish = Static<typeof ShippingWish>

const anything = T.Unknown({ description: 'as the thing itself has it' })
export const SuggestedChange = named(
  'SuggestedChange',
  T.Object({
    before: T.Record(T.String(), anything),
    after: T.Record(T.String(), anything),
    changes: T.Array(T.Object({ field: T.String(), before: anything, after: anything })),
    applied: T.Boolean(),
  }),
)
export type SuggestedChange = Static<typeof SuggestedChange>

const sortsOf = (...fields: string[]) => T.Optional(oneOf(fields.flatMap((field) => [`-${field}`, field])))
const q = T.Optional(Text(200, 1))
/** What lists are filtered by, as far as words of a person say it. */
export const filters = {
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

export const FilterWish = named('FilterWish', exact({ ...asked, list: oneOf(lists), request }))
export type FilterWish = Static<typeof FilterWish>
export const SuggestedFilter = named(
  'SuggestedFilter',
  T.Object({
    list: oneOf(lists),
    filter: T.Record(T.String(), T.Union([T.String(), T.Number(), T.Boolean()])),
    query: T.String({ description: 'the same as a query of GET /v1/{list}' }),
  }),
)
export type SuggestedFilter = Static<typeof SuggestedFilter>

export const DateWish = named('DateWish', exact({ ...asked, request }))
export type DateWish = Static<typeof DateWish>
const Day = T.String({ format: 'date', description: 'YYYY-MM-DD' })
export const DatePreset = exact({ name: Text(80, 1), from: Day, to: Day })
export const SuggestedDates = named(
  'SuggestedDates',
  T.Object({ name: T.String(), from: Day, to: { ...Day, description: 'its last day' } }),
)
export type SuggestedDates = Static<typeof SuggestedDates>

export const CODE_MAX = 64 * 1024
export const languages = ['html', 'css', 'javascript', 'json'] as const
export const CodeWish = named(
  'CodeWish',
  exact({
    ...asked,
    request,
    language: T.Optional(oneOf(languages, { default: 'html' })),
    code: T.Optional(Text(CODE_MAX)),
  }),
)
export type CodeWish = Static<typeof CodeWish>
export const WrittenCode = named(
  'WrittenCode',
  T.Object({ language: oneOf(languages), code: T.String({ description: 'a text that nobody has run: show it in a sandboxed frame' }) }),
)
export type WrittenCode = Static<typeof WrittenCode>

const size = T.Optional(oneOf(sizes, { default: 'square' }))
export const ImageWish = named(
  'ImageWish',
  exact({
    ...asked,
    prompt: request,
    size,
    fileId: T.Optional({ ...Id, description: 'a picture of the store that is to be changed; left out, one is drawn' }),
  }),
)
export type ImageWish = Static<typeof ImageWish>
export const LogoWish = named(
  'LogoWish',
  exact({ ...asked, name: T.Optional(Text(120, 1)), description: Text(2000, 1), transparent: T.Optional(T.Boolean({ default: true })) }),
)
export type LogoWish = Static<typeof LogoWish>
export const VoiceWish = named(
  'VoiceWish',
  exact({
    ...asked,
    text: Text(4096, 1),
    voice: T.Optional(T.String({ minLength: 1, maxLength: 60, description: "one of the model's; its first unless said" })),
    manner: T.Optional(T.String({ maxLength: 2000, description: 'how it is to sound' })),
    speed: T.Optional(T.Number({ minimum: 0.25, maximum: 4 })),
  }),
)
export type VoiceWish = Static<typeof VoiceWish>
