import type { Shipment } from '../../plugins/carrier/model.ts'
import type { Context } from '../context.ts'
import { enqueue } from '../data/jobs.ts'
import type { Queryable } from '../data/sql.ts'
import { CarrierFailure, isHeldBack } from '../gateway/failure.ts'
import type { PlaceMatch } from '../geo/match-places.model.ts'
import { matchPlaces, stateCodeOf } from '../geo/match-places.ts'
import { type Account, accountIfOn, callCarrier } from './call-carrier.ts'
import { type CarrierPlaces, findPlaces, listStalePlaces, putPlaces } from './places.queries.ts'

declare module '../data/jobs.ts' {
  interface Jobs {
    'integrations.places': { accountId: string; runs?: number }
    'integrations.stalePlaces': Record<string, unknown>
  }
}

const STALE_DAYS = 7
const ACCOUNTS_AT_ONCE = 500
const DEADLINE_MS = 60_000
/** Of the rate windows; the rest is left to sending. */
const SHARE = 0.4
/** What an adapter read before its quota ran out it remembers, and goes on from there. */
const RUNS_MAX = 20

const listsPlaces = ({ mounted: { carrier } }: Account) => carrier.states !== undefined && carrier.cities !== undefined

/** Reads the carrier's places, in the background, and finds ours among them. A quota that runs out is waited for. */
export const requestPlaces = (sql: Queryable, accountId: string, runs = 0, runAt?: Date) =>
  enqueue(sql, 'integrations.places', { accountId, runs }, { key: `places:${accountId}`, maxAttempts: 5, ...(runAt && { runAt }) })

export async function requestStalePlaces({ sql }: Context) {
  for (const accountId of await listStalePlaces(sql, STALE_DAYS, ACCOUNTS_AT_ONCE)) await requestPlaces(sql, accountId)
}

export async function syncPlaces(context: Context, accountId: string, runs: number, signal: AbortSignal) {
  const account = await accountIfOn(context, accountId)
  if (!account || !listsPlaces(account)) return
  await readPlaces(context, account, { signal, share: SHARE }).catch(async (error: unknown) => {
    if (!(error instanceof CarrierFailure) || !isHeldBack(error) || runs >= RUNS_MAX) throw error
    await requestPlaces(context.sql, accountId, runs + 1, new Date(Date.now() + (error.upstream.retryAfterSeconds ?? 60) * 1000))
  })
}

async function readPlaces(context: Context, account: Account, limits: { signal?: AbortSignal; share?: number } = {}) {
  const found = await callCarrier(
    context,
    account,
    async (carrier, adapter) => ({ states: await carrier.states!(adapter), cities: await carrier.cities!(adapter, {}) }),
    { operation: 'places', deadlineMs: DEADLINE_MS, ...limits },
  )
  // A carrier without any place has a bad day: what was read before stays.
  if (found.cities.length === 0) return
  const codes = new Map(found.states.map((state) => [state.id, stateCodeOf(state)]))
  const places = found.cities.map(({ id, name, stateId }) => ({ id, name, stateCode: codes.get(stateId) }))
  await putPlaces(context.sql, account.row.id, await matchPlaces(places))
  known.delete(account.row.id)
}

/** The carrier's places beside ours, read now where they were never read. */
export async function placesOfCarrier(context: Context, account: Account): Promise<CarrierPlaces | undefined> {
  if (!listsPlaces(account)) return undefined
  const kept = await findPlaces(context.sql, account.row.id)
  if (kept) return kept
  await readPlaces(context, account)
  return findPlaces(context.sql, account.row.id)
}

const KNOWN_MS = 10 * 60_000
const KNOWN_MAX = 1_000
const known = new Map<string, { readonly until: number; readonly names: Promise<ReadonlyMap<string, PlaceMatch>> }>()

async function namesIn(context: Context, accountId: string): Promise<ReadonlyMap<string, PlaceMatch>> {
  const places = await findPlaces(context.sql, accountId)
  return new Map(places?.matched.map((match) => [match.cityCode, match]))
}

/** What goes to the carrier, with the commune as it writes it, where that is known: names differ in more than accents. */
export async function inCarrierWords<S extends Pick<Shipment, 'destination'>>(context: Context, { row }: Account, shipment: S): Promise<S> {
  const { cityCode } = shipment.destination
  if (!cityCode) return shipment
  const entry = known.get(row.id)
  const fresh = entry && entry.until > Date.now() ? entry : { until: Date.now() + KNOWN_MS, names: namesIn(context, row.id) }
  if (fresh !== entry) {
    if (known.size >= KNOWN_MAX) known.clear()
    known.set(row.id, fresh)
    fresh.names.catch(() => known.delete(row.id))
  }
  const match = (await fresh.names).get(cityCode)
  return match ? { ...shipment, destination: { ...shipment.destination, cityName: match.name } } : shipment
}
