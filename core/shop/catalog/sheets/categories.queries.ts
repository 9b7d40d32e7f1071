import type { Queryable } from '../../../data/sql.ts'

/** Finds the id of a category by its slug. Returns undefined where the store has none. */
export const findCategoryIdBySlug = async (sql: Queryable, projectId: string, slug: string) =>
  (await sql<{ id: string }[]>`select id from categories where project_id = ${projectId} and slug = ${slug}`)[0]?.id

/** Reads the slugs of these categories, by id. */
export const findCategorySlugs = async (sql: Queryable, projectId: string, ids: readonly string[]) =>
  new Map(
    (
      await sql<
        { id: string; slug: string }[]
      >`select id, slug from categories where project_id = ${projectId} and id = any (${ids as string[]})`
    ).map(({ id, slug }) => [id, slug]),
  )
