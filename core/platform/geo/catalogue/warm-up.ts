import { countries } from '../countries/index.ts'
import { resolverOf } from '../resolve/resolve.ts'

/** Makes what the first address of a country that comes with the code would have to wait for. */
export const warmUp = () => {
  for (const catalogue of countries) resolverOf(catalogue)
}
