import type { TSchema } from '@sinclair/typebox'
import type { Carrier, CarrierContext, InboundRequest } from '../../plugins/carrier/contract.ts'
import type { Label } from '../../plugins/carrier/model.ts'
import { type CarrierOperationName, carrierOperations } from '../../plugins/carrier/operations.ts'
import type { Asked, CarrierHost } from '../../plugins/host/mount.ts'
import type { Mounted } from '../../plugins/host/registry.ts'
import { limits } from '../config.ts'
import type { Context } from '../context.ts'
import type { Caller } from '../http/auth.ts'
import { readBytes } from '../http/body.ts'
import { ApiError, invalid, notFound } from '../http/errors.ts'
import { present } from '../parcels/present.ts'
import { recordReports } from '../parcels/record-report.ts'
import { accessStore } from '../stores/access.ts'
import { type Account, asApiError, CarrierFailure, callCarrier, openAccount } from './call-carrier.ts'
import { enable, testConnection } from './connect.ts'
import { finance, scoring, statistics } from './figures.ts'
import { findAccountByKey, updateAccount } from './integrations.queries.ts'
import { removeByTracking } from './remove.ts'
import { resolveForCarrier } from './resolve.ts'
import { enabledAccount, sendOrder, sendOrders } from './send-order.ts'
import { startSync, syncCash } from './sync.ts'

type Perform = (context: Context, account: Account, asked: Asked) => Promise<unknown>

/** Asks a member of the adapter; its answer is checked against the operation's own schema. */
const ask =
  (work: (carrier: Carrier, adapter: CarrierContext, asked: Asked) => unknown): Perform =>
  (context, account, asked) =>
    callCarrier(
      context,
      account,
      (carrier, adapter) => work(carrier, adapter, asked),
      asked.operation.response ? { schema: asked.operation.response } : {},
    )

