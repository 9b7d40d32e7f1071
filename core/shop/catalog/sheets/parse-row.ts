import { invalidField } from '../../../lib/errors/domain-error.ts'
import { decimalNumber } from '../../../lib/money/decimal.ts'
import { describeProblem, parseNumber } from '../../../lib/money/parse-number.ts'
import { fold } from '../../../platform/geo/names/fold.ts'
import { catalogErrors } from '../catalog.errors.ts'
import type { ProductChange } from '../products.model.ts'
import type { NewVariant, Shipping, Tier } from '../products.parts.model.ts'
import { type ProductCells, type ProductColumn, splitValues } from './columns.ts'

const CHOICE = /^([^=]{1,60})=(.{1,120})$/

/**
 * Parses a quantity or a weight. Returns undefined for an empty cell. Throws `invalid_request` where the cell is no number, or can be read
 * as two.
 */
export function parseQuantity(cells: ProductCells, column: ProductColumn): number | undefined {
  const cell = cells[column]
  return cell === undefined ? undefined : parseCell(column === 'weightKg' ? cell.replace(KILOGRAMS, '') : cell, column, null)
}

/** Unit that a weight may have. Weights in other units are refused. */
const KILOGRAMS = /\s*(?:kgs?|kilos?|كغ|كلغ|كيلو)\.?\s*$/iu

/**
 * Parses an amount in a currency, or a quantity where the currency is null. Returns undefined for an empty cell. Throws `invalid_request`
 * where the cell is no number, or can be read as two.
 */
function parseAmount(cells: ProductCells, column: ProductColumn, currency: string | null): number | undefined {
  const cell = cells[column]
  return cell === undefined ? undefined : parseCell(cell, column, currency)
}

function parseCell(cell: string, column: ProductColumn, currency: string | null): number {
  const reading = parseNumber(cell, { currency, hasWords: column === 'stock' })
  if ('problem' in reading) throw invalidField([column], describeProblem(cell, reading.problem, currency))
  return decimalNumber(reading.value)
}

const splitUnique = (cell: string) => [...new Set(splitValues(cell).map((part) => part.trim()))].filter(Boolean)

const optional = <K extends string, V>(name: K, value: V | undefined) => (value === undefined ? {} : { [name]: value }) as { [N in K]?: V }

/** Parses the sku, prices and weight that products and variants share. */
const parseMeasures = (cells: ProductCells, currency: string) => ({
  ...optional('sku', cells.sku),
  ...optional('price', parseAmount(cells, 'price', currency)),
  ...optional('compareAtPrice', parseAmount(cells, 'compareAtPrice', currency)),
  ...optional('cost', parseAmount(cells, 'cost', currency)),
  ...optional('weightKg', parseQuantity(cells, 'weightKg')),
})

/** Parses the images, each with its alternative text where it has one. */
function parseMedia({ images, imageTexts = '' }: ProductCells) {
  const texts = splitValues(imageTexts).map((text) => text.trim())
  return optional(
    'media',
    images === undefined ? undefined : splitUnique(images).map((url, at) => ({ url, ...(texts[at] && { alt: texts[at] }) })),
  )
}

/** Parses the product of a row. Leaves out what its cells leave empty. */
export const parseProduct = (cells: ProductCells, currency: string): ProductChange => ({
  ...parseMeasures(cells, currency),
  ...parseMedia(cells),
  ...optional('name', cells.name),
  ...optional('slug', cells.slug),
  ...optional('description', cells.description),
  ...optional('status', parseStatus(cells)),
  ...optional('tags', cells.tags === undefined ? undefined : splitUnique(cells.tags)),
  ...optional('vendor', cells.vendor),
  ...(cells.seoTitle === undefined && cells.seoDescription === undefined
    ? {}
    : { seo: { ...optional('title', cells.seoTitle), ...optional('description', cells.seoDescription) } }),
  ...optional('tiers', parseTiers(cells, currency)),
  ...optional('stockKeeping', parseYesNo(cells, 'stockKeeping')),
  ...optional('showStock', parseYesNo(cells, 'showStock')),
  ...optional('metadata', parseMetadata(cells)),
})

