import { containsCondition } from '../../../data/keyset-page.ts'
import type { Queryable } from '../../../data/sql.ts'
import type { FoundStore, FoundUser } from './search.model.ts'

/** Stores that a search covers: all, those of a member, or those of a project. */
export type SearchReach =
  | { readonly of: 'all' }
  | { readonly of: 'member'; readonly userId: string }
  | { readonly of: 'project'; readonly projectId: string }

const containsText = (sql: Queryable, text: string, ...columns: readonly string[]) =>
  columns.map((column) => containsCondition(sql, sql`${sql(column)}`, text)).reduce((all, each) => sql`${all} or ${each}`)

/** Stores whose members a user may list: those in which they are at least an agent with the permission `members:read`. */
const storesWithMembers = (sql: Queryable, userId: string) =>
  sql`select mine.store_id from store_members mine join stores s on s.id = mine.store_id and s.deleted_at is null
    where mine.user_id = ${userId} and mine.role in ('agent', 'admin', 'owner')
      and (mine.permissions is null or 'members:read' = any (mine.permissions))`

/** Finds users by name or e-mail address, newest first: members of stores whose members `seenBy` may list; with null all users. */
export const findUsers = (sql: Queryable, seenBy: string | null, text: string, take: number) =>
  sql<FoundUser[]>`select u.id, u.name, u.email from users u where (${containsText(sql, text, 'u.name', 'u.email')})
    ${seenBy === null ? sql`` : sql`and u.id in (select m.user_id from store_members m where m.store_id in (${storesWithMembers(sql, seenBy)}))`}
    order by u.id desc limit ${take}`

const storesSeen = (sql: Queryable, reach: Exclude<SearchReach, { of: 'all' }>) =>
  reach.of === 'member'
    ? sql`and s.id in (select store_id from store_members where user_id = ${reach.userId}
        and (permissions is null or 'stores:read' = any (permissions)))`
    : sql`and s.project_id = ${reach.projectId}`

/** Finds stores by name or slug, newest first. */
export const findStores = (sql: Queryable, reach: SearchReach, text: string, take: number) =>
  sql<
    FoundStore[]
  >`select s.id, s.name, s.slug from stores s where s.deleted_at is null and (${containsText(sql, text, 's.name', 's.slug')})
    ${reach.of === 'all' ? sql`` : storesSeen(sql, reach)} order by s.id desc limit ${take}`
