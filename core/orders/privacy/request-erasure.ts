import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import type { Tx } from '../../data/sql.ts'
import { newId } from '../../lib/ids.ts'
import { ERASED } from '../../lib/person/person-matcher.ts'
import type { PersonTerms } from '../../lib/person/person-terms.ts'
import { recordAudit } from '../../platform/audit/record-audit.ts'
import { emitWebhook } from '../../platform/webhooks/emit.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { eraseLockedCustomers, lockCustomersOfPeople } from '../customers/customers.ts'
import {
  type ErasureRow,
  findErasure,
  type GatheredData,
  gatherPersonalData,
  insertErasure,
  listPhonesOfOrders,
} from './erasures.queries.ts'
import { privacyErrors } from './privacy.errors.ts'
import type { ErasureCause } from './privacy.model.ts'
import { gatherUnordered, type Unordered, type UnorderedPeople } from './unordered.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'privacy.erase': { readonly storeId: string; readonly erasureId: string }
    'privacy.resume': Record<string, unknown>
    'privacy.eraseOutdated': Record<string, unknown>
  }
}

/** Maximum number of ids of each kind in the event `customer.erased`. */
const EVENT_IDS_MAX = 1_000
/** Maximum number of phone numbers per e-mail address. With more, the address is a placeholder that a shop writes on many orders. */
const PHONES_OF_EMAIL_MAX = 20

/** People to erase: by customer, by contact data, by their orders, or by rows that belong to no order. */
export interface ErasureTarget extends Unordered {
  readonly customerIds?: readonly string[]
  readonly phones?: readonly string[]
  readonly emails?: readonly string[]
  readonly orderIds?: readonly string[]
}

/** Subject of an erasure, stored encrypted until the erasure is complete. */
export interface ErasureSubject {
  readonly orderIds: readonly string[]
  readonly parcelIds: readonly string[]
  readonly terms: PersonTerms
}

type Needs = Pick<Context, 'vault'>
type Owner = Pick<Store, 'id' | 'projectId' | 'countryCode'>

/**
 * Starts to erase people of a store. Erases their customers in this transaction, which frees their phone numbers for later orders; a job
 * erases the rest. Waits for concurrent creations of their orders, and erases those too. Throws `conflict` for an e-mail address that many
 * people share.
 */
export async function requestErasure(needs: Needs, tx: Tx, store: Owner, cause: ErasureCause, wanted: ErasureTarget): Promise<ErasureRow> {
  const emails = (wanted.emails ?? []).map((email) => email.toLowerCase())
  const ofOrders = await listPhonesOfOrders(tx, store.id, wanted.orderIds ?? [], emails)
  if (emails.length > 0 && ofOrders.length > PHONES_OF_EMAIL_MAX) throw sharedEmailError(ofOrders.length)
  const unordered = await gatherUnordered(tx, store, wanted)
  const named = [...(wanted.phones ?? []), ...ofOrders, ...unordered.phones]
  const customers = await lockCustomersOfPeople(tx, store.id, { customerIds: wanted.customerIds ?? [], phones: named, emails })
  const phones = [...new Set([...customers.map(({ phone }) => phone), ...named])].filter((phone) => phone !== ERASED)
  const gathered = await gatherPersonalData(
    tx,
    { storeId: store.id, projectId: store.projectId },
    { phones, emails, orderIds: wanted.orderIds ?? [] },
  )
  const people = {
    orderIds: gathered.orderIds,
    parcelIds: gathered.parcelIds,
    terms: personTermsOf(gathered, { phones, customers, unordered }),
  }
  const customerIds = customers.map(({ id }) => id)
  await eraseLockedCustomers(tx, store.id, customerIds)
  const id = newId('era')
  const counts = {
    customers: customers.filter(({ mergedInto }) => mergedInto === null).length,
    orders: gathered.orderIds.length,
    parcels: gathered.parcelIds.length,
  }
  await insertErasure(tx, {
    storeId: store.id,
    id,
    cause,
    ...counts,
    people: needs.vault.seal(JSON.stringify(people), id),
    askedBy: null,
    carriersTold: gathered.carriers,
  })
  await recordAudit(tx, { storeId: store.id }, { what: 'customer.erased', thing: id, after: { ...counts, cause } })
  const event = {
    erasureId: id,
    cause,
    customerIds: customerIds.slice(0, EVENT_IDS_MAX),
    orderIds: gathered.orderIds.slice(0, EVENT_IDS_MAX),
  }
  await emitWebhook(tx, [{ projectId: store.projectId, type: 'customer.erased', data: event, orderKey: id }])
  await enqueueErasure(tx, store.id, id)
  const made = await findErasure(tx, store.id, id)
  if (!made) throw new Error('The erasure that was just written is not there.')
  return made
}

const sharedEmailError = (numbers: number) => privacyErrors.emailOfSeveral({ numbers })

/** Enqueues the job of an erasure. At most one job per erasure is queued. */
export const enqueueErasure = (tx: Parameters<typeof enqueue>[0], storeId: string, erasureId: string, runAt?: Date) =>
  enqueue(tx, 'privacy.erase', { storeId, erasureId }, { key: `erase ${erasureId}`, owner: storeId, ...(runAt && { runAt }) })

interface KnownContacts {
  readonly unordered: UnorderedPeople
  readonly phones: readonly string[]
  readonly customers: readonly {
    readonly id: string
    readonly name: string
    readonly email: string | null
    readonly phoneAlt: string | null
  }[]
}

function personTermsOf(gathered: GatheredData, { phones, customers, unordered }: KnownContacts): PersonTerms {
  const clean = (all: readonly (string | null)[]) => [
    ...new Set(all.filter((text): text is string => text !== null && text !== '' && text !== ERASED)),
  ]
  const shared = new Set([...gathered.otherEmails, ...unordered.otherEmails])
  return {
    names: clean([...gathered.names, ...unordered.names, ...customers.map(({ name }) => name)]),
    phones: clean(phones),
    otherPhones: clean([...gathered.otherPhones, ...customers.map(({ phoneAlt }) => phoneAlt)]).filter((phone) => !phones.includes(phone)),
    emails: clean([...gathered.emails, ...unordered.emails, ...customers.map(({ email }) => email?.toLowerCase() ?? null)]).filter(
      (email) => !shared.has(email),
    ),
    otherEmails: clean([...shared]),
    addresses: clean([...gathered.addresses, ...unordered.addresses]),
    notes: clean(gathered.notes),
    ids: clean([...gathered.orderIds, ...gathered.parcelIds, ...gathered.references, ...unordered.ids, ...customers.map(({ id }) => id)]),
  }
}
