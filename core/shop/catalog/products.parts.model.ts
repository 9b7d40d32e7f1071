import { type Static, Type as T, type TProperties } from '@sinclair/typebox'
import type { deliveryTypes } from '../../../plugins/carrier/model.ts'
import { exact, Id, MapOf, Money, Nullable, named, oneOf, stated, Text } from '../../http/schema.ts'

/** Article number or barcode of a product or a variant. */
export const Sku = T.String({ minLength: 1, maxLength: 80, pattern: '^[^\\u0000-\\u001f]+$', description: 'unique in the store' })
/** Quantity that a new product or variant has on hand. */
export const InitialStock = T.Number({ minimum: 0, maximum: 1e9, 'x-decimals': 4, description: 'received into the ledger at creation' })
/** Weight in kilograms. */
export const Weight = T.Number({ minimum: 0, maximum: 10_000, 'x-decimals': 4, description: 'kilograms, up to 4 decimals' })

/** Image or video of a product, by its URL. */
const MediaItem = named(
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
/** Creates the schema of a media list with at most `maxItems` items. */
export const Media = (maxItems: number) => T.Array(MediaItem, { maxItems })
const MediaView = named('ProductMediaItem', T.Object({ url: T.String(), alt: T.String(), kind: oneOf(['image', 'video']) }))
/** Media item as stored and answered. */
export type StoredMedia = Static<typeof MediaView>
/** Media of a product or variant as answered. */
export const MediaList = T.Array(MediaView)

/** Choice that a customer makes, such as a size: its name and its values in their order. */
export const Option = named(
  'ProductOption',
  exact({ name: Text(60, 1), values: T.Array(Text(120, 1), { minItems: 1, maxItems: 50, uniqueItems: true }) }),
)
/** Type of {@link Option}. */
export type Option = Static<typeof Option>
/** Options of one product, three at most. */
export const Options = T.Array(Option, { maxItems: 3 })

/** Title and description for search engines, as a request sends them. */
export const Seo = named('ProductSeo', exact({ title: T.Optional(Text(200)), description: T.Optional(Text(500)) }))
/** Title and description for search engines, as answered: empty where none is set. */
const SeoText = named('ProductSeoText', T.Object({ title: T.String(), description: T.String() }))
/** Title and description for search engines, as stored. */
export type StoredSeo = Static<typeof SeoText>
export { SeoText as ShownSeo }

/** Stock of an item over all its batches, or of a product over all its variants. */
export const Stock = named(
  'ProductStock',
  T.Object({
    namespace: T.String(),
    onHand: T.Number(),
    reserved: T.Number(),
    available: T.Number({ description: 'on hand and not reserved' }),
  }),
)
/** Type of {@link Stock}. */
export type Stock = Static<typeof Stock>

/** Variant in a request. A known `id` keeps that variant; the others are new. */
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
/** Type of {@link NewVariant}. */
export type NewVariant = Static<typeof NewVariant>

/** Variant as stored. A price, cost or weight of null stands for that of its product. */
export interface StoredVariant {
  readonly id: string
  readonly name: string
  readonly sku: string | null
  readonly price: number | null
  readonly compareAtPrice: number | null
  readonly cost: number | null
  readonly weightKg: number | null
  readonly options: Record<string, string>
  readonly media: readonly StoredMedia[]
  readonly inventoryKey: string
}

/** Fields of a variant that members and the public both see. */
export const publicVariantFields = {
  id: Id,
  name: T.String(),
  sku: Nullable(T.String()),
  price: Nullable(Money),
  compareAtPrice: Nullable(Money),
  weightKg: Nullable(T.Number()),
  options: T.Record(T.String(), T.String()),
  media: MediaList,
} satisfies TProperties
/** Variant as members and API keys of the store see it. */
export const Variant = named(
  'ProductVariant',
  T.Object({ ...publicVariantFields, cost: Nullable(Money), inventoryKey: T.String(), stock: Nullable(Stock) }),
)

/** Price per piece from a number of pieces on. */
export const Tier = named(
  'ProductTier',
  exact({
    from: T.Integer({ minimum: 2, maximum: 100_000, description: 'pieces of the product in one order, of all variants together' }),
    price: Money,
  }),
)
/** Type of {@link Tier}. */
export type Tier = Static<typeof Tier>
/** Price tiers of one product. */
export const Tiers = T.Array(Tier, {
  maxItems: 20,
  description: 'price of each piece from a quantity on; the highest tier reached applies to all pieces, and no tier raises the price',
})

const BundleItem = named(
  'ProductBundleItem',
  exact({ productId: Id, variantId: T.Optional(Nullable(Id)), quantity: T.Integer({ minimum: 1, maximum: 1000 }) }),
)
const bundleFields = {
  name: Text(200, 1),
  price: Money,
  quantity: T.Integer({ minimum: 1, maximum: 1000, description: 'pieces of this product in it' }),
  items: T.Array(BundleItem, { minItems: 1, maxItems: 20, description: 'other products in the bundle' }),
}
/** Bundle in a request. A known `id` keeps that bundle. */
export const NewBundle = named(
  'NewProductBundle',
  exact({ ...bundleFields, id: T.Optional(Id), quantity: T.Optional(bundleFields.quantity) }),
)
/** Type of {@link NewBundle}. */
export type NewBundle = Static<typeof NewBundle>
const ComponentView = named('ProductBundleComponent', T.Object({ productId: Id, variantId: Nullable(Id), quantity: T.Integer() }))
/** Bundle of a product. An order's item names its id as `offerId`. */
export const Bundle = named('ProductBundle', T.Object({ id: Id, ...bundleFields, items: T.Array(ComponentView) }))
/** Type of {@link Bundle}. */
export type Bundle = Static<typeof Bundle>

const kinds = ['home', 'pickup'] as const
const Prices = exact({ home: T.Optional(Money), pickup: T.Optional(Money) })
/** Delivery prices of a product, by kind of delivery and state. They override the store's prices. */
export const Shipping = named(
  'ProductShipping',
  exact({
    home: T.Optional(Money),
    pickup: T.Optional(Money),
    byState: T.Optional(MapOf(16, Prices, { maxProperties: 300, description: 'by the code of the state' })),
  }),
)
/** Type of {@link Shipping}. */
export type Shipping = Static<typeof Shipping>
/** Kinds of delivery that have a price of their own: to the door or to a pickup point. */
export type DeliveryKind = (typeof kinds)[number]
/** Delivery type as carriers name it. */
export type DeliveryType = (typeof deliveryTypes)[number]
/** Returns the kind whose price applies: every delivery type but `home` is a pickup. */
export const deliveryKindOf = (type: DeliveryType): DeliveryKind => (type === 'home' ? 'home' : 'pickup')
