import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Maybe, Nullable, namedSchema, PrintableText, StorableText } from '../schema.ts'
import { ExternalId, ShopMoney } from './values.model.ts'

/** Request for a page of a shop's public products. */
export const ProductsAsked = exact({
  /** Host without scheme, path or port. */
  shop: PrintableText(253, 1),
  page: T.Integer({ minimum: 1, maximum: 1000 }),
})
/** Type of {@link ProductsAsked}. */
export type ProductsAsked = Static<typeof ProductsAsked>

/** Request for a page of the connected shop's products. */
export const OwnProductsAsked = exact({ page: ProductsAsked.properties.page })
/** Type of {@link OwnProductsAsked}. */
export type OwnProductsAsked = Static<typeof OwnProductsAsked>

const ProductVersion = exact({
  externalId: ExternalId,
  name: PrintableText(300),
  sku: Maybe(PrintableText(80, 1)),
  price: Nullable(ShopMoney),
  inStock: Maybe(T.Boolean()),
})
/** A product that a shop shows in public. */
export const PublicProduct = exact({
  externalId: ExternalId,
  name: PrintableText(500, 1),
  description: Maybe(StorableText(50_000)),
  url: Maybe(T.String({ maxLength: 2000 })),
  price: Nullable(ShopMoney),
  compareAtPrice: Maybe(ShopMoney),
  currency: Maybe(T.String({ pattern: '^[A-Z]{3}$' })),
  sku: Maybe(PrintableText(80, 1)),
  inStock: Maybe(T.Boolean()),
  images: T.Array(T.String({ maxLength: 2000 }), { maxItems: 50 }),
  variants: T.Array(ProductVersion, { maxItems: 250 }),
})
/** Type of {@link PublicProduct}. */
export type PublicProduct = Static<typeof PublicProduct>
/** A page of a shop's public products. */
export const PublicProducts = exact({ products: T.Array(PublicProduct, { maxItems: 250 }), nextPage: Nullable(T.Integer({ minimum: 2 })) })
/** Type of {@link PublicProducts}. */
export type PublicProducts = Static<typeof PublicProducts>

/** An amount of a shop in an answer of the interface. */
export const ShownMoney = T.Number({ minimum: 0, description: "in the major unit of the shop's currency" })
const ShownProduct = namedSchema(
  'ShopProduct',
  exact({
    ...PublicProduct.properties,
    price: Nullable(ShownMoney),
    compareAtPrice: Maybe(ShownMoney),
    variants: T.Array(exact({ ...ProductVersion.properties, price: Nullable(ShownMoney) }), { maxItems: 250 }),
  }),
)
/** Goods as the interface shows them: amounts are numbers. */
/** A page of products. */
export const ShownProducts = exact({ ...PublicProducts.properties, products: T.Array(ShownProduct, { maxItems: 250 }) })
/** Type of {@link PublicProducts}. */
export type ShownProducts = Static<typeof ShownProducts>
