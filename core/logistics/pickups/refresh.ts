import type { Center, State } from '../../../plugins/carrier/places.model.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import { transaction } from '../../data/sql.ts'
import { callAdapter } from '../../integrations/connections/calls/call-adapter.ts'
import { requireMembers } from '../../integrations/connections/calls/require-members.ts'
import { type CarrierConnection, findEnabledConnection } from '../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../integrations/egress/adapter-failure.ts'
import { yieldEvery } from '../../lib/async/yield-every.ts'
import { newId } from '../../lib/ids.ts'
import type { Catalogue } from '../../platform/geo/catalogue/catalogue.ts'
import { findFirstCatalogue } from '../../platform/geo/catalogue/catalogues.ts'
import { stateCodeOf } from '../../platform/geo/resolve/match-places.ts'
import { resolveAddress } from '../../platform/geo/resolve/resolve-address.ts'
import { claimSourceRefresh, finishSourceRefresh, listStaleSources, type NewPickup, replacePickups } from './pickups.queries.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'pickups.refresh': { connectionId: string }
    'pickups.refreshStale': Record<string, unknown>
  }
}

const CALL_MS = 30_000
/** Duration of a claim; longer than a call and the processing of its result. */
const CLAIM_SECONDS = 90
/** Maximum number of pick-up points of a carrier. */
const CENTERS_MAX = 5_000
const DAILY_HOURS = 20
const AT_ONCE = 500
const APART_MS = 250
const [NAME_MAX, ADDRESS_MAX, PHONE_MAX] = [200, 500, 60]

/** Enqueues a refresh of each connection at least once a day, spread over time. */
export async function enqueueStaleRefreshes({ sql, plugins }: Context) {
  const keys = plugins.of('carrier').flatMap(({ carrier }) => (carrier.centers ? [carrier.slug] : []))
  const stale = await listStaleSources(sql, keys, DAILY_HOURS, AT_ONCE)
  for (const [at, connectionId] of stale.entries())
    await enqueue(
      sql,
      'pickups.refresh',
      { connectionId },
      {
        key: `pickups:${connectionId}`,
        maxAttempts: 1,
        runAt: new Date(Date.now() + at * APART_MS),
      },
    )
}

/** Refreshes the pick-up points of a connection, if it is enabled and its carrier lists any. */
export async function refreshPickupsById(context: Context, connectionId: string, signal?: AbortSignal) {
  const connection = await findEnabledConnection(context, 'carrier', connectionId)
  if (connection?.mounted.carrier.centers) await refreshPickups(context, connection, signal)
}

/**
 * Reads the pick-up points of a carrier, unless another process is reading them. Earlier ones stay when the carrier fails or lists none.
 */
export async function refreshPickups(context: Context, connection: CarrierConnection, signal?: AbortSignal): Promise<void> {
  const { row } = connection
  const by = newId('ask')
  if (!(await claimSourceRefresh(context.sql, row, by, CLAIM_SECONDS))) return
  try {
    const pickups = await readFromCarrier(context, connection, signal)
    await transaction(context.sql, async (tx) => {
      const failure = pickups.length === 0 ? 'The carrier listed no pick-up points.' : null
      if ((await finishSourceRefresh(tx, row, by, failure)) && !failure) await replacePickups(tx, row, pickups)
    })
  } catch (error) {
    const isTheirs = error instanceof AdapterFailure
    if (!isTheirs) context.log.error({ err: error, connection: row.id }, 'the pick-ups of a carrier could not be stored')
    await finishSourceRefresh(context.sql, row, by, isTheirs ? error.message : 'The pick-up points could not be read.')
  }
}

async function readFromCarrier(context: Context, connection: CarrierConnection, signal: AbortSignal | undefined): Promise<NewPickup[]> {
  const catalogue = findFirstCatalogue(connection.mounted.carrier.countries)
  const listed = await callAdapter(
    context,
    connection,
    async (carrier, adapter) => ({
      states: carrier.states ? await carrier.states(adapter) : [],
      centers: await requireMembers(carrier, 'centers').centers(adapter, {}),
    }),
    { operation: 'centers', deadlineMs: CALL_MS, quota: 'sync', ...(signal && { signal }) },
  )
  const states = new Map(listed.states.map((state) => [state.id, state]))
  const breathe = yieldEvery()
  const pickups = new Map<string, NewPickup>()
  for (const center of listed.centers.slice(0, CENTERS_MAX)) {
    pickups.set(center.id, pickupOf(center, states.get(center.stateId), catalogue, connection))
    await breathe()
  }
  return [...pickups.values()]
}

function pickupOf(center: Center, state: State | undefined, catalogue: Catalogue | undefined, connection: CarrierConnection): NewPickup {
  const { countries } = connection.mounted.carrier
  const countryCode = catalogue?.country ?? countries[0] ?? ''
  const stateCode = (catalogue && stateCodeOf(catalogue, state ?? { code: center.stateId, name: center.stateId })) ?? ''
  const place = resolveAddress({ country: countryCode, stateCode, cityName: center.cityName, address: center.address, deliveryType: null })
  const own = catalogue?.states.find(({ code }) => code === place.stateCode)
  const point = pointAt(center)
  return {
    centerId: center.id,
    name: center.name.slice(0, NAME_MAX),
    address: center.address.slice(0, ADDRESS_MAX),
    phone: center.phone?.slice(0, PHONE_MAX) ?? null,
    countryCode,
    stateCode: own?.code ?? null,
    stateName: own?.name ?? null,
    cityCode: place.cityCode,
    cityName: place.cityName.slice(0, NAME_MAX),
    latitude: point?.latitude ?? null,
    longitude: point?.longitude ?? null,
  }
}

/** Position that the carrier gives; undefined when it is 0/0 or out of range. */
function pointAt({ latitude, longitude }: Center) {
  if (latitude === undefined || longitude === undefined || (latitude === 0 && longitude === 0)) return undefined
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined
}
