import { forget, isRow, note, noteOn, number, sha256, text, together, toHex, unreadable } from 'serai/carrier'
import { call, label } from './api.ts'
import type { Context } from './fields.ts'

const CUSTOMER = 'customer'
const keptMs = 86_400_000

export interface Person {
  readonly name: string
  readonly phone: { readonly number1: string; readonly number2?: string }
}

/** Returns the carrier's customer id, which a parcel requires. Ids are cached for a day, so that a retry creates no second customer. */
export async function customerIdOf(context: Context, person: Person): Promise<string> {
  if (!context.settings.createCustomer) return crypto.randomUUID()
  const digest = await digestOf(person)
  return together(context, `${CUSTOMER} ${digest}`, async () => {
    const noted = await noteOn(context, CUSTOMER, digest)
    const known = (number(noted?.at) ?? 0) > context.now() - keptMs ? text(noted?.id) : undefined
    return known ?? create(context, person, digest)
  })
}

async function create(context: Context, person: Person, digest: string): Promise<string> {
  // A customer is no parcel, so a failure here means that no parcel exists.
  const answer = await call(context, 'POST', 'customers/individual', { json: person, readsOnly: true })
  const id = isRow(answer) ? text(answer.id) : undefined
  if (id === undefined) throw unreadable(label, 'no id of the new customer')
  await note(context, CUSTOMER, digest, { id, at: context.now() })
  return id
}

export const forgetCustomer = async (context: Context, person: Person) => forget(context, CUSTOMER, await digestOf(person))

/** Digest of a person, so that names and numbers are not stored again. */
const digestOf = async ({ name, phone }: Person) => toHex(await sha256([name, phone.number1, phone.number2 ?? ''].join('\n')))
