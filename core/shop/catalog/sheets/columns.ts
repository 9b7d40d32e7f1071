/** What stands in a sheet of products, column by column, in the order of an export. */
export const columns = [
  'slug',
  'sku',
  'name',
  'options',
  'price',
  'compareAtPrice',
  'cost',
  'weightKg',
  'stock',
  'status',
  'category',
  'tags',
  'vendor',
  'description',
  'images',
  'seoTitle',
  'seoDescription',
  'imageTexts',
  'tiers',
  'shippingHome',
  'shippingPickup',
  'shippingByState',
  'stockKeeping',
  'showStock',
  'metadata',
] as const
export type Column = (typeof columns)[number]
/** A row's cells that say something. */
export type Cells = Partial<Record<Column, string>>

/** Between several values in one cell. */
export const SEVERAL = '|'

const plain = (heading: string) => heading.toLowerCase().replace(/[\s_-]/g, '')
const byHeading = new Map(columns.map((column) => [plain(column), column]))

export const columnOf = (heading: string): Column | undefined => byHeading.get(plain(heading))

/** What a spreadsheet would take for a formula is written as text, and read as it was. */
const FORMULA = /^[=+\-@\t\r]/
const GUARDED = /^'(?=[=+\-@\t\r])/
export const guarded = (cell: string) => (FORMULA.test(cell) ? `'${cell}` : cell)
export const unguarded = (cell: string) => cell.replace(GUARDED, '')
