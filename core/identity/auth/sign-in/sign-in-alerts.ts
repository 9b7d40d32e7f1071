import type { Context } from '../../../context.ts'
import type { Tx } from '../../../data/sql.ts'
import { networkOf } from '../../../lib/net/addresses.ts'
import { findUser, listKnownDevices, type UserRow } from '../auth.queries.ts'
import { deviceOf } from './device.ts'
import type { Origin } from './open-session.ts'

type Writer = Pick<Context, 'mail'>

const now = () => `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** Tells a person who has signed in from where he was not seen before. */
export async function tellOfNewDevice(tx: Tx, { mail }: Writer, { id, email }: UserRow, { address, userAgent }: Origin): Promise<void> {
  const [known, device, network] = [await listKnownDevices(tx, id), deviceOf(userAgent), networkOf(address)]
  const isKnown = known.some((one) => one.network === network && deviceOf(one.userAgent) === device)
  if (known.length === 0 || isKnown) return
  await mail.send(tx, { to: email, template: 'new_sign_in', values: { device, address, at: now() } })
}

/** Tells who reads the address that an account had until now which one it has: he alone can say that it was not him. */
export async function tellOfAddress(
  tx: Tx,
  { mail }: Writer,
  { email, language }: Pick<UserRow, 'email' | 'language'>,
  next: string,
): Promise<void> {
  const values = { email: next, at: now() }
  await mail.send(tx, { to: email, template: 'address_changed', language: language ?? undefined, values })
}

export async function tellOfPassword(tx: Tx, { mail }: Writer, { email, language }: Pick<UserRow, 'email' | 'language'>): Promise<void> {
  await mail.send(tx, { to: email, template: 'password_changed', language: language ?? undefined, values: { at: now() } })
}

/** `way`: what opens the account from now on, in words that name it: `Google`, `Passkey: Firefox on Linux`. */
export async function tellOfWayIn(tx: Tx, { mail }: Writer, userId: string, way: string): Promise<void> {
  const user = await findUser(tx, userId)
  if (!user) return
  const { email, language } = user
  await mail.send(tx, { to: email, template: 'way_in_added', language: language ?? undefined, values: { way, at: now() } })
}
