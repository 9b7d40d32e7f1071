import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, named, oneOf, Text, Timestamp } from '../../../http/schema.ts'

/** Advertising platforms that a catalogue can be made for. */
export const catalogPlatforms = ['meta', 'google', 'tiktok'] as const
/** Advertising platform. */
export type CatalogPlatform = (typeof catalogPlatforms)[number]

/** Body that creates a catalogue. */
export const NewCatalog = named(
  'NewProductCatalog',
  exact({
    storeId: T.Optional(Id),
    platform: oneOf(catalogPlatforms, { description: 'platform that fetches it; decides the columns and terms' }),
    productUrl: T.String({
      pattern: '^https://[^\\s\\u0000-\\u001f]*\\{(slug|id)\\}[^\\s\\u0000-\\u001f]*$',
      maxLength: 1000,
      description: 'page of a product in the shop: an https URL with {slug} or {id} in it',
    }),
    by: T.Optional(
      oneOf(['product', 'variant'], {
        default: 'product',
        description: 'what a row of the catalogue stands for',
      }),
    ),
    brand: T.Optional({ ...Text(100, 1), description: 'brand of products without a vendor; by default the name of the store' }),
  }),
)
/** Type of {@link NewCatalog}. */
export type NewCatalog = Static<typeof NewCatalog>

/** Catalogue with its link and its number of rows. */
export const Catalog = named(
  'ProductCatalog',
  T.Object({
    platform: oneOf(catalogPlatforms),
    url: T.String({ description: 'URL of the current catalogue for the platform; shown once, and valid until the next one is created' }),
    createdAt: Timestamp,
    rows: T.Integer({ description: 'current number of rows' }),
    leftOut: T.Array(
      T.Object({
        reason: oneOf(['no_picture', 'not_active'], {
          description: 'platforms require a picture, and drafts are not for sale',
        }),
        count: T.Integer({ description: 'number of products, or of variants if each is a row' }),
      }),
      { description: 'products or variants that it leaves out now' },
    ),
  }),
)
/** Type of {@link Catalog}. */
export type Catalog = Static<typeof Catalog>

/** Row of `catalog_feeds`: settings of a catalogue. */
export interface CatalogFeed {
  readonly projectId: string
  readonly platform: CatalogPlatform
  readonly productUrl: string
  readonly by: 'product' | 'variant'
  readonly brand: string
}
