import type { Static } from '@sinclair/typebox'
import type { Queryable } from '../../../data/sql.ts'
import type { PublicPage } from './pages.model.ts'

/** Finds a published page of a visible store, by the store's id or slug. Returns undefined where there is none. */
export const findPublicPage = async (sql: Queryable, store: { readonly id: string } | { readonly slug: string }, slug: string) =>
  (
    await sql<Static<typeof PublicPage>[]>`
      select p.id, s.id as store_id, p.title, p.slug, p.format, p.content, p.updated_at
      from pages p join shown_stores s on s.project_id = p.project_id
      where ${'id' in store ? sql`s.id = ${store.id}` : sql`s.slug = ${store.slug}`} and p.slug = ${slug} and p.published`
  )[0]
