import { keysetPage } from '../../../data/keyset-page.ts'
import { expectOne, type Queryable, rowValues } from '../../../data/sql.ts'
import type { InvitationListRequest } from './invitations.model.ts'
import type { Invitation, ReceivedInvitation } from './members.model.ts'

const isOpen = (sql: Queryable) => sql`(i.status = 'open' and i.expires_at > now())`
const commonColumns = (sql: Queryable) => sql`i.id, i.store_id, i.email, i.role, i.permissions,
  case when i.status = 'open' and i.expires_at <= now() then 'expired' else i.status end as status, i.created_at, i.expires_at`

const selectForStore = (sql: Queryable) => sql`select ${commonColumns(sql)}, i.settled_at,
  case when u.id is not null then jsonb_build_object('userId', u.id, 'name', u.name) end as invited_by
  from store_invitations i left join users u on u.id = i.invited_by`

const selectForInvited = (sql: Queryable) => sql`select ${commonColumns(sql)}, s.name as store_name, u.name as inviter_name
  from store_invitations i join stores s on s.id = i.store_id and s.deleted_at is null left join users u on u.id = i.invited_by`

interface NewRow {
  readonly storeId: string
  readonly id: string
  readonly email: string
  readonly role: string
  readonly permissions: string[] | null
  readonly tokenHash: string
  readonly invitedBy: string
  readonly expiresAt: Date
}

/** Inserts an open invitation and returns it. */
export async function insertInvitation(sql: Queryable, invitation: NewRow): Promise<Invitation> {
  await sql`insert into store_invitations ${rowValues(sql, invitation)}`
  return expectOne(await sql<Invitation[]>`${selectForStore(sql)} where i.id = ${invitation.id}`)
}

/** Finds an invitation of a store, for its admins. Returns undefined where there is none. */
export const findInvitation = async (sql: Queryable, storeId: string, id: string) =>
  (await sql<Invitation[]>`${selectForStore(sql)} where i.store_id = ${storeId} and i.id = ${id}`)[0]

/** Lists invitations of a store by status, newest first. */
export const listInvitations = (sql: Queryable, storeId: string, { filter: { status }, page: part }: InvitationListRequest) =>
  sql<Invitation[]>`${selectForStore(sql)} where i.store_id = ${storeId} ${ofStatus(sql, status)} ${keysetPage(sql, part, 'i.id')}`

function ofStatus(sql: Queryable, status: Invitation['status'] | undefined) {
  if (status === undefined) return sql``
  if (status === 'open') return sql`and ${isOpen(sql)}`
  return status === 'expired' ? sql`and i.status in ('open', 'expired') and not ${isOpen(sql)}` : sql`and i.status = ${status}`
}

/** Counts the open invitations of a store. */
export const countOpenInvitations = async (sql: Queryable, storeId: string) =>
  expectOne(
    await sql<{ count: number }[]>`select count(*)::int as count from store_invitations i where i.store_id = ${storeId} and ${isOpen(sql)}`,
  ).count

/** Reader of an invitation, identified by user id, by the hash of its token, or both. */
export interface InvitationReader {
  readonly userId: string | null
  readonly tokenHash: string | null
}

const isInvited = (sql: Queryable, { userId, tokenHash }: InvitationReader) => sql`(i.token_hash = ${tokenHash} or exists (
  select 1 from users v where v.id = ${userId} and v.email_verified and lower(v.email) = lower(i.email)))`

/**
 * Finds an invitation for a reader who may see it. That is a holder of its token, the user with the invited and verified address, or an
 * admin of the store.
 */
export const findReadableInvitation = async (sql: Queryable, storeId: string, id: string, reader: InvitationReader) =>
  (
    await sql<
      ReceivedInvitation[]
    >`${selectForInvited(sql)} where i.store_id = ${storeId} and i.id = ${id} and (${isInvited(sql, reader)} or exists (
      select 1 from store_members m where m.store_id = i.store_id and m.user_id = ${reader.userId} and m.role in ('owner', 'admin')
        and (m.permissions is null or 'members:read' = any(m.permissions))))`
  )[0]

/** Finds an invitation for a reader who may answer it: a holder of its token, or the user with the invited and verified address. */
export const findAnswerableInvitation = async (sql: Queryable, storeId: string, id: string, reader: InvitationReader) =>
  (
    await sql<ReceivedInvitation[]>`${selectForInvited(sql)} where i.store_id = ${storeId} and i.id = ${id} and ${isInvited(sql, reader)}`
  )[0]

/** Lists open invitations to the verified address of a user, newest first. */
export const listReceivedInvitations = (sql: Queryable, userId: string, before: string | null, take: number) =>
  sql<
    ReceivedInvitation[]
  >`${selectForInvited(sql)} where lower(i.email) = (select lower(email) from users where id = ${userId} and email_verified)
    and i.status = 'open' and i.expires_at > now() and (${before}::text is null or i.id < ${before}) order by i.id desc limit ${take}`

/** Closes an open invitation with this status. Returns false where it was not open. */
export const closeInvitation = async (
  sql: Queryable,
  id: string,
  status: 'accepted' | 'declined' | 'withdrawn',
  acceptedBy: string | null = null,
): Promise<boolean> =>
  (
    await sql`update store_invitations i set status = ${status}, settled_at = now(), accepted_by = ${acceptedBy}
      where i.id = ${id} and ${isOpen(sql)}`
  ).count > 0

/** Marks expired invitations to an address, so that a new one can be inserted. */
export const expireInvitations = (sql: Queryable, storeId: string, email: string) =>
  sql`update store_invitations i set status = 'expired', settled_at = expires_at
    where i.store_id = ${storeId} and lower(i.email) = lower(${email}) and i.status = 'open' and not ${isOpen(sql)}`

/** Withdraws the open invitations of a user who lost the right to invite. */
export const withdrawInvitationsBy = (sql: Queryable, storeId: string, userId: string) =>
  sql`update store_invitations set status = 'withdrawn', settled_at = now() where store_id = ${storeId} and invited_by = ${userId} and status = 'open'`

/** Returns the name of a user; undefined where there is none. */
export const findUserName = async (sql: Queryable, userId: string) =>
  (await sql<{ name: string }[]>`select name from users where id = ${userId}`)[0]?.name

/** Deletes invitations that were closed or expired more than this number of days ago. */
export const deleteOldInvitations = (sql: Queryable, days: number) =>
  sql`delete from store_invitations where coalesce(settled_at, expires_at) < now() - ${days} * interval '1 day'`

/** Returns true where an open invitation is for the address of this user, who has not confirmed it yet. */
export const isForUnconfirmedAddress = async (sql: Queryable, id: string, { userId }: InvitationReader) =>
  (
    await sql`select 1 from store_invitations i join users u on lower(u.email) = lower(i.email)
      where i.id = ${id} and u.id = ${userId} and not u.email_verified and i.status = 'open' and i.expires_at > now()`
  ).length > 0
