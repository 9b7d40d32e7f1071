import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, named, oneOf, Text, Timestamp } from '../../../http/schema.ts'

export const catalogPlatforms = ['meta', 'google', 'tiktok'] as const
export type CatalogPlatform = (typeof catalogPlatforms)[number]

export const NewCatalog = named(
  'NewProductCatalog',
  exact({
    storeId: T.Optional(Id),
    platform: oneOf(catalogPlatforms, { description: 'who fetches it; each has columns and words of its own' }),
    productUrl: T.String({
      pattern: '^https://[^\\s\\u0000-\\u001f]*\\{(slug|id)\\}[^\\s\\u0000-\\u001f]*$',
      maxLength: 1000,
      description: 'where a product stands in the shop: an https address with {slug} or {id} in it',
    }),
    by: T.Optional(
      oneOf(['product', 'variant'], {
        default: 'product',
        description: 'whether each product is a row, by the id that events of orders carry, or each of its variants',
      }),
    ),
    brand: T.Optional({ ...Text(100, 1), description: "of products that name no vendor; the store's name unless said" }),
  }),
)
export type NewCatalog = Static<typeof NewCatalog>

export const Catalog = named(
  'ProductCatalog',
  T.Object({
    platform: oneOf(catalogPlatforms),
    url: T.String({ description: 'where the platform fetches it, as the products are then; shown once, and good until the next is made' }),
    createdAt: Timestamp,
    rows: T.Integer({ description: 'how many it has now' }),
    leftOut: T.Array(
      T.Object({
        reason: oneOf(['no_picture', 'not_active'], {
          description: 'why: no platform takes what shows no picture, and drafts are not sold',
        }),
        count: T.Integer({ description: 'of products, or of variants where each is a row' }),
      }),
      { description: 'what is not in it now' },
    ),
  }),
)
export type Catalog = Static<typeof Catalog>

export interface CatalogFeed {
  readonly storeId: string
  readonly platform: CatalogPlatform
  readonly productUrl: string
  readonly by: 'product' | 'variant'
  readonly brand: string
}
