import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import { ApiError, invalid, notFound } from '../../http/errors/errors.ts'
import { forgetCredentials } from '../../identity/auth/credentials/authenticate.ts'
import { createProject, endKeys } from '../../identity/tenants/projects.ts'
import { newId } from '../../lib/ids.ts'
import { recordAudit } from '../../platform/audit/record-audit.ts'
import { readByState } from '../../platform/geo/catalogue/state-codes.ts'
import { isCountry } from '../../platform/geo/geo.queries.ts'
import { isCurrency } from '../../platform/options/currencies.queries.ts'
import { assertDeliveryPrices } from './delivery-prices/assert-delivery-prices.ts'
import { OWNER } from './members/members.model.ts'
import { upsertMember } from './members/members.queries.ts'
import type { NewStore, Store, StoreChange, StoreReplacement, StoreSettings, StoreSettingsChange } from './stores.model.ts'
import { hasOrders, holdTerms, insertStore, knowsZone, lockStore, markDeleted, slugTaken, updateStore } from './stores.queries.ts'

declare module '../../data/subscribers.ts' {
  interface DomainEvents {
    /** It is about to be deleted. Who still needs it throws. */
    'store.leaving': { store: Store }
  }
}

/** Makes the store, the project behind it, and its owner a member. */
export async function createStore(tx: Tx, ownerId: string, input: NewStore): Promise<Store> {
  await assertKnown(tx, input)
  const project = await createProject(tx, ownerId, { name: input.name })
  const id = newId('sto')
  const slug = input.slug ?? `${slugOf(input.name)}-${id.slice(-6)}`
  assertDeliveryPrices(input.settings?.deliveryPrices, DELIVERY_PRICES, input.currencyCode)
  const settings = await withStateCodes(tx, input.countryCode, input.settings)
  const store = await insertStore(tx, { ...input, ...(settings && { settings }), id, slug, ownerId, projectId: project.id })
  if (!store) throw slugIsTaken(slug)
  await upsertMember(tx, id, ownerId, OWNER)
  return store
}

async function assertKnown(tx: Tx, { countryCode, currencyCode }: Pick<NewStore, 'countryCode' | 'currencyCode'>): Promise<void> {
  if (!(await isCountry(tx, countryCode)))
    throw invalid('/body/countryCode', `The country "${countryCode}" is not known: GET /v1/countries.`)
  if (!(await isCurrency(tx, currencyCode)))
    throw invalid('/body/currencyCode', `The currency "${currencyCode}" is not known: GET /v1/currencies.`)
}

/** Throws `conflict` for another country or currency of a store whose orders were priced and addressed in the present ones. */
export async function replaceStore(tx: Tx, id: string, change: StoreReplacement): Promise<Store> {
  const store = await holdStore(tx, id)
  const { countryCode = store.countryCode, currencyCode = store.currencyCode } = change
  const moves = countryCode !== store.countryCode || currencyCode !== store.currencyCode
  if (moves) await assertKnown(tx, { countryCode, currencyCode })
  if (moves && (await hasOrders(tx, id)))
    throw new ApiError('conflict', 'The store has orders: its country and its currency can no longer change. Open another store.')
  return write(tx, store, change)
}

/** Who sells by what a store was when it was read: throws `conflict` where it was deleted, or sells elsewhere or in other money by now. */
export async function assertTerms(tx: Tx, store: Pick<Store, 'id' | 'countryCode' | 'currencyCode'>): Promise<void> {
  if (await holdTerms(tx, store)) return
  throw new ApiError('conflict', 'The store was deleted, or has another currency, since just now. Ask for its prices anew.')
}

/** The store as it is, and nobody else changes it until the transaction ends. */
export async function holdStore(tx: Tx, id: string): Promise<Store> {
  const store = await lockStore(tx, id)
  if (!store) throw notFound('The store')
  return store
}

/** What is not named stays, each of the settings too. */
export async function changeStore(tx: Tx, id: string, { settings, ...change }: StoreChange): Promise<Store> {
  const before = await holdStore(tx, id)
  return write(tx, before, { ...change, ...(settings && { settings: settingsAfter(before.settings, settings) }) })
}

const settingsAfter = (before: StoreSettings, change: StoreSettingsChange): StoreSettings =>
  Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== null))

async function write(tx: Tx, before: Store, values: Partial<StoreReplacement>): Promise<Store> {
  const { id } = before
  if (values.slug !== undefined && (await slugTaken(tx, values.slug, id))) throw slugIsTaken(values.slug)
  await assertZone(tx, before, values)
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

const DELIVERY_PRICES = '/body/settings/deliveryPrices'
const BY_STATE = `${DELIVERY_PRICES}/byState`

async function assertZone(tx: Tx, { settings: before }: Store, { settings }: Partial<StoreReplacement>): Promise<void> {
  const zone = settings?.timeZone
  if (zone === undefined || zone === before.timeZone || (await knowsZone(tx, zone))) return
  throw invalid('/body/settings/timeZone', `The database knows no time zone "${zone}".`)
}

/** Settings with delivery prices under the codes of the catalogue. */
async function withStateCodes<S extends StoreSettings>(
  tx: Tx,
  country: string,
  settings: S | undefined,
  before?: Store,
): Promise<S | undefined> {
  const { deliveryPrices } = settings ?? {}
  const byState = await readByState(tx, country, deliveryPrices?.byState, before?.settings.deliveryPrices?.byState, BY_STATE)
  return settings && byState ? { ...settings, deliveryPrices: { ...deliveryPrices, byState } } : settings
}

/** All of them, also where none is said: one that comes or goes is a change. */
const pricesOf = ({ settings: { deliveryPrices } }: Store) => ({ home: null, pickup: null, byState: {}, ...deliveryPrices })

/**
 * The store is gone, its slug free, the API keys of its project ended. Refused while parcels are on their way: their callbacks would find
 * nobody, and their goods and cash no shelf.
 */
export async function deleteStore({ sql, shared }: Keeper, { id }: Pick<Store, 'id'>): Promise<void> {
  const ended = await transaction(sql, async (tx) => {
    const store = await holdStore(tx, id)
    await publish(tx, 'store.leaving', { store })
    await markDeleted(tx, id)
    return endKeys(tx, store.projectId)
  })
  await forgetCredentials(shared, ended)
}

type Keeper = Pick<Context, 'sql' | 'shared'>

const slugIsTaken = (slug: string) => new ApiError('slug_taken', `Another store has the slug "${slug}". Choose another one.`)

const slugOf = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40) || 'store'
