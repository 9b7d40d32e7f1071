import { type Static, Type as T, type TProperties } from '@sinclair/typebox'
import type { deliveryTypes } from '../../../plugins/carrier/model.ts'
import { exact, Id, MapOf, Money, Nullable, named, oneOf, stated, Text } from '../../http/schema.ts'

export const Sku = T.String({ minLength: 1, maxLength: 80, pattern: '^[^\\u0000-\\u001f]+$', description: 'unique in the store' })
export const InitialStock = T.Number({ minimum: 0, maximum: 1e9, 'x-decimals': 4, description: 'received into the ledger at creation' })
export const Weight = T.Number({ minimum: 0, maximum: 10_000, 'x-decimals': 4, description: 'kilograms, up to 4 decimals' })

export const MediaItem = named(
  'ProductMedia',
  exact({
    url: T.String({
      pattern: '^(https://[^\\s\\u0000]+|(http://[^/\\s]+)?/v1/files/[^/\\s]+/content)$',
      maxLength: 2000,
      description: 'an https address, or the url of a file that was uploaded here',
    }),
    alt: T.Optional(Text(300)),
    kind: T.Optional(oneOf(['image', 'video'])),
  }),
)
export const Media = (maxItems: number) => T.Array(MediaItem, { maxItems })
const ShownMedia = named('ProductMediaItem', T.Object({ url: T.String(), alt: T.String(), kind: oneOf(['image', 'video']) }))
export type KeptMedia = Static<typeof ShownMedia>
export const ShownMediaList = T.Array(ShownMedia)

/** What a customer chooses, such as a size: its name, and its values in their order. */
export const Option = named(
  'ProductOption',
  exact({ name: Text(60, 1), values: T.Array(Text(120, 1), { minItems: 1, maxItems: 50, uniqueItems: true }) }),
)
export type Option = Static<typeof Option>
export const Options = T.Array(Option, { maxItems: 3 })

export const Seo = named('ProductSeo', exact({ title: T.Optional(Text(200)), description: T.Optional(Text(500)) }))
const ShownSeo = named('ProductSeoText', T.Object({ title: T.String(), description: T.String() }))
export type KeptSeo = Static<typeof ShownSeo>
export { ShownSeo }

export const Stock = named(
  'ProductStock',
  T.Object({
    namespace: T.String(),
    onHand: T.Number(),
    reserved: T.Number(),
    available: T.Number({ description: 'on hand and not reserved' }),
  }),
)
export type Stock = Static<typeof Stock>

export const NewVariant = named(
  'NewProductVariant',
  stated(
    exact({
      id: T.Optional(Id),
      name: T.Optional(Text(200, 1)),
      sku: T.Optional(Nullable(Sku)),
      price: T.Optional(Nullable(Money, { description: "null: its product's" })),
      compareAtPrice: T.Optional(Nullable(Money)),
      cost: T.Optional(Nullable(Money, { description: "null: its product's" })),
      weightKg: T.Optional(Nullable(Weight)),
      options: T.Optional(MapOf(60, T.String({ maxLength: 120 }), { maxProperties: 20 })),
      media: T.Optional(Media(10)),
      initialStock: T.Optional(InitialStock),
    }),
    { anyOf: [{ required: ['name'] }, { required: ['options'] }] },
  ),
)
export type NewVariant = Static<typeof NewVariant>

/** A variant as kept: its own price, cost and weight, else those of its product. */
export interface KeptVariant {
  readonly id: string
  readonly name: string
  readonly sku: string | null
  readonly price: number | null
  readonly compareAtPrice: number | null
  readonly cost: number | null
  readonly weightKg: number | null
  readonly options: Record<string, string>
  readonly media: readonly KeptMedia[]
  readonly inventoryKey: string
}

export const shownVariant = {
  id: Id,
  name: T.String(),
  sku: Nullable(T.String()),
  price: Nullable(Money),
  compareAtPrice: Nullable(Money),
  weightKg: Nullable(T.Number()),
  options: T.Record(T.String(), T.String()),
  media: ShownMediaList,
} satisfies TProperties
export const Variant = named(
  'ProductVariant',
  T.Object({ ...shownVariant, cost: Nullable(Money), inventoryKey: T.String(), stock: Nullable(Stock) }),
)

export const Tier = named(
  'ProductTier',
  exact({
    from: T.Integer({ minimum: 2, maximum: 100_000, description: 'pieces of the product in one order, whatever their variants' }),
    price: Money,
  }),
)
export type Tier = Static<typeof Tier>
export const Tiers = T.Array(Tier, {
  maxItems: 20,
  description: 'what each piece costs from so many on; the one that reaches furthest holds for all of them, and none makes dearer',
})

const Component = named(
  'ProductBundleItem',
  exact({ productId: Id, variantId: T.Optional(Nullable(Id)), quantity: T.Integer({ minimum: 1, maximum: 1000 }) }),
)
const bundle = {
  name: Text(200, 1),
  price: Money,
  quantity: T.Integer({ minimum: 1, maximum: 1000, description: 'pieces of this product in it' }),
  items: T.Array(Component, { minItems: 1, maxItems: 20, description: 'what else is in it' }),
}
export const NewBundle = named('NewProductBundle', exact({ ...bundle, id: T.Optional(Id), quantity: T.Optional(bundle.quantity) }))
export type NewBundle = Static<typeof NewBundle>
const ShownComponent = named('ProductBundleComponent', T.Object({ productId: Id, variantId: Nullable(Id), quantity: T.Integer() }))
/** Named by its id as `offerId` of an order's item. */
export const Bundle = named('ProductBundle', T.Object({ id: Id, ...bundle, items: T.Array(ShownComponent) }))
export type Bundle = Static<typeof Bundle>

const kinds = ['home', 'pickup'] as const
const Prices = exact({ home: T.Optional(Money), pickup: T.Optional(Money) })
/** What bringing it costs the customer, by kind of delivery and state, before what the store says. */
export const Shipping = named(
  'ProductShipping',
  exact({
    home: T.Optional(Money),
    pickup: T.Optional(Money),
    byState: T.Optional(MapOf(16, Prices, { maxProperties: 300, description: 'by the code of the state' })),
  }),
)
export type Shipping = Static<typeof Shipping>
export type DeliveryKind = (typeof kinds)[number]
export type DeliveryType = (typeof deliveryTypes)[number]
/** A point that is not the door is a pick-up. */
export const deliveryKind = (type: DeliveryType): DeliveryKind => (type === 'home' ? 'home' : 'pickup')
