import type { Tx } from '../../../data/sql.ts'
import { fold } from '../../../platform/geo/names/fold.ts'
import { catalogErrors } from '../catalog.errors.ts'
import { CATEGORIES_MAX } from '../categories/categories.model.ts'
import { listCategories } from '../categories/categories.queries.ts'
import { findCategoryIdBySlug } from './categories.queries.ts'

/**
 * Finds the id of a category by its slug, or else by its name without regard to case and accents. Throws `not_found` where none matches,
 * `invalid_request` where several do.
 */
export async function findCategoryIdByText(tx: Tx, projectId: string, written: string): Promise<string> {
  const bySlug = await findCategoryIdBySlug(tx, projectId, written.toLowerCase())
  if (bySlug !== undefined) return bySlug
  const folded = fold(written)
  const [only, ...others] = (await listCategories(tx, projectId, CATEGORIES_MAX)).filter(
    ({ name }) => folded !== '' && fold(name) === folded,
  )
  const shown = written.slice(0, 60)
  if (!only) throw catalogErrors.categoryUnknown({ shown }, { field: ['category'] })
  if (others.length > 0) {
    const slugs = [only, ...others].map(({ slug }) => slug)
    throw catalogErrors.categoryAmbiguous({ shown, slugs: slugs.join(', ') }, { field: ['category'] })
  }
  return only.id
}
