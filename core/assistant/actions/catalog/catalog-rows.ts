import { escapeFormula } from '../../../http/table/formula-guard.ts'
import { decimalsOf } from '../../../lib/money/currency.ts'
import type { PublicProduct } from '../../../shop/catalog/products.model.ts'
import type { CatalogFeed, CatalogPlatform } from './catalog.model.ts'

/** Terms and limits of a platform. */
interface PlatformTerms {
  readonly id: string
  readonly inStock: string
  readonly outOfStock: string
  readonly titleMax: number
  readonly descriptionMax: number
}

const platformTerms: Readonly<Record<CatalogPlatform, PlatformTerms>> = {
  meta: { id: 'id', inStock: 'in stock', outOfStock: 'out of stock', titleMax: 200, descriptionMax: 9_999 },
  google: { id: 'id', inStock: 'in_stock', outOfStock: 'out_of_stock', titleMax: 150, descriptionMax: 5_000 },
  tiktok: { id: 'sku_id', inStock: 'in stock', outOfStock: 'out of stock', titleMax: 150, descriptionMax: 5_000 },
}

const COLUMNS = [
  'title',
  'description',
  'availability',
  'condition',
  'price',
  'sale_price',
  'link',
  'image_link',
  'additional_image_link',
  'brand',
  'item_group_id',
  'product_type',
]
/** Additional images of a row. */
const PICTURES_MAX = 10
const QUOTED = /[",\r\n]/

const line = (cells: readonly string[]) =>
  `${cells
    .map(escapeFormula)
    .map((cell) => (QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',')}\r\n`

/** Formats the header line of a platform's catalogue. */
export const catalogHeader = ({ platform }: Pick<CatalogFeed, 'platform'>): string => line([platformTerms[platform].id, ...COLUMNS])

/** Values of one row: a product or a variant. */
interface Offer {
  readonly id: string
  readonly title: string
  readonly price: number
  readonly compareAtPrice: number | null
  readonly inStock: boolean
  readonly pictures: readonly string[]
}

/**
 * Formats the CSV lines of a product. Leaves out offers without an image, which no platform accepts.
 *
 * @param origin base URL of relative image paths
 */
export function catalogLines(feed: CatalogFeed, product: PublicProduct, category: string, origin: string): string {
  const terms = platformTerms[feed.platform]
  return offersOf(feed, product, origin)
    .filter(({ pictures }) => pictures.length > 0)
    .map((offer) => {
      const isReduced = offer.compareAtPrice !== null && offer.compareAtPrice > offer.price
      const money = (amount: number) => `${amount.toFixed(decimalsOf(product.currencyCode))} ${product.currencyCode}`
      const [first = '', ...others] = offer.pictures
      return line([
        offer.id,
        cut(offer.title, terms.titleMax),
        cut(plain(product.description) || offer.title, terms.descriptionMax),
        offer.inStock ? terms.inStock : terms.outOfStock,
        'new',
        money(isReduced ? (offer.compareAtPrice ?? offer.price) : offer.price),
        isReduced ? money(offer.price) : '',
        feed.productUrl.replaceAll('{slug}', encodeURIComponent(product.slug)).replaceAll('{id}', encodeURIComponent(product.id)),
        first,
        others.slice(0, PICTURES_MAX).join(','),
        cut(product.vendor ?? feed.brand, 70),
        product.variants.length > 0 && feed.by === 'variant' ? product.id : '',
        category,
      ])
    })
    .join('')
}

function offersOf({ by }: CatalogFeed, product: PublicProduct, origin: string): Offer[] {
  const { id, name, price, compareAtPrice, inStock, variants } = product
  const pictures = picturesOf(product.media, origin)
  if (by === 'product' || variants.length === 0) return [{ id, title: name, price, compareAtPrice, inStock, pictures }]
  return variants.map((variant) => {
    const own = picturesOf(variant.media, origin)
    return {
      id: variant.id,
      title: `${name} – ${variant.name}`,
      price: variant.price ?? price,
      compareAtPrice: variant.compareAtPrice ?? (variant.price === null ? compareAtPrice : null),
      inStock: variant.inStock,
      pictures: own.length > 0 ? own : pictures,
    }
  })
}

/** Returns the absolute URLs of the images. Escapes commas, which separate the URLs in a cell. */
const picturesOf = (media: PublicProduct['media'], origin: string) =>
  media.filter(({ kind }) => kind === 'image').map(({ url }) => (url.startsWith('/') ? origin + url : url).replaceAll(',', '%2C'))

/** Removes markup, which platforms do not accept. */
const plain = (text: string) =>
  text
    .replace(/<[^<>]{0,2000}>/g, ' ')
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()

const cut = (text: string, most: number) => text.slice(0, most).toWellFormed()
