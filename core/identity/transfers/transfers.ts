import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import { setTenant } from '../../data/tenant-context.ts'
import { serverAddress } from '../../http/address/server-address.ts'
import { newToken, sha256 } from '../../lib/crypto/crypto.ts'
import { sharedErrors } from '../../lib/errors/shared-errors.ts'
import { newId } from '../../lib/ids.ts'
import { lockUserByConfirmedEmail } from '../auth/account.ts'
import { lockUnchangedUser } from '../auth/lock-unchanged-user.ts'
import { assertSecondFactor } from '../auth/second-factor/second-factor.ts'
import { assertOwnPassword } from '../auth/sign-in/sign-in.ts'
import { ownedTenantNames } from '../tenants/owners.ts'
import { transferErrors } from './transfers.errors.ts'
import type { NewTransfer, Transfer } from './transfers.model.ts'
import { closeTransfer, findPendingTransfer, insertTransfer, type PendingTransfer } from './transfers.queries.ts'

const LIFE_MS = 7 * 86_400_000

/**
 * Offers everything that a user owns to the owner of an e-mail address, by mail. Requires password and second factor, because it cannot be
 * undone. Throws `conflict`, `rate_limited` and their errors.
 */
export async function offerTransfer(context: Context, userId: string, input: NewTransfer, address: string): Promise<Transfer> {
  const { email, currentPassword, secondFactor, language } = input
  const user = await assertOwnPassword(context, userId, currentPassword, address)
  await assertSecondFactor(context, userId, secondFactor, address)
  if (email.toLowerCase() === user.email.toLowerCase()) throw transferErrors.ownAddress({ field: ['email'] })
  return transaction(context.sql, async (tx) => {
    await lockUnchangedUser(tx, user)
    const owned = await ownedTenantNames(tx, userId)
    if (owned.length === 0) throw transferErrors.nothingOwned()
    const [token, expiresAt] = [newToken('tr'), new Date(Date.now() + LIFE_MS)]
    const made = await insertTransfer(tx, { id: newId('trf'), fromId: userId, email, tokenHash: sha256(token), expiresAt })
    const link = `${serverAddress(context)}/v1/users/auth/transfer?token=${token}${language ? `&ui_locales=${language}` : ''}`
    const values = { from: `${user.name} (${user.email})`, what: owned.join(', '), link }
    const written = await context.mail.send(tx, { to: email, template: 'account_transfer', language, values, goodUntil: expiresAt })
    if ('withheld' in written) throw refusal(written.withheld)
    return made
  })
}

const refusal = (why: 'address' | 'flood' | 'before') =>
  why === 'address' ? sharedErrors.addressUnreachable({ field: ['email'] }) : transferErrors.tooManyMails({ retryAfterSeconds: 3600 })

/** Finds the open transfer of a link, with the names of the tenants. Throws `invalid_code` when it was used or has expired. */
export async function requireTransfer({ sql }: Pick<Context, 'sql'>, token: string): Promise<PendingTransfer & { readonly what: string }> {
  const found = await findPendingTransfer(sql, sha256(token))
  if (!found) throw transferErrors.linkInvalid()
  return { ...found, what: (await ownedTenantNames(sql, found.fromId)).join(', ') }
}

/**
 * Accepts or declines a transfer. Accepting requires an account with the confirmed address (`not_found`). Throws `invalid_code` when the
 * link was used or has expired.
 */
export const decideTransfer = (context: Context, token: string, { isAccepted }: { readonly isAccepted: boolean }): Promise<void> =>
  transaction(context.sql, async (tx) => {
    const found = await findPendingTransfer(tx, sha256(token))
    if (!found) throw transferErrors.linkInvalid()
    if (isAccepted) await acceptTransfer(tx, found)
    if (!(await closeTransfer(tx, found.id, isAccepted ? 'accepted' : 'declined'))) throw transferErrors.linkInvalid()
  })

async function acceptTransfer(tx: Tx, { fromId, email }: PendingTransfer) {
  const receiver = await lockUserByConfirmedEmail(tx, email)
  if (!receiver) throw transferErrors.receiverUnknown()
  // The link proves access to the mailbox, so the receiver is the actor.
  setTenant(receiver.id, { kind: 'person', id: receiver.id, appId: null, adminId: null })
  await publish(tx, 'user.assets_transferred', { fromId, toId: receiver.id })
}
