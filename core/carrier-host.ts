import { Type as T } from '@sinclair/typebox'
import { cashOperations } from '../plugins/carrier/cash.operations.ts'
import type { Carrier, CarrierContext } from '../plugins/carrier/contract.ts'
import { ParcelPage } from '../plugins/carrier/model.ts'
import type { CarrierOperationName, carrierOperations } from '../plugins/carrier/operations.ts'
import type { Asked, KindHost } from '../plugins/host/mount.ts'
import type { Offering } from '../plugins/kind.ts'
import type { Operation } from '../plugins/operation.ts'
import type { Context } from './context.ts'
import { ApiError, invalid } from './http/errors.ts'
import type { PageInput } from './http/page.ts'
import type { Principal } from './http/principal.ts'
import { confirmPayout, reversePayout } from './logistics/cash/confirm.ts'
import { cashOf, finance, previewOwed } from './logistics/cash/owed.ts'
import { listPayouts, readPayout } from './logistics/cash/payouts.ts'
import { syncCash } from './logistics/cash/pull.ts'
import { asAccepted, labelResponse, printLabel, printLabels } from './logistics/labels/print.ts'
import { receive, setupWebhook, webhookUrl } from './logistics/news/callbacks.ts'
import { startSync } from './logistics/news/sync.ts'
import { scoring, statistics } from './logistics/parcels/figures.ts'
import { answerOf } from './logistics/parcels/present.ts'
import { removeByTracking, removeMany } from './logistics/parcels/remove-by-tracking.ts'
import { goesOn } from './logistics/parcels/wait.ts'
import { CarrierFailure } from './platform/gateway/failure.ts'
import { enabledConnection, sendOrder, sendOrders } from './sales/sending/send-order.ts'
import { asApiError, type Connection, callCarrier, openConnection } from './shop/connections/call.ts'
import { enable, testConnection } from './shop/connections/connect.ts'
import { findConnectionByKey } from './shop/connections/connections.queries.ts'
import { pageRows } from './shop/connections/page-rows.ts'
import { resolveForCarrier } from './shop/connections/resolve.ts'
import { placesOfCarrier } from './shop/connections/sync-places.ts'
import { accessProduct } from './shop/stores/access.ts'

type Names = CarrierOperationName
/** What is asked of a carrier that offers it: the members that the operation needs are there. */
type CarrierAsked<Name extends Names> = Asked<Offering<Carrier, (typeof carrierOperations)[Name]>, Name>
// Written as a method, so that each may stand for any of them: a carrier is asked only for what it offers.
type Performer<A> = { of(context: Context, connection: Connection, asked: A): Promise<unknown> }['of']
type Perform<Name extends Names> = Performer<CarrierAsked<Name>>

/** Asks a member of the adapter; its answer is checked against the operation's own schema. */
const ask =
  <Name extends Names>(work: (asked: CarrierAsked<Name>, adapter: CarrierContext) => unknown): Perform<Name> =>
  (context, connection, asked) =>
    callCarrier(context, connection, (_, adapter) => work(asked, adapter), { operation: asked.name, ...answerSchema(asked.operation) })

/** A carrier gives a list whole; we page it. */
const answerSchema = ({ response, rows }: Operation) => {
  const schema = rows ? T.Array(rows) : response
  return schema && { schema }
}

/** A list that the adapter's own member gives whole, as the page that is asked for. */
const askRows =
  <Name extends Names>(work: (asked: CarrierAsked<Name>, adapter: CarrierContext) => unknown): Perform<Name> =>
  async (context, connection, asked) =>
    pageRows((await ask(work)(context, connection, asked)) as unknown[], asked.query)

/** A parameter that stands in the path: without it there is no such route. */
const named = (params: Readonly<Record<string, string>>, name: string) => String(params[name])
/** Without what nobody said. */
const given = <Name extends string>(name: Name, value: unknown) =>
  (value === undefined ? {} : { [name]: String(value) }) as { [N in Name]?: string }

const askPlaces = askRows<'geography'>(({ adapter: carrier, params, query }, adapter) => {
  const kind = (params.kind ?? 'states') as 'states' | 'cities' | 'centers'
  const read = carrier[kind]
  if (!read) throw new CarrierFailure('not_found', false, `${carrier.label} has no list of ${kind}.`)
  return (read as (adapter: CarrierContext, query: object) => unknown)(adapter, given('stateId', query.stateId))
})

async function besideOurs(context: Context, connection: Connection, kind: 'matches' | 'leftovers', asked: PageInput) {
  const places = await placesOfCarrier(context, connection)
  if (!places) throw new CarrierFailure('not_found', false, `${connection.mounted.carrier.label} lists no communes.`)
  if (kind === 'matches') return pageRows(places.matched, asked)
  const { theirs, ours } = places.leftovers
  return pageRows<object>(
    [...theirs.map((place) => ({ of: 'carrier', ...place })), ...ours.map((place) => ({ of: 'catalogue', ...place }))],
    asked,
  )
}

