import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { ownAddress } from '../../../http/address/own-address.ts'
import { ApiError, invalid, notFound } from '../../../http/errors/errors.ts'
import { newToken, sha256 } from '../../../lib/crypto/crypto.ts'
import { newId } from '../../../lib/ids.ts'
import { recordAudit } from '../../../platform/audit/record-audit.ts'
import { type Asker, holdFor } from '../access.ts'
import type { Store } from '../stores.model.ts'
import { findStore } from '../stores.queries.ts'
import {
  closeExpired,
  countOpen,
  findInvitation,
  findNameOf,
  findOwn,
  insertInvitation,
  isForUnconfirmed,
  type Reader,
  settle,
} from './invitations.queries.ts'
import { INVITATION_DAYS, type Invitation, type Member, type NewInvitation, PEOPLE_MAX, type ReceivedInvitation } from './members.model.ts'
import { findMember, findMemberByEmail, holdPeople, upsertMember } from './members.queries.ts'
import { assertHas, assertRoomForMember, managing, reread } from './members.ts'

const DAY_MS = 86_400_000

/** Returns the reader for a user id, a token, or both. */
export const readerOf = (userId: string | null, token: string | undefined): Reader => ({
  userId,
  tokenHash: token === undefined ? null : sha256(token),
})

/**
 * Invites an e-mail address and sends the e-mail. The answer does not reveal whether the address has an account. Throws `forbidden`,
 * `conflict`, `limit_reached`, `invalid_request`, `rate_limited`.
 */
export async function invite(
  context: Pick<Context, 'mail' | 'config' | 'listener'>,
  tx: Tx,
  store: Store,
  by: Asker,
  input: NewInvitation,
): Promise<Invitation> {
  const own = await holdFor(tx, store, by, managing)
  const { email, role, permissions = null, language } = input
  assertHas(own, { permissions })
  if (await findMemberByEmail(tx, store.id, email)) throw new ApiError('conflict', 'This person is a member of the store already.')
  await closeExpired(tx, store.id, email)
  if ((await countOpen(tx, store.id)) >= PEOPLE_MAX.invitations)
    throw new ApiError('limit_reached', `A store has at most ${PEOPLE_MAX.invitations} open invitations. Withdraw some first.`)
  const [id, token, expiresAt] = [newId('inv'), newToken('it'), new Date(Date.now() + INVITATION_DAYS * DAY_MS)]
  const given = { storeId: store.id, id, email, role, permissions, tokenHash: sha256(token), invitedBy: by.id, expiresAt }
  const made = await insertInvitation(tx, given)
  const link = `${ownAddress(context)}/v1/stores/${store.id}/invites/${id}/page?token=${token}${language ? `&ui_locales=${language}` : ''}`
  const inviter = (await findNameOf(tx, by.id)) ?? store.name
  const values = { store: store.name, inviter, link }
  const written = await context.mail.send(tx, { to: email, template: 'store_invitation', language, values, goodUntil: expiresAt })
  if ('withheld' in written) throw mailRefusedError(written.withheld)
  await recordAudit(tx, { storeId: store.id }, { what: 'invitation.created', thing: id, after: made })
  return made
}

const mailRefusedError = (why: 'address' | 'flood' | 'before') =>
  why === 'address'
    ? invalid('/body/email', 'No mail can be sent to this address.')
    : new ApiError('rate_limited', 'This address was invited too often within the hour. Wait an hour.', {
        headers: { 'retry-after': '3600' },
      })

/** Withdraws an open invitation. Throws `not_found`, `forbidden`, and `conflict` where it is closed. */
export function withdraw({ sql }: Pick<Context, 'sql'>, store: Store, by: Asker, id: string): Promise<void> {
  return transaction(sql, async (tx) => {
    await holdFor(tx, store, by, managing)
    const before = await findInvitation(tx, store.id, id)
    if (!before) throw notFound('The invitation')
    if (!(await settle(tx, id, 'withdrawn'))) throw closedInvitationError(before)
    await recordAudit(tx, { storeId: store.id }, { what: 'invitation.withdrawn', thing: id, before })
  })
}

/**
 * Accepts an invitation. The user becomes a member, or keeps role and permissions as an existing one. Throws `not_found`, `forbidden` for
 * an unconfirmed address, `conflict`, `limit_reached`.
 */
export function accept({ sql }: Pick<Context, 'sql'>, storeId: string, id: string, person: Asker, reader: Reader): Promise<Member> {
  return transaction(sql, async (tx) => {
    const { store, invitation } = await lockOwnInvitation(tx, storeId, id, reader)
    if (!(await settle(tx, id, 'accepted', person.id))) throw closedInvitationError(invitation)
    await recordAudit(tx, { storeId }, { what: 'invitation.accepted', thing: id, after: invitation })
    const present = await findMember(tx, storeId, person.id)
    if (present) return present
    await assertRoomForMember(tx, storeId)
    await upsertMember(tx, storeId, person.id, invitation)
    const member = await reread(tx, store, person.id)
    await recordAudit(tx, { storeId }, { what: 'member.added', thing: person.id, after: member })
    return member
  })
}

/** Declines an invitation. Throws `not_found`, `forbidden` for an unconfirmed address, `conflict`. */
export function decline({ sql }: Pick<Context, 'sql'>, storeId: string, id: string, reader: Reader): Promise<ReceivedInvitation> {
  return transaction(sql, async (tx) => {
    const { invitation } = await lockOwnInvitation(tx, storeId, id, reader)
    if (!(await settle(tx, id, 'declined'))) throw closedInvitationError(invitation)
    await recordAudit(tx, { storeId }, { what: 'invitation.declined', thing: id, after: invitation })
    return { ...invitation, status: 'declined' }
  })
}

/**
 * Locks the members of the store and finds the invitation for a reader who may answer it. Throws `not_found`, or `forbidden` for an
 * unconfirmed address.
 */
async function lockOwnInvitation(tx: Tx, storeId: string, id: string, reader: Reader) {
  await holdPeople(tx, storeId)
  const [store, invitation] = [await findStore(tx, storeId), await findOwn(tx, storeId, id, reader)]
  if (!store || !invitation) throw (await isForUnconfirmed(tx, id, reader)) ? unconfirmedAddressError() : notFound('The invitation')
  return { store, invitation }
}

const unconfirmedAddressError = () =>
  new ApiError('forbidden', 'Confirm your e-mail address first: open the link that was mailed to it, then accept the invitation again.')

const closedInvitationError = ({ status }: Pick<Invitation, 'status'>) =>
  new ApiError('conflict', status === 'open' ? 'The invitation has just been answered. Read it again.' : `The invitation is ${status}.`)
