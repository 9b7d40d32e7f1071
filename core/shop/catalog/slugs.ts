import type { Tx } from '../../data/sql.ts'
import { fold } from '../../platform/geo/names/fold.ts'
import { catalogErrors } from './catalog.errors.ts'
import { isProductSlugTaken } from './products.queries.ts'

const LENGTH_MAX = 100
const ID_SUFFIX_LENGTH = 8

/**
 * Returns the slug of a product: the wanted one, or one made from its name. Locks the slug until the transaction ends. Throws `slug_taken`
 * where another product has the wanted slug.
 */
export async function chooseProductSlug(tx: Tx, projectId: string, id: string, wanted: string | undefined, name: string): Promise<string> {
  if (wanted !== undefined) {
    if (await isProductSlugTaken(tx, projectId, wanted, id)) throw catalogErrors.slugTaken()
    return wanted
  }
  const own = id.slice(-ID_SUFFIX_LENGTH)
  const generated = slugOf(name)
  if (generated === '') return `p-${own}`
  return (await isProductSlugTaken(tx, projectId, generated, id)) ? `${generated}-${own}` : generated
}

/** Builds a slug from the Latin words of a name. Empty where the name has none. */
const slugOf = (name: string) =>
  fold(name)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LENGTH_MAX)
    .replace(/^-+|-+$/g, '')
