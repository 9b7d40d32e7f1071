import type { Catalogue } from '../catalogue.ts'
import { algeria } from './dz/catalogue.ts'

/** The countries that come with the code, each with a folder of its own. Whoever says no country means the first, where nothing else tells. */
export const countries: readonly [Catalogue, ...Catalogue[]] = [algeria]
