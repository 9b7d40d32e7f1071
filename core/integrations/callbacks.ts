import type { CarrierContext, InboundRequest } from '../../plugins/carrier/contract.ts'
import type { StatusReport } from '../../plugins/carrier/model.ts'
import type { Asked } from '../../plugins/host/mount.ts'
import type { Mounted } from '../../plugins/host/registry.ts'
import type { Context } from '../context.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { parcelOf, recordReports } from '../parcels/record-report.ts'
import { type Account, asApiError, callCarrier, openAccount } from './call-carrier.ts'
import { findAccountByKey, updateAccount } from './integrations.queries.ts'
import { takeNews, trackWidth } from './take-news.ts'

/** A carrier's callback: proof of ownership answered first, then the signature, then the news; a store that is not connected does not exist. */
export async function receive(context: Context, mounted: Mounted, storeId: string, request: InboundRequest) {
  const row = await findAccountByKey(context.sql, storeId, mounted.carrier.slug)
  if (!row) throw notFound('The connection')
  const account = openAccount(context, row)
  const webhook = mounted.carrier.webhook!
  const within = <V>(work: (adapter: CarrierContext) => V | Promise<V>) =>
    callCarrier(context, account, (_carrier, adapter) => work(adapter), { operation: 'webhook', deadlineMs: 5_000 }).catch((error) =>
      Promise.reject(asApiError(error)),
    )
  const challenge = await within((adapter) => webhook.challenge?.(request, adapter) ?? null)
  if (challenge) return challenge
  if (!(await within((adapter) => webhook.verify(request, adapter))))
    throw new ApiError('invalid_signature', 'The signature does not match the body.')
  const reports = await within((adapter) => webhook.parse(request, adapter))
  const source = `webhook:${mounted.carrier.slug}`
  const recorded = webhook.unsigned
    ? await readAnew(context, account, reports, source)
    : await recordReports(context, account, reports, source)
  return { status: 200, contentType: 'application/json', body: JSON.stringify({ data: recorded }) }
}

/** A callback that anybody might have written only says where to look: the carrier itself is asked. */
async function readAnew(context: Context, account: Account, reports: readonly StatusReport[], source: string) {
  const ours: { id: string; trackingId: string }[] = []
  for (const report of reports) {
    const parcel = await parcelOf(context.sql, account, report)
    const trackingId = parcel?.trackingId ?? report.trackingId
    if (parcel && trackingId) ours.push({ id: parcel.id, trackingId })
  }
  let applied = 0
  for (let at = 0; at < ours.length; at += trackWidth(account)) {
    const news = takeNews(context, account, ours.slice(at, at + trackWidth(account)), { source })
    applied += (await news.catch((error) => Promise.reject(asApiError(error)))).changed
  }
  return { received: reports.length, applied }
}

const addressOf = ({ config }: Context, { row }: Account, request: Request) =>
  `${config.publicUrl ?? new URL(request.url).origin}/v1/stores/${row.storeId}/integrations/${row.key}/webhook`

/** The address to call; of a carrier that signs nothing, with the secret that proves it. */
export function webhookUrl(context: Context, account: Account, request: Request): string {
  const address = addressOf(context, account, request)
  const { unsigned } = account.mounted.carrier.webhook ?? {}
  const token = unsigned && account.credentials[unsigned]
  return token ? `${address}?token=${encodeURIComponent(String(token))}` : address
}

/** The carrier is told our address; what secret it gives is kept with the connection. */
export async function setupWebhook(context: Context, account: Account, { request }: Asked) {
  const { carrier } = account.mounted
  const address = addressOf(context, account, request)
  const { credentials = {} } = await callCarrier(context, account, (_, adapter) => carrier.setupWebhook!(adapter, address), {
    operation: 'setupWebhook',
  })
  const declared = Object.entries(credentials).filter(
    ([name, value]) => Object.hasOwn(carrier.credentials, name) && typeof value === 'string',
  )
  const changed = { ...account, credentials: { ...account.credentials, ...Object.fromEntries(declared) } }
  const { id } = account.row
  await updateAccount(context.sql, id, { credentials: context.vault.seal(JSON.stringify(changed.credentials), id) })
  return { url: webhookUrl(context, changed, request) }
}
