import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import { setTenant } from '../../data/tenant-context.ts'
import { ownAddress } from '../../http/address/own-address.ts'
import { ApiError, invalid } from '../../http/errors/errors.ts'
import { newToken, sha256 } from '../../lib/crypto/crypto.ts'
import { newId } from '../../lib/ids.ts'
import { holdConfirmed } from '../auth/account.ts'
import { holdProven } from '../auth/hold-proven.ts'
import { assertSecondFactor } from '../auth/second-factor/second-factor.ts'
import { assertOwnPassword } from '../auth/sign-in/sign-in.ts'
import { namesOwnedBy } from '../tenants/owners.ts'
import type { NewTransfer, Transfer } from './transfers.model.ts'
import { findTransfer, insertTransfer, type OpenTransfer, settleTransfer } from './transfers.queries.ts'

const LIFE_MS = 7 * 86_400_000

/** All that a person owns is offered to another, who is asked by mail. Needs the password, since nothing of it can be taken back. */
export async function offerAccount(context: Context, userId: string, input: NewTransfer, address: string): Promise<Transfer> {
  const { email, currentPassword, secondFactor, language } = input
  const user = await assertOwnPassword(context, userId, currentPassword, address)
  await assertSecondFactor(context, userId, secondFactor, address)
  if (email.toLowerCase() === user.email.toLowerCase()) throw invalid('/body/email', 'This is your own address.')
  return transaction(context.sql, async (tx) => {
    await holdProven(tx, user)
    const owned = await namesOwnedBy(tx, userId)
    if (owned.length === 0) throw new ApiError('conflict', 'You own nothing that could be handed over.')
    const [token, expiresAt] = [newToken('tr'), new Date(Date.now() + LIFE_MS)]
    const made = await insertTransfer(tx, { id: newId('trf'), fromId: userId, email, tokenHash: sha256(token), expiresAt })
    const link = `${ownAddress(context)}/v1/users/auth/transfer?token=${token}${language ? `&ui_locales=${language}` : ''}`
    const values = { from: `${user.name} (${user.email})`, what: owned.join(', '), link }
    const written = await context.mail.send(tx, { to: email, template: 'account_transfer', language, values, goodUntil: expiresAt })
    if ('withheld' in written) throw refusal(written.withheld)
    return made
  })
}

const refusal = (why: 'address' | 'flood' | 'before') =>
  why === 'address'
    ? invalid('/body/email', 'No mail can be sent to this address.')
    : new ApiError('rate_limited', 'This address was asked often within the hour. Wait an hour.', { headers: { 'retry-after': '3600' } })

/** What a link offers. Throws `invalid_code` where it is settled or over. */
export async function openTransfer({ sql }: Pick<Context, 'sql'>, token: string): Promise<OpenTransfer & { readonly what: string }> {
  const found = await findTransfer(sql, sha256(token))
  if (!found) throw new ApiError('invalid_code', 'This link is used or over.')
  return { ...found, what: (await namesOwnedBy(sql, found.fromId)).join(', ') }
}

/** Who reads the mail decides. Accepting needs an account with that address, confirmed: `not_found` where there is none yet. */
export const decideTransfer = (context: Context, token: string, isAccepted: boolean): Promise<void> =>
  transaction(context.sql, async (tx) => {
    const found = await findTransfer(tx, sha256(token))
    if (!found) throw new ApiError('invalid_code', 'This link is used or over.')
    if (isAccepted) await handOver(tx, found)
    if (!(await settleTransfer(tx, found.id, isAccepted ? 'accepted' : 'declined')))
      throw new ApiError('invalid_code', 'This link is used or over.')
  })

async function handOver(tx: Tx, { fromId, email }: OpenTransfer) {
  const receiver = await holdConfirmed(tx, email)
  if (!receiver) throw new ApiError('not_found', 'No account has this address confirmed. Sign up with it and confirm it, then accept.')
  // Nobody else can read the mail that holds the link.
  setTenant(receiver.id, { kind: 'person', id: receiver.id, appId: null, adminId: null })
  await publish(tx, 'person.handsOver', { fromId, toId: receiver.id })
}
