import { cashOperations } from '../../plugins/carrier/cash.operations.ts'
import type { Carrier, CarrierContext } from '../../plugins/carrier/contract.ts'
import type { CarrierOperationName } from '../../plugins/carrier/operations.ts'
import type { Asked, CarrierHost } from '../../plugins/host/mount.ts'
import { confirmPayout, reversePayout } from '../cash/confirm.ts'
import { cashOf, finance, previewOwed } from '../cash/owed.ts'
import { listPayouts, readPayout } from '../cash/payouts.ts'
import { syncCash } from '../cash/pull.ts'
import { limits } from '../config.ts'
import type { Context } from '../context.ts'
import { CarrierFailure } from '../gateway/failure.ts'
import type { Caller } from '../http/auth.ts'
import { readBytes } from '../http/body.ts'
import { ApiError, invalid, notFound } from '../http/errors.ts'
import { asAccepted, labelResponse, printLabel, printLabels } from '../labels/print.ts'
import { present } from '../parcels/present.ts'
import { accessStore } from '../stores/access.ts'
import { type Account, asApiError, callCarrier, openAccount } from './call-carrier.ts'
import { receive, setupWebhook, webhookUrl } from './callbacks.ts'
import { enable, testConnection } from './connect.ts'
import { scoring, statistics } from './figures.ts'
import { findAccountByKey } from './integrations.queries.ts'
import { removeByTracking, removeMany } from './remove.ts'
import { resolveForCarrier } from './resolve.ts'
import { enabledAccount, sendOrder, sendOrders } from './send-order.ts'
import { startSync } from './sync.ts'
import { placesOfCarrier } from './sync-places.ts'

type Perform = (context: Context, account: Account, asked: Asked) => Promise<unknown>

/** Asks a member of the adapter; its answer is checked against the operation's own schema. */
const ask =
  (work: (carrier: Carrier, adapter: CarrierContext, asked: Asked) => unknown): Perform =>
  (context, account, asked) =>
    callCarrier(context, account, (carrier, adapter) => work(carrier, adapter, asked), {
      operation: asked.name,
      ...(asked.operation.response && { schema: asked.operation.response }),
    })

