import { countries } from '../countries/index.ts'
import { resolverOf } from '../resolve/resolve.ts'

/** Builds the resolvers of the countries that come with the code, so that the first address does not wait for them. */
export const warmUpResolvers = () => {
  for (const catalogue of countries) resolverOf(catalogue)
}
