import type { Context } from '../../../context.ts'
import type { Tx } from '../../../data/sql.ts'
import { networkOf } from '../../../lib/net/addresses.ts'
import { findUser, listKnownDevices, type UserRow } from '../auth.queries.ts'
import type { ClientOrigin } from './create-session.ts'
import { deviceOf } from './device.ts'

type Mailer = Pick<Context, 'mail'>

const now = () => `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`

/**
 * Mails the user about a sign-in from a device or network that none of their sessions used. The first sign-in of an account sends no mail.
 */
export async function notifyNewDevice(
  tx: Tx,
  { mail }: Mailer,
  { id, email }: UserRow,
  { address, userAgent }: ClientOrigin,
): Promise<void> {
  const [known, device, network] = [await listKnownDevices(tx, id), deviceOf(userAgent), networkOf(address)]
  const isKnown = known.some((one) => one.network === network && deviceOf(one.userAgent) === device)
  if (known.length === 0 || isKnown) return
  await mail.send(tx, { to: email, template: 'new_sign_in', values: { device, address, at: now() } })
}

/** Mails the previous e-mail address of an account that it was replaced by `next`, so that its owner can object. */
export async function notifyAddressChanged(
  tx: Tx,
  { mail }: Mailer,
  { email, language }: Pick<UserRow, 'email' | 'language'>,
  next: string,
): Promise<void> {
  const values = { email: next, at: now() }
  await mail.send(tx, { to: email, template: 'address_changed', language: language ?? undefined, values })
}

/** Mails the user that their password was changed. */
export async function notifyPasswordChanged(
  tx: Tx,
  { mail }: Mailer,
  { email, language }: Pick<UserRow, 'email' | 'language'>,
): Promise<void> {
  await mail.send(tx, { to: email, template: 'password_changed', language: language ?? undefined, values: { at: now() } })
}

/** Mails the user that a sign-in method was added. `way` names the method: `Google`, `Passkey, Firefox on Linux`. */
export async function notifySignInMethodAdded(tx: Tx, { mail }: Mailer, userId: string, way: string): Promise<void> {
  const user = await findUser(tx, userId)
  if (!user) return
  const { email, language } = user
  await mail.send(tx, { to: email, template: 'way_in_added', language: language ?? undefined, values: { way, at: now() } })
}
