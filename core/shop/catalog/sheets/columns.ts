/** What stands in a sheet of products, column by column, in the order of an export. */
export const columns = [
  'slug',
  'sku',
  'variant',
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

/** Several values as one cell: a mark that is part of one has a backslash before it, and so has a backslash. */
export const joined = (values: readonly string[]): string => values.map((value) => value.replace(/[\\|]/g, '\\$&')).join(SEVERAL)

/** The values of such a cell. Sheets are read without NUL characters, so that one can stand between them. */
export const parted = (cell: string): string[] => cell.replace(/\\([\\|])|\|/g, (_, kept?: string) => kept ?? '\0').split('\0')

const plain = (heading: string) => heading.toLowerCase().replace(/[\s_-]/g, '')
const byHeading = new Map(columns.map((column) => [plain(column), column]))

export const columnOf = (heading: string): Column | undefined => byHeading.get(plain(heading))

/** What a spreadsheet would take for a formula is written as text, and read as it was. */
const FORMULA = /^[=+\-@\t\r]/
const GUARDED = /^'(?=[=+\-@\t\r])/
export const guarded = (cell: string) => (FORMULA.test(cell) ? `'${cell}` : cell)
export const unguarded = (cell: string) => cell.replace(GUARDED, '')
