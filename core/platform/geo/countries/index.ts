import type { Catalogue, ColumnHeaders } from '../catalogue/catalogue.ts'
import { algeria } from './dz/catalogue.ts'
import { headers as algerianHeaders } from './dz/headers.ts'

/** The countries that come with the code, each with a folder of its own. Whoever says no country means the first, where nothing else tells. */
export const countries: readonly [Catalogue, ...Catalogue[]] = [algeria]

/** What the columns of people's sheets are called in each of them. */
export const columnHeaders: readonly ColumnHeaders[] = [algerianHeaders]

/** Address of the country that the reference of the interface takes its examples from. */
export { example } from './dz/example.ts'