const text = (value: unknown) => (value === undefined ? undefined : String(value))
const given = <K extends string>(values: Record<K, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never

const askPlaces = ask((carrier, adapter, { params, query }) => {
  const kind = (params.kind ?? 'states') as 'states' | 'cities' | 'centers'
  const read = carrier[kind]
  if (!read) throw new CarrierFailure('not_found', false, `${carrier.label} has no list of ${kind}.`)
  return (read as (adapter: CarrierContext, query: object) => unknown)(adapter, given({ stateId: text(query.stateId) }))
})

async function besideOurs(context: Context, account: Account, kind: 'matches' | 'leftovers') {
  const places = await placesOfCarrier(context, account)
  if (!places) throw new CarrierFailure('not_found', false, `${account.mounted.carrier.label} lists no communes.`)
  if (kind === 'matches') return places.matched
  const { theirs, ours } = places.leftovers
  return [...theirs.map((place) => ({ of: 'carrier', ...place })), ...ours.map((place) => ({ of: 'catalogue', ...place }))]
}

/** What stands behind every segment of a carrier. */
const performers: Record<CarrierOperationName, Perform> = {
  fees: ask((carrier, adapter, { query }) => carrier.fees!(adapter, given({ stateCode: text(query.stateCode) }))),
  rates: ask((carrier, adapter, { query }) => carrier.rates!(adapter, query as never)),
  serviceFees: ask((carrier, adapter) => carrier.serviceFees!(adapter)),
  centers: ask((carrier, adapter, { query }) => carrier.centers!(adapter, given({ stateId: text(query.stateId) }))),
  states: ask((carrier, adapter) => carrier.states!(adapter)),
  cities: ask((carrier, adapter, { query }) => carrier.cities!(adapter, given({ stateId: text(query.stateId) }))),
  geography: (context, account, asked) => {
    const { kind = 'states' } = asked.params
    return kind === 'matches' || kind === 'leftovers' ? besideOurs(context, account, kind) : askPlaces(context, account, asked)
  },
  statistics: async (context, account) => ({ ...(await statistics(context, account)), cash: await cashOf(context, account) }),
  finance: (context, account, { query }) => finance(context, account, query),
  stockProducts: ask((carrier, adapter) => carrier.stockProducts!(adapter)),
  webhookUrl: async (context, account, { request }) => ({ url: webhookUrl(context, account, request) }),
  syncStatus: async (_, { row }) =>
    row.sync ?? { status: 'never', startedAt: null, finishedAt: null, parcels: 0, changed: 0, message: null },
  cashPreview: (context, account, { query }) => previewOwed(context, account, query),
  cashBatches: (context, account, { query }) => listPayouts(context, account, query),
  cashBatch: (context, account, { params, query }) => readPayout(context, account, params.batchId!, query),
  cashConfirm: (context, account, { body }) => confirmPayout(context, account, (body as { batchId: string }).batchId),
  cashReverse: (context, account, { body }) => reversePayout(context, account, (body as { batchId: string }).batchId),
  send: async (context, { row }, { body, set }) => {
    const { orderId, ...choice } = body as { orderId: string }
    const { parcel, warnings, done } = await sendOrder(context, row.storeId, row.key, orderId, choice)
    if (!done) set.status = 202
    return { parcel: present(parcel), ...(warnings.length > 0 && { warnings }) }
  },
  sendMany: (context, { row }, { body }) => sendOrders(context, row.storeId, row.key, (body as { orders: { orderId: string }[] }).orders),
  resolve: (context, account, { body }) => resolveForCarrier(context, account, body as never),
  labels: async (context, account, { body, request }) => {
    const { trackings, ...printing } = body as { trackings: string[] }
    return asAccepted(await printLabels(context, account, trackings, printing), request)
  },
  labelIndividual: (context, account, { body }) => {
    const { tracking, ...printing } = body as { tracking: string }
    return printLabel(context, account, tracking, printing)
  },
  label: async (context, account, { params, query }) => labelResponse(await printLabel(context, account, params.tracking!, query)),
  scoring: (context, account, { body }) => scoring(context, account, (body as { phone: string }).phone),
  setupWebhook,
  testConnection: (context, { row }) => testConnection(context, row.storeId, row.key),
  ping: async (context, { row }) => {
    const began = performance.now()
    const { ok, message } = await testConnection(context, row.storeId, row.key)
    return { ok, milliseconds: Math.round(performance.now() - began), ...(message && { message }) }
  },
  sync: (context, account) => startSync(context, account),
  syncCash: (context, account) => syncCash(context, account),
  enable: (context, { row }, { body }) => enable(context, row.storeId, row.key, (body as { enabled: boolean }).enabled),
  deleteMany: (context, account, { body }) => removeMany(context, account, (body as { trackings: string[] }).trackings),
  validate: ask(async (carrier, adapter, { params }) => {
    await carrier.validate!(adapter, params.tracking!)
    return trackOne(carrier, adapter, params.tracking!)
  }),
  track: ask((carrier, adapter, { params }) => trackOne(carrier, adapter, params.tracking!)),
  remove: (context, account, { params }) => removeByTracking(context, account, params.tracking!),
  removeMany: (context, account, { query }) => removeMany(context, account, splitTrackings(String(query.trackings))),
  list: (context, account, asked) => {
    const query = { limit: 20, ...((asked.body as object | null) ?? asked.query) } as { limit: number; since?: string }
    if (query.since && Number.isNaN(Date.parse(query.since)))
      throw invalid(asked.body ? '/body/since' : '/query/since', 'An ISO 8601 date, such as 2026-11-21.')
    return ask((carrier, adapter) => carrier.list!(adapter, query))(context, account, asked)
  },
}

/** Operations that work on a connection that is switched off. */
const WORKS_DISABLED: readonly CarrierOperationName[] = [
  'enable',
  'testConnection',
  'webhookUrl',
  'statistics',
  'syncStatus',
  ...(Object.keys(cashOperations) as (keyof typeof cashOperations)[]),
]

/** The core's side of the sockets: opens the store's connection, performs, and puts failures in our words. */
export function carrierHost(context: Context): CarrierHost {
  return {
    auth: context.auth as never,
    readBytes: (request) => readBytes(request, limits.bodyBytes),
    carrier(slug) {
      const mounted = context.plugins.find(slug)
      if (!mounted) throw notFound(`A carrier "${slug}"`)
      return mounted
    },
    refuse(carrier) {
      throw new ApiError('not_found', `${carrier.label} does not offer this. GET /v1/adapters says what it does.`)
    },
    async perform(asked) {
      const { carrier, name, params, caller } = asked
      await accessStore(context, caller as Caller, params.storeId, asked.operation.role)
      const account = WORKS_DISABLED.includes(name)
        ? await anyAccount(context, params.storeId, carrier.slug)
        : await enabledAccount(context, params.storeId, carrier.slug)
      return performers[name](context, account, asked).catch((error) => Promise.reject(asApiError(error)))
    },
    receive: (mounted, storeId, request) => receive(context, mounted, storeId, request),
  }
}

async function anyAccount(context: Context, storeId: string, key: string): Promise<Account> {
  const row = await findAccountByKey(context.sql, storeId, key)
  if (!row)
    throw new ApiError('carrier_not_enabled', `The store is not connected to ${key}. PUT /v1/stores/${storeId}/integrations/${key} first.`)
  return openAccount(context, row)
}

async function trackOne(carrier: Carrier, adapter: CarrierContext, tracking: string) {
  const [parcel] = await carrier.track!(adapter, [tracking])
  if (!parcel) throw new CarrierFailure('not_found', false, `${carrier.label} has no parcel ${tracking}.`)
  return parcel
}

function splitTrackings(list: string): string[] {
  const trackings = [
    ...new Set(
      list
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    ),
  ]
  if (trackings.length === 0 || trackings.length > 100) throw invalid('/query/trackings', '1 to 100 tracking numbers, separated by commas.')
  return trackings
}
