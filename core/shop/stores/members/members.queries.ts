import { expectOne, type Queryable, type Tx } from '../../../data/sql.ts'
import type { Member, Membership } from './members.model.ts'

const columns = (sql: Queryable) => sql`m.store_id, m.user_id, u.name, u.email, m.role, m.permissions, m.created_at`

/** Locks the members and invitations of a store until the transaction ends. Other writers wait. */
export const lockMembers = async (sql: Tx, storeId: string) => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`people of ${storeId}`}, 0))`
}

/** Finds a member of a store by user id. Returns undefined where there is none. */
export const findMember = async (sql: Queryable, storeId: string, userId: string) =>
  (
    await sql<Member[]>`select ${columns(sql)} from store_members m join users u on u.id = m.user_id
      where m.store_id = ${storeId} and m.user_id = ${userId}`
  )[0]

/** Finds a member of a store by e-mail address, without regard to case. Returns undefined where there is none. */
export const findMemberByEmail = async (sql: Queryable, storeId: string, email: string) =>
  (
    await sql<Member[]>`select ${columns(sql)} from users u join store_members m on m.user_id = u.id
      where lower(u.email) = lower(${email}) and m.store_id = ${storeId}`
  )[0]

/** Lists members of a store, oldest first. `after` is the user id at the end of the page before. */
export const listMembers = (sql: Queryable, storeId: string, after: string | null, take: number) =>
  sql<Member[]>`select ${columns(sql)} from store_members m join users u on u.id = m.user_id where m.store_id = ${storeId}
    ${
      after === null
        ? sql``
        : sql`and (m.created_at, m.user_id) > (select created_at, user_id from store_members where store_id = ${storeId} and user_id = ${after})`
    } order by m.created_at, m.user_id limit ${take}`

/** Counts the members of a store. */
export const countMembers = async (sql: Queryable, storeId: string) =>
  expectOne(await sql<{ count: number }[]>`select count(*)::int as count from store_members where store_id = ${storeId}`).count

/** Inserts a member, or updates role and permissions of one who is not the owner. */
export const upsertMember = (sql: Queryable, storeId: string, userId: string, { role, permissions }: Membership) =>
  sql`insert into store_members (store_id, user_id, role, permissions) values (${storeId}, ${userId}, ${role}, ${permissions as string[] | null})
    on conflict (store_id, user_id) do update set role = excluded.role, permissions = excluded.permissions where store_members.role <> 'owner'`

/** Updates a member other than the owner. Returns false where there is none. */
export const updateMembership = async (sql: Queryable, storeId: string, userId: string, { role, permissions }: Membership) =>
  (
    await sql`update store_members set role = ${role}, permissions = ${permissions as string[] | null}
      where store_id = ${storeId} and user_id = ${userId} and role <> 'owner'`
  ).count > 0

/** Makes the owner an admin, so that the store can get another owner. */
export const demoteOwner = (sql: Queryable, storeId: string) =>
  sql`update store_members set role = 'admin' where store_id = ${storeId} and role = 'owner'`

/** Sets the owner of a store in its row. */
export const updateStoreOwner = (sql: Queryable, storeId: string, ownerId: string) =>
  sql`update stores set owner_id = ${ownerId}, updated_at = now() where id = ${storeId}`

/** Deletes a member other than the owner. Returns false where there is none. */
export const deleteMember = async (sql: Queryable, storeId: string, userId: string) =>
  (await sql`delete from store_members where store_id = ${storeId} and user_id = ${userId} and role <> 'owner'`).count > 0
