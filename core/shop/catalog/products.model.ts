import { type Static, Type as T } from '@sinclair/typebox'
import { t } from 'elysia'
import { type Asked, listing } from '../../http/list.ts'
import { exact, Id, MapOf, Metadata, Money, Nullable, named, oneOf, Text, Timestamp } from '../../http/schema.ts'
import { Key } from '../inventory/inventory.model.ts'

const Sku = T.String({ minLength: 1, maxLength: 80, description: 'unique in the store' })
const InventoryKey = {
  ...Key,
  description: "the item's key in the inventory ledger; the sku, else the id, unless said otherwise; fixed at creation",
}
const InitialStock = T.Number({ minimum: 0, maximum: 1e9, description: 'received into the ledger at creation' })
const productStatuses = ['draft', 'active', 'archived'] as const

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

const variantFields = {
  name: Text(200, 1),
  sku: T.Optional(Nullable(Sku)),
  price: T.Optional(Nullable(Money)),
  options: T.Optional(MapOf(60, T.String({ maxLength: 120 }), { maxProperties: 20 })),
}

export const NewVariant = named(
  'NewProductVariant',
  exact({ id: T.Optional(Id), ...variantFields, initialStock: T.Optional(InitialStock) }),
)
export type NewVariant = Static<typeof NewVariant>

/** A variant as kept: its own price and ledger key, else those of its product. */
export interface KeptVariant {
  readonly id: string
  readonly name: string
  readonly sku: string | null
  readonly price: number | null
  readonly options: Record<string, string>
  readonly inventoryKey: string
}

export const Variant = named(
  'ProductVariant',
  T.Object({
    id: Id,
    name: T.String(),
    sku: Nullable(T.String()),
    price: Nullable(Money),
    options: T.Record(T.String(), T.String()),
    inventoryKey: T.String(),
    stock: Nullable(Stock),
  }),
)

export const Product = named(
  'Product',
  T.Object({
    id: Id,
    storeId: Id,
    name: T.String(),
    description: T.String(),
    sku: Nullable(T.String()),
    status: oneOf(productStatuses),
    price: Money,
    compareAtPrice: Nullable(Money),
    weightKg: T.Number(),
    stockKeeping: T.Boolean({
      description: 'whether orders reserve stock in the inventory ledger, and are refused where there is not enough',
    }),
    inventoryKey: T.String(),
    stock: Nullable(Stock),
    images: T.Array(T.String()),
    variants: T.Array(Variant),
    metadata: Metadata,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type Product = Static<typeof Product>

const optionalFields = {
  description: T.Optional(Text(20_000)),
  sku: T.Optional(Nullable(Sku)),
  status: T.Optional(oneOf(productStatuses)),
  compareAtPrice: T.Optional(Nullable(Money)),
  weightKg: T.Optional(T.Number({ minimum: 0, maximum: 10_000 })),
  stockKeeping: T.Optional(
    T.Boolean({ description: 'whether orders reserve stock; at creation on where initialStock is given, else off' }),
  ),
  images: T.Optional(T.Array(T.String({ format: 'uri', maxLength: 2000 }), { maxItems: 50 })),
  variants: T.Optional(T.Array(NewVariant, { maxItems: 100 })),
  metadata: T.Optional(Metadata),
}

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
export type NewProduct = Static<typeof NewProduct>
export const ProductReplacement = named('ProductReplacement', exact({ name: Text(200, 1), price: Money, ...optionalFields }))
export const ProductChange = named(
  'ProductChange',
  exact({ name: T.Optional(Text(200, 1)), price: T.Optional(Money), ...optionalFields }, { minProperties: 1 }),
)
export type ProductChange = Static<typeof ProductChange>

export const productList = listing({
  sorts: { updatedAt: 'updated_at', name: 'name', price: 'price' },
  filters: { status: oneOf(productStatuses), sku: Text(80, 1) },
  search: 'part of the name or the sku; one or two letters: how a word of them begins',
  beside: { storeId: T.Optional(Id) },
})
export type AskedProducts = Asked<typeof productList.filters>
export const RandomQuery = T.Object({ storeId: T.Optional(Id), limit: T.Optional(t.Integer({ minimum: 1, maximum: 100, default: 20 })) })
