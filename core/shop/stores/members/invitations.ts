import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { serverAddress } from '../../../http/address/server-address.ts'
import { newToken, sha256 } from '../../../lib/crypto/crypto.ts'
import { DAY_MS } from '../../../lib/durations.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { sharedErrors } from '../../../lib/errors/shared-errors.ts'
import { newId } from '../../../lib/ids.ts'
import { recordAudit } from '../../../platform/audit/record-audit.ts'
import { type ActingUser, lockMembersWithRight } from '../access.ts'
import { storeErrors } from '../stores.errors.ts'
import type { Store } from '../stores.model.ts'
import { findStore } from '../stores.queries.ts'
import {
  closeInvitation,
  countOpenInvitations,
  expireInvitations,
  findAnswerableInvitation,
  findInvitation,
  findUserName,
  type InvitationReader,
  insertInvitation,
  isForUnconfirmedAddress,
} from './invitations.queries.ts'
import {
  INVITATION_DAYS,
  type Invitation,
  MEMBER_LIMITS,
  type Member,
  type NewInvitation,
  type ReceivedInvitation,
} from './members.model.ts'
import { findMember, findMemberByEmail, lockMembers, upsertMember } from './members.queries.ts'
import { assertCanGrant, assertRoomForMember, MANAGE_MEMBERS, rereadMember } from './members.ts'

/** Returns the reader for a user id, a token, or both. */
export const invitationReaderOf = (userId: string | null, token: string | undefined): InvitationReader => ({
  userId,
  tokenHash: token === undefined ? null : sha256(token),
})

/**
 * Invites an e-mail address and sends the e-mail. The answer does not reveal whether the address has an account. Throws `forbidden`,
 * `conflict`, `limit_reached`, `invalid_request`, `rate_limited`.
 */
export async function createInvitation(
  context: Pick<Context, 'mail' | 'config' | 'listener'>,
  tx: Tx,
  store: Store,
  by: ActingUser,
  input: NewInvitation,
): Promise<Invitation> {
  const own = await lockMembersWithRight(tx, store, by, MANAGE_MEMBERS)
  const { email, role, permissions = null, language } = input
  assertCanGrant(own, { permissions })
  if (await findMemberByEmail(tx, store.id, email)) throw storeErrors.memberAlready()
  await expireInvitations(tx, store.id, email)
  if ((await countOpenInvitations(tx, store.id)) >= MEMBER_LIMITS.invitations)
    throw storeErrors.tooManyInvitations({ invitations: MEMBER_LIMITS.invitations })
  const [id, token, expiresAt] = [newId('inv'), newToken('it'), new Date(Date.now() + INVITATION_DAYS * DAY_MS)]
  const given = { storeId: store.id, id, email, role, permissions, tokenHash: sha256(token), invitedBy: by.id, expiresAt }
  const made = await insertInvitation(tx, given)
  const link = `${serverAddress(context)}/v1/stores/${store.id}/invites/${id}/page?token=${token}${language ? `&ui_locales=${language}` : ''}`
  const inviter = (await findUserName(tx, by.id)) ?? store.name
  const values = { store: store.name, inviter, link }
  const written = await context.mail.send(tx, { to: email, template: 'store_invitation', language, values, goodUntil: expiresAt })
  if ('withheld' in written) throw mailRefusedError(written.withheld)
  await recordAudit(tx, { storeId: store.id }, { what: 'invitation.created', thing: id, after: made })
  return made
}

const mailRefusedError = (why: 'address' | 'flood' | 'before') =>
  why === 'address'
    ? sharedErrors.addressUnreachable({ field: ['email'] })
    : storeErrors.invitedTooOften({
        retryAfterSeconds: 3600,
      })

/** Withdraws an open invitation. Throws `not_found`, `forbidden`, and `conflict` where it is closed. */
export function withdrawInvitation({ sql }: Pick<Context, 'sql'>, store: Store, by: ActingUser, id: string): Promise<void> {
  return transaction(sql, async (tx) => {
    await lockMembersWithRight(tx, store, by, MANAGE_MEMBERS)
    const before = await findInvitation(tx, store.id, id)
    if (!before) throw notFound('The invitation')
    if (!(await closeInvitation(tx, id, 'withdrawn'))) throw closedInvitationError(before)
    await recordAudit(tx, { storeId: store.id }, { what: 'invitation.withdrawn', thing: id, before })
  })
}

/**
 * Accepts an invitation. The user becomes a member, or keeps role and permissions as an existing one. Throws `not_found`, `forbidden` for
 * an unconfirmed address, `conflict`, `limit_reached`.
 */
export function acceptInvitation(
  { sql }: Pick<Context, 'sql'>,
  storeId: string,
  id: string,
  person: ActingUser,
  reader: InvitationReader,
): Promise<Member> {
  return transaction(sql, async (tx) => {
    const { store, invitation } = await lockOwnInvitation(tx, storeId, id, reader)
    if (!(await closeInvitation(tx, id, 'accepted', person.id))) throw closedInvitationError(invitation)
    await recordAudit(tx, { storeId }, { what: 'invitation.accepted', thing: id, after: invitation })
    const present = await findMember(tx, storeId, person.id)
    if (present) return present
    await assertRoomForMember(tx, storeId)
    await upsertMember(tx, storeId, person.id, invitation)
    const member = await rereadMember(tx, store, person.id)
    await recordAudit(tx, { storeId }, { what: 'member.added', thing: person.id, after: member })
    return member
  })
}

/** Declines an invitation. Throws `not_found`, `forbidden` for an unconfirmed address, `conflict`. */
export function declineInvitation(
  { sql }: Pick<Context, 'sql'>,
  storeId: string,
  id: string,
  reader: InvitationReader,
): Promise<ReceivedInvitation> {
  return transaction(sql, async (tx) => {
    const { invitation } = await lockOwnInvitation(tx, storeId, id, reader)
    if (!(await closeInvitation(tx, id, 'declined'))) throw closedInvitationError(invitation)
    await recordAudit(tx, { storeId }, { what: 'invitation.declined', thing: id, after: invitation })
    return { ...invitation, status: 'declined' }
  })
}

/**
 * Locks the members of the store and finds the invitation for a reader who may answer it. Throws `not_found`, or `forbidden` for an
 * unconfirmed address.
 */
async function lockOwnInvitation(tx: Tx, storeId: string, id: string, reader: InvitationReader) {
  await lockMembers(tx, storeId)
  const [store, invitation] = [await findStore(tx, storeId), await findAnswerableInvitation(tx, storeId, id, reader)]
  if (!store || !invitation)
    throw (await isForUnconfirmedAddress(tx, id, reader)) ? storeErrors.emailUnconfirmed() : notFound('The invitation')
  return { store, invitation }
}

const closedInvitationError = ({ status }: Pick<Invitation, 'status'>) =>
  status === 'open' ? storeErrors.invitationAnswered() : storeErrors.invitationClosed({ status })
