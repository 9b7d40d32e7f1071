import type { Catalogue, ColumnHeaders } from '../catalogue/catalogue.ts'
import { algeria } from './dz/catalogue.ts'
import { headers as algerianHeaders } from './dz/headers.ts'

/** Countries that come with the code, each in a folder of its own. The first is the last fallback for addresses without a country. */
export const countries: readonly [Catalogue, ...Catalogue[]] = [algeria]

/** Column names of sheets in each country. */
export const columnHeaders: readonly ColumnHeaders[] = [algerianHeaders]

/** Example address for the API reference. */
export { example } from './dz/example.ts'
