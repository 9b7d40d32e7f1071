import type { Tx } from '../../data/sql.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { fold } from '../../platform/geo/names/fold.ts'
import { slugTaken } from './products.queries.ts'

const LENGTH_MAX = 100
const END_OF_ID = 8

/** The slug that a product is to have: the one that is said, or one made of its name. Throws `slug_taken` where the said one is another's. */
export async function freeSlug(tx: Tx, storeId: string, id: string, said: string | undefined, name: string): Promise<string> {
  if (said !== undefined) {
    if (await slugTaken(tx, storeId, said, id)) throw new ApiError('slug_taken', 'Another product of the store has this slug.')
    return said
  }
  const own = id.slice(-END_OF_ID)
  const made = slugOf(name)
  if (made === '') return `p-${own}`
  return (await slugTaken(tx, storeId, made, id)) ? `${made}-${own}` : made
}

/** Of a name's Latin words; empty where it has none. */
const slugOf = (name: string) =>
  fold(name)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LENGTH_MAX)
    .replace(/^-+|-+$/g, '')
