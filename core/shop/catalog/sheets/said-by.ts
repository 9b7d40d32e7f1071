import { invalid } from '../../../http/errors.ts'
import type { ProductChange } from '../products.model.ts'
import type { NewVariant } from '../products.parts.model.ts'
import { type Cells, type Column, SEVERAL } from './columns.ts'

const NUMBER = /^\d{1,11}(?:[.,]\d{1,4})?$/
const KIND_OF_OPTION = /^([^=]{1,60})=(.{1,120})$/

/** Numbers as people write them: spaces between thousands, a comma or a point before the decimals. */
export function numberIn(cells: Cells, column: Column): number | undefined {
  const cell = cells[column]
  if (cell === undefined) return undefined
  const plain = cell.replace(/[\s\u00a0\u202f]/g, '')
  if (!NUMBER.test(plain)) throw invalid(`/${column}`, 'Not a number that can be read.')
  return Number(plain.replace(',', '.'))
}

const several = (cell: string) => [...new Set(cell.split(SEVERAL).map((part) => part.trim()))].filter(Boolean)

const given = <K extends string, V>(name: K, value: V | undefined) => (value === undefined ? {} : { [name]: value }) as { [N in K]?: V }

/** What prices and weighs a product or a variant. */
const measures = (cells: Cells) => ({
  ...given('sku', cells.sku),
  ...given('price', numberIn(cells, 'price')),
  ...given('compareAtPrice', numberIn(cells, 'compareAtPrice')),
  ...given('cost', numberIn(cells, 'cost')),
  ...given('weightKg', numberIn(cells, 'weightKg')),
})

const mediaIn = (cells: Cells) => given('media', cells.images === undefined ? undefined : several(cells.images).map((url) => ({ url })))

/** What a row says of a product. Nothing of what its cells leave empty. */
export const productIn = (cells: Cells): ProductChange => ({
  ...measures(cells),
  ...mediaIn(cells),
  ...given('name', cells.name),
  ...given('slug', cells.slug),
  ...given('description', cells.description),
  ...given('status', cells.status?.toLowerCase() as ProductChange['status']),
  ...given('tags', cells.tags === undefined ? undefined : several(cells.tags)),
  ...given('vendor', cells.vendor),
  ...(cells.seoTitle === undefined && cells.seoDescription === undefined
    ? {}
    : { seo: { ...given('title', cells.seoTitle), ...given('description', cells.seoDescription) } }),
})

/** What a row says of a variant; its choices, such as `Size=42|Colour=black`. */
export const variantIn = (cells: Cells): NewVariant => ({
  ...measures(cells),
  ...mediaIn(cells),
  ...given('name', cells.name),
  ...(cells.options !== undefined && { options: optionsIn(cells.options) }),
})

function optionsIn(cell: string): Record<string, string> {
  const pairs = several(cell).map((part) => KIND_OF_OPTION.exec(part))
  if (pairs.some((pair) => pair === null)) throw invalid('/options', 'Write the choices as Size=42|Colour=black.')
  return Object.fromEntries(pairs.flatMap((pair) => (pair ? [[pair[1]?.trim() ?? '', pair[2]?.trim() ?? '']] : [])))
}
