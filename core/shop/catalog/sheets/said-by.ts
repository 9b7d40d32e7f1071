import { invalid } from '../../../http/errors/errors.ts'
import { decimalNumber } from '../../../lib/money/decimal.ts'
import { describeProblem, readNumber } from '../../../lib/money/written-number.ts'
import { fold } from '../../../platform/geo/names/fold.ts'
import type { ProductChange } from '../products.model.ts'
import type { NewVariant, Shipping, Tier } from '../products.parts.model.ts'
import { type Cells, type Column, parted } from './columns.ts'

const KIND_OF_OPTION = /^([^=]{1,60})=(.{1,120})$/

/** Reads a quantity or a weight. Throws `invalid_request` where it is none, or could be two. */
export function quantityIn(cells: Cells, column: Column): number | undefined {
  const cell = cells[column]
  return cell === undefined ? undefined : readCell(column === 'weightKg' ? cell.replace(KILOGRAMS, '') : cell, column, null)
}

/** Unit of a weight. One in another unit is refused. */
const KILOGRAMS = /\s*(?:kgs?|kilos?|كغ|كلغ|كيلو)\.?\s*$/iu

/** Reads an amount in a currency, or for null a quantity. Throws `invalid_request` where it is none, or could be two. */
function numberIn(cells: Cells, column: Column, currency: string | null): number | undefined {
  const cell = cells[column]
  return cell === undefined ? undefined : readCell(cell, column, currency)
}

function readCell(cell: string, column: Column, currency: string | null): number {
  const reading = readNumber(cell, { currency, hasWords: column === 'stock' })
  if ('problem' in reading) throw invalid(`/${column}`, describeProblem(cell, reading.problem, currency))
  return decimalNumber(reading.value)
}

const several = (cell: string) => [...new Set(parted(cell).map((part) => part.trim()))].filter(Boolean)

const given = <K extends string, V>(name: K, value: V | undefined) => (value === undefined ? {} : { [name]: value }) as { [N in K]?: V }

/** What prices and weighs a product or a variant. */
const measures = (cells: Cells, currency: string) => ({
  ...given('sku', cells.sku),
  ...given('price', numberIn(cells, 'price', currency)),
  ...given('compareAtPrice', numberIn(cells, 'compareAtPrice', currency)),
  ...given('cost', numberIn(cells, 'cost', currency)),
  ...given('weightKg', quantityIn(cells, 'weightKg')),
})

/** Images, each with its text, where there are texts. */
function mediaIn({ images, imageTexts = '' }: Cells) {
  const texts = parted(imageTexts).map((text) => text.trim())
  return given(
    'media',
    images === undefined ? undefined : several(images).map((url, at) => ({ url, ...(texts[at] && { alt: texts[at] }) })),
  )
}

/** What a row says of a product. Nothing of what its cells leave empty. */
export const productIn = (cells: Cells, currency: string): ProductChange => ({
  ...measures(cells, currency),
  ...mediaIn(cells),
  ...given('name', cells.name),
  ...given('slug', cells.slug),
  ...given('description', cells.description),
  ...given('status', statusIn(cells)),
  ...given('tags', cells.tags === undefined ? undefined : several(cells.tags)),
  ...given('vendor', cells.vendor),
  ...(cells.seoTitle === undefined && cells.seoDescription === undefined
    ? {}
    : { seo: { ...given('title', cells.seoTitle), ...given('description', cells.seoDescription) } }),
  ...given('tiers', tiersIn(cells, currency)),
  ...given('stockKeeping', isSaid(cells, 'stockKeeping')),
  ...given('showStock', isSaid(cells, 'showStock')),
  ...given('metadata', metadataIn(cells)),
})

const TIER = /^(\d{1,6})\s*=\s*([^=]{1,20})$/
/** `3=90|10=80`: what each piece costs from so many on. */
function tiersIn({ tiers }: Cells, currency: string): Tier[] | undefined {
  if (tiers === undefined) return undefined
  return several(tiers).map((part) => {
    const [, from, price] = TIER.exec(part) ?? []
    if (from === undefined || price === undefined)
      throw invalid('/tiers', 'Write the tiers as 3=90|10=80: from how many pieces on, and what each costs.')
    return { from: Number(from), price: readCell(price, 'tiers', currency) }
  })
}

const OF_STATE = /^([^=/]{1,16})=([^=/]{0,20})(?:\/([^=/]{1,20}))?$/
/** What a row says of delivery: `16=400/250|31=700` are states with what delivery to the door costs, and to a point behind a stroke. */
export function shippingIn(cells: Cells, currency: string): Shipping | undefined {
  const byState =
    cells.shippingByState === undefined
      ? undefined
      : Object.fromEntries(several(cells.shippingByState).map((part) => ofState(part, currency)))
  const said = {
    ...given('home', numberIn(cells, 'shippingHome', currency)),
    ...given('pickup', numberIn(cells, 'shippingPickup', currency)),
    ...given('byState', byState),
  }
  return Object.keys(said).length > 0 ? said : undefined
}

function ofState(part: string, currency: string): [string, { home?: number; pickup?: number }] {
  const [, state, home = '', pickup = ''] = OF_STATE.exec(part) ?? []
  if (state === undefined)
    throw invalid('/shippingByState', 'Write the states as 16=400/250|31=700: to the door, and to a point behind a stroke.')
  const price = (text: string) => (text.trim() === '' ? undefined : readCell(text.trim(), 'shippingByState', currency))
  return [state.trim(), { ...given('home', price(home)), ...given('pickup', price(pickup)) }]
}

/** Statuses in the words of people; others go to the schema as they are. */
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

function statusIn({ status }: Cells): ProductChange['status'] {
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

function isSaid(cells: Cells, column: Column): boolean | undefined {
  const cell = cells[column]?.toLowerCase()
  if (cell === undefined) return undefined
  const said = Object.hasOwn(yesOrNo, cell) ? yesOrNo[cell] : undefined
  if (said === undefined) throw invalid(`/${column}`, 'Write yes or no.')
  return said
}

function metadataIn({ metadata }: Cells): ProductChange['metadata'] {
  if (metadata === undefined) return undefined
  try {
    return JSON.parse(metadata)
  } catch {
    throw invalid('/metadata', 'Not JSON.')
  }
}

/** What a row says of a variant; its choices, such as `Size=42|Colour=black`. */
export const variantIn = (cells: Cells, currency: string): NewVariant => ({
  ...measures(cells, currency),
  ...mediaIn(cells),
  ...given('name', cells.name),
  ...(cells.options !== undefined && { options: optionsIn(cells.options) }),
})

function optionsIn(cell: string): Record<string, string> {
  const pairs = several(cell).map((part) => KIND_OF_OPTION.exec(part))
  if (pairs.some((pair) => pair === null)) throw invalid('/options', 'Write the choices as Size=42|Colour=black.')
  return Object.fromEntries(pairs.flatMap((pair) => (pair ? [[pair[1]?.trim() ?? '', pair[2]?.trim() ?? '']] : [])))
}
