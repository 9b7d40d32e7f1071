import { expectOne, type Queryable } from '../../../data/sql.ts'
import type { Membership } from './members.model.ts'

/** Lists the ids of a user's stores, deleted ones included, in one order, so that locks on them do not deadlock. */
export const listStoresOwnedBy = (sql: Queryable, userId: string) =>
  sql<{ id: string }[]>`select id from stores where owner_id = ${userId} order by id`

/** Counts the stores that a user owns, without deleted ones, which need no owner. */
export const countStoresOwnedBy = async (sql: Queryable, userId: string) =>
  expectOne(await sql<{ count: number }[]>`select count(*)::int as count from stores where owner_id = ${userId} and deleted_at is null`)
    .count

/** Lists the memberships of a user in stores of other owners, with the project of each store. */
export const listMemberships = (sql: Queryable, userId: string) =>
  sql<(Membership & { id: string; projectId: string })[]>`
    select s.id, s.project_id, m.role, m.permissions from store_members m join stores s on s.id = m.store_id
    where m.user_id = ${userId} and m.role <> 'owner' order by s.id`