const TIER = /^(\d{1,6})\s*=\s*([^=]{1,20})$/
/** Parses price tiers such as `3=90|10=80`: a number of pieces and the price of each. */
function parseTiers({ tiers }: ProductCells, currency: string): Tier[] | undefined {
  if (tiers === undefined) return undefined
  return splitUnique(tiers).map((part) => {
    const [, from, price] = TIER.exec(part) ?? []
    if (from === undefined || price === undefined) throw catalogErrors.tiersUnreadable({ field: ['tiers'] })
    return { from: Number(from), price: parseCell(price, 'tiers', currency) }
  })
}

const STATE_PRICES = /^([^=/]{1,16})=([^=/]{0,20})(?:\/([^=/]{1,20}))?$/
/**
 * Parses delivery prices. `16=400/250|31=700` gives for each state the price to the door and, after a slash, to a pickup point. Returns
 * undefined where no cell has one.
 */
export function parseShipping(cells: ProductCells, currency: string): Shipping | undefined {
  const byState =
    cells.shippingByState === undefined
      ? undefined
      : Object.fromEntries(splitUnique(cells.shippingByState).map((part) => parseStatePrices(part, currency)))
  const shipping = {
    ...optional('home', parseAmount(cells, 'shippingHome', currency)),
    ...optional('pickup', parseAmount(cells, 'shippingPickup', currency)),
    ...optional('byState', byState),
  }
  return Object.keys(shipping).length > 0 ? shipping : undefined
}

function parseStatePrices(part: string, currency: string): [string, { home?: number; pickup?: number }] {
  const [, state, home = '', pickup = ''] = STATE_PRICES.exec(part) ?? []
  if (state === undefined) throw catalogErrors.statePricesUnreadable({ field: ['shippingByState'] })
  const price = (text: string) => (text.trim() === '' ? undefined : parseCell(text.trim(), 'shippingByState', currency))
  return [state.trim(), { ...optional('home', price(home)), ...optional('pickup', price(pickup)) }]
}

/** Statuses in the three languages. Other words go to the schema unchanged, which refuses them. */
const statuses: Readonly<Record<string, NonNullable<ProductChange['status']>>> = {
  actif: 'active',
  active: 'active',
  'en ligne': 'active',
  publie: 'active',
  نشط: 'active',
  منشور: 'active',
  brouillon: 'draft',
  draft: 'draft',
  مسوده: 'draft',
  archive: 'archived',
  archived: 'archived',
  مورشف: 'archived',
}

function parseStatus({ status }: ProductCells): ProductChange['status'] {
  if (status === undefined) return undefined
  const folded = fold(status)
  return Object.hasOwn(statuses, folded) ? statuses[folded] : (status.toLowerCase() as ProductChange['status'])
}

const yesOrNo: Readonly<Record<string, boolean>> = {
  yes: true,
  true: true,
  '1': true,
  oui: true,
  نعم: true,
  no: false,
  false: false,
  '0': false,
  non: false,
  لا: false,
}

function parseYesNo(cells: ProductCells, column: ProductColumn): boolean | undefined {
  const cell = cells[column]?.toLowerCase()
  if (cell === undefined) return undefined
  const value = Object.hasOwn(yesOrNo, cell) ? yesOrNo[cell] : undefined
  if (value === undefined) throw catalogErrors.yesOrNo({ field: [column] })
  return value
}

function parseMetadata({ metadata }: ProductCells): ProductChange['metadata'] {
  if (metadata === undefined) return undefined
  try {
    return JSON.parse(metadata)
  } catch {
    throw catalogErrors.jsonUnreadable({ field: ['metadata'] })
  }
}

/** Parses the variant of a row, with its choices, such as `Size=42|Colour=black`. */
export const parseVariant = (cells: ProductCells, currency: string): NewVariant => ({
  ...parseMeasures(cells, currency),
  ...parseMedia(cells),
  ...optional('name', cells.name),
  ...(cells.options !== undefined && { options: parseOptions(cells.options) }),
})

function parseOptions(cell: string): Record<string, string> {
  const pairs = splitUnique(cell).map((part) => CHOICE.exec(part))
  if (pairs.some((pair) => pair === null)) throw catalogErrors.choicesUnreadable({ field: ['options'] })
  return Object.fromEntries(pairs.flatMap((pair) => (pair ? [[pair[1]?.trim() ?? '', pair[2]?.trim() ?? '']] : [])))
}
