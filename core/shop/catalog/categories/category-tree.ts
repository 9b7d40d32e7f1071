import { storeIdOf } from '../../../data/project-ids.ts'
import type { Queryable, Tx } from '../../../data/sql.ts'
import type { Change } from '../../../http/resource/resource.ts'
import { catalogErrors } from '../catalog.errors.ts'
import { CATEGORIES_MAX, CATEGORY_DEPTH_MAX, type CategoryNode } from './categories.model.ts'
import { listCategories, listCategoryParents } from './categories.queries.ts'

type Parents = ReadonlyMap<string, string | null>

/**
 * Throws `invalid_request` for a parent that is unknown to the store, that is in the category's own subtree, or that makes the tree too
 * deep. The caller serializes writes of a store, so two moves cannot form a cycle.
 */
export async function assertValidParent(tx: Tx, { verb, owner, row, values }: Change): Promise<void> {
  const parentId = values.parentId as string | null | undefined
  if (verb === 'remove' || parentId === null || parentId === undefined || owner === null) return
  const field = ['parentId']
  const parents: Parents = new Map((await listCategoryParents(tx, owner.projectId)).map(({ id, parentId }) => [id, parentId]))
  if (!parents.has(parentId)) throw catalogErrors.parentUnknown({ field })
  const above = [parentId, ...ancestors(parents, parentId)]
  if (row && above.includes(row.id)) throw catalogErrors.parentOfItself({ field })
  if (above.length + (row ? countLevels(parents, row.id) : 1) > CATEGORY_DEPTH_MAX)
    throw catalogErrors.categoriesTooDeep({ depthMax: CATEGORY_DEPTH_MAX }, { field })
}

function ancestors(parents: Parents, id: string): string[] {
  const parent = parents.get(id) ?? null
  return parent === null ? [] : [parent, ...ancestors(parents, parent)]
}

/** Counts the levels of a subtree, its top included. */
function countLevels(parents: Parents, top: string): number {
  const levels = [...parents.keys()].map((id) => [id, ...ancestors(parents, id)].indexOf(top) + 1)
  return Math.max(...levels)
}

/** Reads all categories of a store as a tree, each level in its order. */
export async function readCategoryTree(sql: Queryable, projectId: string): Promise<readonly CategoryNode[]> {
  const storeId = storeIdOf(projectId)
  const under = Map.groupBy(await listCategories(sql, projectId, CATEGORIES_MAX), ({ parentId }) => parentId)
  const nodes = (parentId: string | null): CategoryNode[] =>
    (under.get(parentId) ?? []).map(({ projectId: _, ...category }) => ({ ...category, storeId, children: nodes(category.id) }))
  return nodes(null)
}