const text = (value: unknown) => (value === undefined ? undefined : String(value))
const given = <K extends string>(values: Record<K, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never

/** What stands behind every segment of a carrier. */
const performers: Record<CarrierOperationName, Perform> = {
  fees: ask((carrier, adapter, { query }) => carrier.fees!(adapter, given({ stateCode: text(query.stateCode) }))),
  rates: ask((carrier, adapter, { query }) => carrier.rates!(adapter, query as never)),
  serviceFees: ask((carrier, adapter) => carrier.serviceFees!(adapter)),
  centers: ask((carrier, adapter, { query }) => carrier.centers!(adapter, given({ stateId: text(query.stateId) }))),
  states: ask((carrier, adapter) => carrier.states!(adapter)),
  cities: ask((carrier, adapter, { query }) => carrier.cities!(adapter, given({ stateId: text(query.stateId) }))),
  geography: ask((carrier, adapter, { params, query }) => {
    const kind = (params.kind ?? 'states') as 'states' | 'cities' | 'centers'
    const read = carrier[kind]
    if (!read) throw new CarrierFailure('not_found', false, `${carrier.label} has no list of ${kind}.`)
    return (read as (adapter: CarrierContext, query: object) => unknown)(adapter, given({ stateId: text(query.stateId) }))
  }),
  statistics: (context, account) => statistics(context, account),
  finance: (context, account) => finance(context, account),
  stockProducts: ask((carrier, adapter) => carrier.stockProducts!(adapter)),
  webhookUrl: async (context, account, { request }) => ({ url: webhookUrl(context, account, request) }),
  syncStatus: async (_, { row }) =>
    row.sync ?? { status: 'never', startedAt: null, finishedAt: null, parcels: 0, changed: 0, message: null },
  cashPreview: ask((carrier, adapter) => carrier.cash!.preview(adapter)),
  cashBatches: ask((carrier, adapter) => carrier.cash!.batches(adapter)),
  cashBatch: ask((carrier, adapter, { params }) => carrier.cash!.batch(adapter, params.batchId!)),
  cashConfirm: ask((carrier, adapter, { body }) => carrier.cash!.confirm!(adapter, (body as { batchId: string }).batchId)),
  send: async (context, { row }, { body, set }) => {
    const { orderId, ...choice } = body as { orderId: string }
    const { parcel, warnings, done } = await sendOrder(context, row.storeId, row.key, orderId, choice)
    if (!done) set.status = 202
    return { parcel: present(parcel), ...(warnings.length > 0 && { warnings }) }
  },
  sendMany: (context, { row }, { body }) => sendOrders(context, row.storeId, row.key, (body as { orders: { orderId: string }[] }).orders),
  resolve: (context, account, { body }) => resolveForCarrier(context, account, body as never),
  labels: ask((carrier, adapter, { body }) => carrier.labels!(adapter, (body as { trackings: string[] }).trackings)),
  labelIndividual: (context, account, { body }) => oneLabel(context, account, (body as { tracking: string }).tracking),
  label: async (context, account, { params }) => labelResponse(await oneLabel(context, account, params.tracking!)),
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
  deleteMany: (context, account, { body }) => removeByTracking(context, account, (body as { trackings: string[] }).trackings),
  validate: ask(async (carrier, adapter, { params }) => {
    await carrier.validate!(adapter, params.tracking!)
    return trackOne(carrier, adapter, params.tracking!)
  }),
  track: ask((carrier, adapter, { params }) => trackOne(carrier, adapter, params.tracking!)),
  remove: async (context, account, { params }) => (await removeByTracking(context, account, [params.tracking!], true))[0],
  removeMany: (context, account, { query }) => removeByTracking(context, account, splitTrackings(String(query.trackings))),
  list: ask((carrier, adapter, { query, body }) => carrier.list!(adapter, { limit: 20, ...(body ?? query) } as never)),
}

/** Operations that work on a connection that is switched off. */
const WORKS_DISABLED: readonly CarrierOperationName[] = ['enable', 'testConnection', 'webhookUrl', 'statistics', 'finance', 'syncStatus']

/** The core's side of the sockets: opens the store's connection, performs, and puts failures in our words. */
export function carrierHost(context: Context): CarrierHost {
  return {
    auth: context.auth as never,
    readBytes: (request) => readBytes(request, limits.bodyBytes),
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

/** A carrier's callback: proof of ownership answered first, then the signature, then the news; a store that is not connected does not exist. */
async function receive(context: Context, mounted: Mounted, storeId: string, request: InboundRequest) {
  const row = await findAccountByKey(context.sql, storeId, mounted.carrier.slug)
  if (!row) throw notFound('The connection')
  const account = openAccount(context, row)
  const webhook = mounted.carrier.webhook!
  const within = <V>(work: (adapter: CarrierContext) => V | Promise<V>) =>
    callCarrier(context, account, (_carrier, adapter) => work(adapter), { deadlineMs: 5_000 }).catch((error) =>
      Promise.reject(asApiError(error)),
    )
  const challenge = await within((adapter) => webhook.challenge?.(request, adapter) ?? null)
  if (challenge) return challenge
  if (!(await within((adapter) => webhook.verify(request, adapter))))
    throw new ApiError('invalid_signature', 'The signature does not match the body.')
  const reports = await within((adapter) => webhook.parse(request, adapter))
  const recorded = await recordReports(context, account, reports, `webhook:${mounted.carrier.slug}`)
  return { status: 200, contentType: 'application/json', body: JSON.stringify({ data: recorded }) }
}

function webhookUrl({ config }: Context, { row }: Account, request: Request): string {
  return `${config.publicUrl ?? new URL(request.url).origin}/v1/stores/${row.storeId}/integrations/${row.key}/webhook`
}

/** The carrier is told our address; what secret it gives is kept with the connection. */
async function setupWebhook(context: Context, account: Account, { request }: Asked) {
  const url = webhookUrl(context, account, request)
  const { credentials = {} } = await callCarrier(context, account, (carrier, adapter) => carrier.setupWebhook!(adapter, url))
  const { row } = account
  await updateAccount(context.sql, row.id, {
    credentials: context.vault.seal(JSON.stringify({ ...account.credentials, ...credentials }), row.id),
  })
  return { url }
}

async function oneLabel(context: Context, account: Account, tracking: string): Promise<Label> {
  const schema = carrierOperations.labels.response as TSchema
  const [label] = await callCarrier(context, account, (carrier, adapter) => carrier.labels!(adapter, [tracking]), { schema })
  if (!label) throw notFound('The parcel')
  return label
}

function labelResponse({ contentType, base64, url }: Label): Response {
  if (base64)
    return new Response(Buffer.from(base64, 'base64'), { headers: { 'content-type': contentType, 'cache-control': 'private, no-store' } })
  return Response.redirect(url!, 302)
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