/** What stands behind every segment of a carrier. */
const performers: { readonly [Name in Names]: Perform<Name> } = {
  fees: askRows(({ adapter: carrier, query }, adapter) => carrier.fees(adapter, given('stateCode', query.stateCode))),
  // Each is what its operation's schema let through.
  rates: askRows(({ adapter: carrier, query: { limit: _, cursor: __, ...parcel } }, adapter) => carrier.rates(adapter, parcel as never)),
  serviceFees: askRows(({ adapter: carrier }, adapter) => carrier.serviceFees(adapter)),
  centers: askRows(({ adapter: carrier, query }, adapter) => carrier.centers(adapter, given('stateId', query.stateId))),
  states: askRows(({ adapter: carrier }, adapter) => carrier.states(adapter)),
  cities: askRows(({ adapter: carrier, query }, adapter) => carrier.cities(adapter, given('stateId', query.stateId))),
  geography: (context, connection, asked) => {
    const { kind = 'states' } = asked.params
    return kind === 'matches' || kind === 'leftovers'
      ? besideOurs(context, connection, kind, asked.query)
      : askPlaces(context, connection, asked)
  },
  statistics: async (context, connection) => ({ ...(await statistics(context, connection)), cash: await cashOf(context, connection) }),
  finance: (context, connection, { query }) => finance(context, connection, query),
  stockProducts: askRows(({ adapter: carrier }, adapter) => carrier.stockProducts(adapter)),
  webhookUrl: async (context, connection, { request }) => ({ url: webhookUrl(context, connection, request) }),
  syncStatus: async (_, { row }) =>
    row.sync ?? { status: 'never', startedAt: null, finishedAt: null, parcels: 0, changed: 0, message: null },
  cashPreview: (context, connection, { query }) => previewOwed(context, connection, query),
  cashBatches: (context, connection, { query }) => listPayouts(context, connection, query),
  cashBatch: (context, connection, { params, query }) => readPayout(context, connection, named(params, 'batchId'), query),
  cashConfirm: (context, connection, { body }) => confirmPayout(context, connection, (body as { batchId: string }).batchId),
  cashReverse: (context, connection, { body }) => reversePayout(context, connection, (body as { batchId: string }).batchId),
  send: async (context, { row }, { body, set }) => {
    const { orderId, ...choice } = body as { orderId: string }
    const parcel = await sendOrder(context, row.storeId, row.key, orderId, choice)
    if (goesOn(parcel)) set.status = 202
    const { data, ...told } = answerOf(parcel)
    return { parcel: data, ...told }
  },
  sendMany: (context, { row }, { body }) => sendOrders(context, row.storeId, row.key, (body as { orders: { orderId: string }[] }).orders),
  resolve: (context, connection, { body }) => resolveForCarrier(context, connection, body as never),
  labels: async (context, connection, { body, request }) => {
    const { trackings, ...printing } = body as { trackings: string[] }
    return asAccepted(await printLabels(context, connection, trackings, printing), request)
  },
  labelIndividual: (context, connection, { body }) => {
    const { tracking, ...printing } = body as { tracking: string }
    return printLabel(context, connection, tracking, printing)
  },
  label: async (context, connection, { params, query }) =>
    labelResponse(await printLabel(context, connection, named(params, 'tracking'), query)),
  scoring: (context, connection, { body }) => scoring(context, connection, (body as { phone: string }).phone),
  setupWebhook,
  testConnection: (context, { row }) => testConnection(context, row.storeId, row.key),
  ping: async (context, { row }) => {
    const began = performance.now()
    const { ok, message } = await testConnection(context, row.storeId, row.key)
    return { ok, milliseconds: Math.round(performance.now() - began), ...(message && { message }) }
  },
  sync: (context, connection) => startSync(context, connection),
  syncCash: (context, connection) => syncCash(context, connection),
  enable: (context, { row }, { body }) => enable(context, row.storeId, row.key, (body as { enabled: boolean }).enabled),
  deleteMany: (context, connection, { body }) => removeMany(context, connection, (body as { trackings: string[] }).trackings),
  validate: ask(async ({ adapter: carrier, params }, adapter) => {
    await carrier.validate(adapter, named(params, 'tracking'))
    return trackOne(carrier, adapter, named(params, 'tracking'))
  }),
  track: ask(({ adapter: carrier, params }, adapter) => trackOne(carrier, adapter, named(params, 'tracking'))),
  remove: (context, connection, { params }) => removeByTracking(context, connection, named(params, 'tracking')),
  removeMany: (context, connection, { query }) => removeMany(context, connection, splitTrackings(String(query.trackings))),
  list: async (context, connection, asked) => {
    const query = { limit: 20, ...((asked.body as object | null) ?? asked.query) } as { limit: number; since?: string }
    if (query.since && Number.isNaN(Date.parse(query.since)))
      throw invalid(asked.body ? '/body/since' : '/query/since', 'An ISO 8601 date, such as 2026-11-21.')
    const { rows, nextCursor } = await callCarrier(context, connection, (_, adapter) => asked.adapter.list(adapter, query), {
      operation: asked.name,
      schema: ParcelPage,
    })
    return { data: rows, nextCursor }
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

/** What the core does for carriers: opens the store's connection, performs, and puts failures in our words. */
export function carrierHost(context: Context): KindHost<Carrier, CarrierOperationName> {
  return {
    async perform(asked) {
      const { adapter, name, operation, params, caller } = asked
      const storeId = named(params, 'storeId')
      await accessProduct(context, caller as Principal, storeId, operation.role, 'parcels')
      const connection = WORKS_DISABLED.includes(name)
        ? await anyConnection(context, storeId, adapter.slug)
        : await enabledConnection(context, storeId, adapter.slug)
      const perform: Performer<typeof asked> = performers[name]
      return perform(context, connection, asked).catch((error) => Promise.reject(asApiError(error)))
    },
    receive: (carrier, storeId, request) => receive(context, { carrier }, storeId, request),
  }
}

async function anyConnection(context: Context, storeId: string, key: string): Promise<Connection> {
  const row = await findConnectionByKey(context.sql, storeId, key)
  if (!row)
    throw new ApiError('carrier_not_enabled', `The store is not connected to ${key}. PUT /v1/stores/${storeId}/integrations/${key} first.`)
  return openConnection(context, row)
}

async function trackOne(carrier: Offering<Carrier, { needs: ['track'] }>, adapter: CarrierContext, tracking: string) {
  const [parcel] = await carrier.track(adapter, [tracking])
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
