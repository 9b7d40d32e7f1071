import { type Static, Type as T } from '@sinclair/typebox'
import { t } from 'elysia'
import { defineList, type ListQuery } from '../../http/resource/list.ts'
import { exact, Id, Metadata, Money, Nullable, named, oneOf, Text, Timestamp } from '../../http/schema.ts'
import { Key } from '../inventory/inventory.model.ts'
import { Slug } from './categories/categories.model.ts'
import {
  Bundle,
  InitialStock,
  Media,
  MediaList,
  NewBundle,
  NewVariant,
  Option,
  Options,
  publicVariantFields,
  Seo,
  Shipping,
  ShownSeo,
  Sku,
  Stock,
  Tier,
  Tiers,
  Variant,
  Weight,
} from './products.parts.model.ts'

/** Variants of one product. */
const VARIANTS_MAX = 100
const InventoryKey = {
  ...Key,
  description: "the item's key in the inventory ledger; by default the sku, or the id where the sku is not free; fixed at creation",
}
/** Statuses of a product. The public sees only `active` ones. */
export const productStatuses = ['draft', 'active', 'archived'] as const
const Tag = Text(60, 1)

const publicFields = {
  id: Id,
  storeId: Id,
  name: T.String(),
  slug: T.String(),
  description: T.String(),
  sku: Nullable(T.String()),
  price: Money,
  compareAtPrice: Nullable(Money),
  weightKg: T.Number(),
  categoryId: Nullable(Id),
  tags: T.Array(T.String()),
  vendor: Nullable(T.String()),
  seo: ShownSeo,
  options: T.Array(Option),
  media: MediaList,
  tiers: T.Array(Tier),
  bundles: T.Array(Bundle),
  shipping: Nullable(Shipping),
  inStock: T.Boolean({ description: 'whether any of it can be ordered now' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

/** Product as members and API keys of its store see it. */
export const Product = named(
  'Product',
  T.Object({
    ...publicFields,
    status: oneOf(productStatuses),
    cost: Nullable(Money),
    stockKeeping: T.Boolean({
      description: 'whether orders reserve stock in the inventory ledger, and are refused where there is not enough',
    }),
    showStock: T.Boolean({ description: 'whether the public sees the available quantity' }),
    inventoryKey: T.String(),
    stock: Nullable(Stock, { description: 'total of its variants, where it has any; null where no stock is kept' }),
    variants: T.Array(Variant),
    metadata: Metadata,
  }),
)
/** Type of {@link Product}. */
export type Product = Static<typeof Product>

const available = Nullable(T.Number(), { description: 'available quantity; null where the store does not show it' })
/** Active product as a storefront shows it: without cost, and with stock only where the store shows it. */
export const PublicProduct = named(
  'PublicProduct',
  T.Object({
    ...publicFields,
    currencyCode: T.String(),
    available,
    variants: T.Array(named('PublicProductVariant', T.Object({ ...publicVariantFields, inStock: T.Boolean(), available }))),
  }),
)
/** Type of {@link PublicProduct}. */
export type PublicProduct = Static<typeof PublicProduct>
/** Product as the caller may see it: whole for members and API keys of the store, public for everybody else. */
export const VisibleProduct = T.Union([Product, PublicProduct])
/** Type of {@link VisibleProduct}. */
export type VisibleProduct = Static<typeof VisibleProduct>
/** Page of products as the caller may see them. */
export const VisibleProducts = T.Object({ data: T.Union([T.Array(Product), T.Array(PublicProduct)]), nextCursor: Nullable(T.String()) })

const optionalFields = {
  slug: T.Optional({ ...Slug, description: `${Slug.description}; made from the name by default` }),
  description: T.Optional(Text(20_000)),
  sku: T.Optional(Nullable(Sku)),
  status: T.Optional(oneOf(productStatuses)),
  compareAtPrice: T.Optional(Nullable(Money)),
  cost: T.Optional(Nullable(Money, { description: 'what one costs the store' })),
  weightKg: T.Optional(Weight),
  stockKeeping: T.Optional(
    T.Boolean({ description: 'whether orders reserve stock; at creation on where initialStock is given, else off' }),
  ),
  showStock: T.Optional(T.Boolean()),
  categoryId: T.Optional(Nullable(Id)),
  tags: T.Optional(T.Array(Tag, { maxItems: 50, uniqueItems: true })),
  vendor: T.Optional(Nullable(Text(120, 1))),
  seo: T.Optional(Seo),
  options: T.Optional(Options),
  media: T.Optional(Media(50)),
  variants: T.Optional(T.Array(NewVariant, { maxItems: VARIANTS_MAX })),
  tiers: T.Optional(Tiers),
  bundles: T.Optional(T.Array(NewBundle, { maxItems: 20 })),
  shipping: T.Optional(Nullable(Shipping, { description: "null: the store's prices" })),
  metadata: T.Optional(Metadata),
}

/** Body that creates a product. */
export const NewProduct = named(
  'NewProduct',
  exact({
    storeId: Id,
    name: Text(200, 1),
    price: Money,
    ...optionalFields,
    inventoryKey: T.Optional(InventoryKey),
    initialStock: T.Optional(InitialStock),
  }),
)
/** Type of {@link NewProduct}. */
export type NewProduct = Static<typeof NewProduct>
/** Body that replaces a product. Fields left out get {@link replacementDefaults}. */
export const ProductReplacement = named('ProductReplacement', exact({ name: Text(200, 1), price: Money, ...optionalFields }))
/** Body that changes a product. Fields left out stay as they are. */
export const ProductChange = named(
  'ProductChange',
  exact({ name: T.Optional(Text(200, 1)), price: T.Optional(Money), ...optionalFields }, { minProperties: 1 }),
)
/** Type of {@link ProductChange}. */
export type ProductChange = Static<typeof ProductChange>

/** Values that a replacement gives to the fields it leaves out. The slug and `stockKeeping` stay as they were. */
export const replacementDefaults = {
  description: '',
  sku: null,
  status: 'active',
  compareAtPrice: null,
  cost: null,
  weightKg: 0,
  showStock: false,
  categoryId: null,
  tags: [],
  vendor: null,
  seo: {},
  options: [],
  media: [],
  variants: [],
  tiers: [],
  bundles: [],
  shipping: null,
  metadata: {},
} satisfies ProductChange

/** Sorts, filters and search of the product list. */
export const productList = defineList({
  sorts: { updatedAt: 'updated_at', name: 'name', price: 'price' },
  filters: {
    status: oneOf(productStatuses, { description: 'for members and keys of the store; the public sees active products only' }),
    sku: { ...Text(80, 1), description: 'of the product or of a variant' },
    slug: Text(120, 1),
    categoryId: Id,
    vendor: Text(120, 1),
    tag: Text(60, 1),
    minPrice: t.Number({ minimum: 0, maximum: 1e11 }),
    maxPrice: t.Number({ minimum: 0, maximum: 1e11 }),
    inStock: t.Boolean(),
  },
  search:
    'words of the name, the sku, the vendor or the tags, or parts of them; accents, hamza, ta marbuta and tatweel are ignored; one or two letters match the beginning of a word',
  extraParameters: { storeId: T.Optional(Id) },
})
/** Parsed filters, search and page of {@link productList}. */
export type ProductListRequest = ListQuery<typeof productList.filters>
/** Query of the route that lists random products. */
export const RandomProductsQuery = T.Object({
  storeId: T.Optional(Id),
  limit: T.Optional(t.Integer({ minimum: 1, maximum: 100, default: 20 })),
})
