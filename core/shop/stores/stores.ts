import type { Context } from '../../context.ts'
import { storeIdOf } from '../../data/project-ids.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import { evictCredentials } from '../../identity/auth/credentials/authenticate.ts'
import { createProject, endKeys } from '../../identity/tenants/projects.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { recordAudit } from '../../platform/audit/record-audit.ts'
import { parseByState } from '../../platform/geo/catalogue/state-codes.ts'
import { isCountry } from '../../platform/geo/geo.queries.ts'
import { lockCurrencyForUse } from '../../platform/options/currencies.queries.ts'
import { assertDeliveryPrices } from './delivery-prices/assert-delivery-prices.ts'
import { OWNER_MEMBERSHIP } from './members/members.model.ts'
import { upsertMember } from './members/members.queries.ts'
import { storeErrors } from './stores.errors.ts'
import type { NewStore, Store, StoreChange, StoreReplacement, StoreSettings, StoreSettingsChange } from './stores.model.ts'
import {
  hasOrders,
  insertStore,
  isKnownTimeZone,
  isStoreSlugTaken,
  lockStore,
  lockStoreDetails,
  lockStoreTerms,
  markStoreDeleted,
  updateStore,
} from './stores.queries.ts'

declare module '../../data/subscribers.ts' {
  interface DomainEvents {
    /** Published before a store is deleted. A subscriber throws to refuse the deletion. */
    'store.deleted': { store: Store }
  }
}

/** Creates a store, its project, and the owner's membership. Throws `invalid_request`, `slug_taken`. */
export async function createStore(context: Pick<Context, 'config'>, tx: Tx, ownerId: string, input: NewStore): Promise<Store> {
  await assertKnownCodes(tx, input)
  const project = await createProject(context, tx, ownerId, { name: input.name })
  const id = storeIdOf(project.id)
  const slug = input.slug ?? `${slugOf(input.name)}-${id.slice(-6)}`
  assertDeliveryPrices(input.settings?.deliveryPrices, DELIVERY_PRICES, input.currencyCode)
  const settings = await withStateCodes(tx, input.countryCode, input.settings)
  const store = await insertStore(tx, { ...input, ...(settings && { settings }), id, slug, ownerId, projectId: project.id })
  if (!store) throw slugTakenError(slug)
  await upsertMember(tx, id, ownerId, OWNER_MEMBERSHIP)
  return store
}

async function assertKnownCodes(tx: Tx, { countryCode, currencyCode }: Pick<NewStore, 'countryCode' | 'currencyCode'>): Promise<void> {
  if (!(await isCountry(tx, countryCode))) throw storeErrors.countryUnknown({ countryCode }, { field: ['countryCode'] })
  if (!(await lockCurrencyForUse(tx, currencyCode))) throw storeErrors.currencyUnknown({ currencyCode }, { field: ['currencyCode'] })
}

/**
 * Replaces the details of a store. Throws `conflict` for another country or currency once the store has orders, since their prices and
 * addresses depend on them. Throws `not_found`, `slug_taken`, `invalid_request`.
 */
export async function replaceStore(tx: Tx, id: string, change: StoreReplacement): Promise<Store> {
  const store = await lockExistingDetails(tx, id)
  const { countryCode = store.countryCode, currencyCode = store.currencyCode } = change
  const moves = countryCode !== store.countryCode || currencyCode !== store.currencyCode
  if (moves) await assertMovable(tx, id, { countryCode, currencyCode })
  return writeStore(tx, store, change)
}

/** Throws where a store may not move to a country or currency. Waits for orders that are being created. */
async function assertMovable(tx: Tx, id: string, to: Pick<NewStore, 'countryCode' | 'currencyCode'>): Promise<void> {
  await assertKnownCodes(tx, to)
  await lockExistingStore(tx, id)
  if (await hasOrders(tx, id)) throw storeErrors.countryFixed()
}

/**
 * Throws `conflict` where the store was deleted or changed its country or currency since it was read. Both stay locked until the
 * transaction ends. Call it before writing prices computed from that reading.
 */
export async function assertTermsUnchanged(tx: Tx, store: Pick<Store, 'id' | 'countryCode' | 'currencyCode'>): Promise<void> {
  if (await lockStoreTerms(tx, store)) return
  throw storeErrors.pricesChanged()
}

