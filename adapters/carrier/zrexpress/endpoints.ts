import { CarrierError, isRow, type Row, refuse, text, unreadable } from 'serai/carrier'
import { call, isRefusedWith, label, listIn } from './api.ts'
import type { Context } from './fields.ts'

const path = 'webhooks/endpoints'

/** All three types: one may not include the others. */
const eventTypes = ['parcel.state.updated', 'parcel.state.situation.created', 'parcel.isReturn.updated'] as const

/** Registers a webhook endpoint at `url` and fetches its signing secret. An existing endpoint is reused. */
export async function setupWebhook(context: Context, url: string): Promise<{ credentials: { webhookSecret: string } }> {
  if (!url.startsWith('https://')) refuse('https_needed', `${label} calls https addresses only. Set PUBLIC_URL to one.`)
  const endpoints = await endpointsOf(context)
  const same = endpoints.filter((endpoint) => endpoint.url === url)
  const complete = same.find(subscribesToAll)
  const id = idOf(complete) ?? (await replaceEndpoints(context, url, same, endpoints))
  const answer = await call(context, 'GET', `${path}/${encodeURIComponent(id)}/secret`)
  const webhookSecret = isRow(answer) ? text(answer.secret) : undefined
  if (webhookSecret === undefined) throw unreadable(label, 'no secret of the webhook')
  return { credentials: { webhookSecret } }
}

const endpointsOf = async (context: Context) => listIn(await call(context, 'GET', path), 'webhook endpoints')
const idOf = (endpoint: Row | undefined) => text(endpoint?.id)

/** Returns true when the endpoint has all event types, or the list does not show them. */
const subscribesToAll = ({ eventTypes: told }: Row) => !Array.isArray(told) || eventTypes.every((type) => told.includes(type))

/** Replaces our incomplete endpoints; they are deleted first, because the carrier allows five. */
async function replaceEndpoints(context: Context, url: string, incomplete: readonly Row[], endpoints: readonly Row[]): Promise<string> {
  for (const id of incomplete.map(idOf)) if (id) await call(context, 'DELETE', `${path}/${encodeURIComponent(id)}`)
  const answer = await create(context, url, endpoints)
  const made = isRow(answer) ? idOf(answer) : undefined
  const id = made ?? idOf((await endpointsOf(context)).find((endpoint) => endpoint.url === url))
  if (id === undefined) throw unreadable(label, 'no id of the webhook endpoint')
  return id
}

async function create(context: Context, url: string, endpoints: readonly Row[]): Promise<unknown> {
  try {
    return await call(context, 'POST', path, { json: { url, description: 'News of parcels', eventTypes, headers: {} } })
  } catch (error) {
    if (!isRefusedWith(error, 'Endpoints.LimitReached')) throw error
    // Only hosts are shown, because an address may hold a secret.
    const hosts = endpoints.flatMap((endpoint) => URL.parse(text(endpoint.url) ?? '')?.host ?? [])
    const message = `${label} keeps five webhook endpoints and all are taken: ${hosts.join(', ')}. Delete one there, then set the webhook up again.`
    throw new CarrierError('refused', message, error.upstream)
  }
}
