import type { Tx } from '../../../data/sql.ts'
import { DomainError, invalidField } from '../../../lib/errors/domain-error.ts'
import { fold } from '../../../platform/geo/names/fold.ts'
import { CATEGORIES_MAX } from '../categories/categories.model.ts'
import { listCategories } from '../categories/categories.queries.ts'
import { findCategoryIdBySlug } from './categories.queries.ts'

/**
 * Finds the id of a category by its slug, or else by its name without regard to case and accents. Throws `not_found` where none matches,
 * `invalid_request` where several do.
 */
export async function findCategoryIdByText(tx: Tx, storeId: string, written: string): Promise<string> {
  const bySlug = await findCategoryIdBySlug(tx, storeId, written.toLowerCase())
  if (bySlug !== undefined) return bySlug
  const folded = fold(written)
  const [only, ...others] = (await listCategories(tx, storeId, CATEGORIES_MAX)).filter(({ name }) => folded !== '' && fold(name) === folded)
  const shown = written.slice(0, 60)
  if (!only)
    throw new DomainError(
      'not_found',
      `The store has no category "${shown}". Write the name or the slug of an existing one, or create it first.`,
      { field: ['category'] },
    )
  if (others.length > 0) {
    const slugs = [only, ...others].map(({ slug }) => slug)
    throw invalidField(['category'], `Several categories are called "${shown}". Write a slug: ${slugs.join(', ')}.`)
  }
  return only.id
}