/** Locks a store until the transaction ends and returns it. Throws `not_found`. */
export async function lockExistingStore(tx: Tx, id: string): Promise<Store> {
  const store = await lockStore(tx, id)
  if (!store) throw notFound('The store')
  return store
}

/** Locks the details and settings of a store until the transaction ends, and returns it. Throws `not_found`. */
export async function lockExistingDetails(tx: Tx, id: string): Promise<Store> {
  const store = await lockStoreDetails(tx, id)
  if (!store) throw notFound('The store')
  return store
}

/** Changes the fields and settings that are given; the others stay. Throws `not_found`, `slug_taken`, `invalid_request`. */
export async function changeStore(tx: Tx, id: string, { settings, ...change }: StoreChange): Promise<Store> {
  const before = await lockExistingDetails(tx, id)
  return writeStore(tx, before, { ...change, ...(settings && { settings: applySettingsChange(before.settings, settings) }) })
}

const applySettingsChange = (before: StoreSettings, change: StoreSettingsChange): StoreSettings =>
  Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== null))

async function writeStore(tx: Tx, before: Store, values: Partial<StoreReplacement>): Promise<Store> {
  const { id } = before
  if (values.slug !== undefined && (await isStoreSlugTaken(tx, values.slug, id))) throw slugTakenError(values.slug)
  await assertKnownZone(tx, before, values)
  const { deliveryPrices } = values.settings ?? {}
  if (deliveryPrices !== before.settings.deliveryPrices)
    assertDeliveryPrices(deliveryPrices, DELIVERY_PRICES, values.currencyCode ?? before.currencyCode)
  const country = values.countryCode ?? before.countryCode
  const settings = await withStateCodes(tx, country, values.settings, before)
  const store = await updateStore(tx, id, { ...values, ...(settings && { settings }) })
  if (!store) throw notFound('The store')
  await recordAudit(
    tx,
    { storeId: id },
    { what: 'store.delivery_prices_changed', thing: id, before: pricesOf(before), after: pricesOf(store) },
  )
  await recordAudit(tx, { storeId: id }, { what: 'store.settings_changed', thing: id, before: before.settings, after: store.settings })
  return store
}

const DELIVERY_PRICES = ['settings', 'deliveryPrices']
const BY_STATE = [...DELIVERY_PRICES, 'byState']

async function assertKnownZone(tx: Tx, { settings: before }: Store, { settings }: Partial<StoreReplacement>): Promise<void> {
  const zone = settings?.timeZone
  if (zone === undefined || zone === before.timeZone || (await isKnownTimeZone(tx, zone))) return
  throw storeErrors.timeZoneUnknown({ zone }, { field: ['settings', 'timeZone'] })
}

/** Returns the settings with the catalogue's state codes as keys of the delivery prices. Throws `invalid_request` for an unknown state. */
async function withStateCodes<S extends StoreSettings>(
  tx: Tx,
  country: string,
  settings: S | undefined,
  before?: Store,
): Promise<S | undefined> {
  const { deliveryPrices } = settings ?? {}
  const byState = await parseByState(tx, country, deliveryPrices?.byState, before?.settings.deliveryPrices?.byState, BY_STATE)
  return settings && byState ? { ...settings, deliveryPrices: { ...deliveryPrices, byState } } : settings
}

/** Returns the delivery prices for the audit log, with null for missing ones, so that additions and removals show as changes. */
const pricesOf = ({ settings: { deliveryPrices } }: Store) => ({ home: null, pickup: null, byState: {}, ...deliveryPrices })

/**
 * Deletes a store: frees its slug and revokes the API keys of its project. Subscribers refuse it while parcels are in transit, because
 * their callbacks and cash would have no owner.
 */
export async function deleteStore({ sql, shared }: Dependencies, { id }: Pick<Store, 'id'>): Promise<void> {
  const ended = await transaction(sql, async (tx) => {
    const store = await lockExistingStore(tx, id)
    await publish(tx, 'store.deleted', { store })
    await markStoreDeleted(tx, id)
    return endKeys(tx, store.projectId)
  })
  await evictCredentials(shared, ended)
}

type Dependencies = Pick<Context, 'sql' | 'shared'>

const slugTakenError = (slug: string) => storeErrors.slugTaken({ slug })

const slugOf = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40) || 'store'
