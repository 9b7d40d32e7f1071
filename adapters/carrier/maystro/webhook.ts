import {
  base64Bytes,
  CarrierError,
  createReceiver,
  type InboundRequest,
  instant,
  isRow,
  isSameSecret,
  jsonIn,
  newSecret,
  number,
  type Row,
  type StatusReport,
  text,
  type Webhook,
  withQuery,
} from 'serai/carrier'
import { call, expectChange, get, listIn } from './api.ts'
import type { Context, credentials, settings } from './fields.ts'
import { wordOf } from './parcels.ts'
import { ABORTED, ABORTED_SOMEHOW, NEWS } from './statuses.ts'

/** The carrier's own spelling. */
const HOOKS = 'stores/hooks/costume/'
const ROUNDS_MAX = 2

/** Unsigned webhook: the address holds a secret, and the parcel is read again instead of trusting the body. */
export const webhook: Webhook<typeof credentials, typeof settings> = {
  unsigned: 'callbackToken',
  receive: createReceiver({ signed: false, verify, parse }),
}

export async function setupWebhook(context: Context, url: string) {
  const callbackToken = newSecret()
  const endpoint = withQuery(url, { token: callbackToken })
  try {
    expectChange(context, await call(context, 'POST', HOOKS, { json: { endpoint } }))
  } catch (error) {
    throw withoutSecret(callbackToken, error)
  }
  await deleteOlderHooks(context, url, endpoint).catch(() => context.log('older callbacks to this address were left as they are'))
  return { credentials: { callbackToken } }
}

/** Removes the secret from an error, which may repeat the address. */
function withoutSecret(secret: string, error: unknown): unknown {
  if (!(error instanceof CarrierError) || !JSON.stringify([error.message, error.upstream]).includes(secret)) return error
  return new CarrierError(error.reason, 'Maystro does not take this address for callbacks.', { code: error.upstream.code ?? error.reason })
}

/** Deletes our older endpoints; a refused deletion is ignored. Each setup creates a new secret, so older ones are rejected anyway. */
async function deleteOlderHooks(context: Context, url: string, endpoint: string): Promise<void> {
  for (const hook of listIn(await get(context, HOOKS), 'callbacks')) {
    if (!isRow(hook) || hook.endpoint === endpoint || !text(hook.endpoint)?.startsWith(withQuery(url, { token: '' }))) continue
    const id = text(hook.id) ?? number(hook.id)
    if (id !== undefined) await call(context, 'DELETE', `${HOOKS}${encodeURIComponent(id)}/`)
  }
}

function verify({ url }: InboundRequest, { credentials }: Context): boolean {
  return isSameSecret(credentials.callbackToken, new URL(url, 'https://here.invalid').searchParams.get('token'))
}

/** Parses a Pub/Sub push message, or a list of them. */
function parse({ body }: InboundRequest, context: Context): StatusReport[] {
  return [jsonIn(new TextDecoder().decode(body))].flat().flatMap((envelope) => {
    const report = isRow(envelope) && isRow(envelope.message) ? reportIn(context, envelope.message) : undefined
    if (report === undefined) context.log('left out a callback that cannot be read')
    return report ?? []
  })
}

function reportIn(context: Context, message: Row): StatusReport | undefined {
  const payload = payloadIn(message.data)
  const trackingId = text(payload?.instance_uuid) ?? text(payload?.id)
  const reference = text(payload?.external_order_id)
  if (!payload || (trackingId === undefined && reference === undefined)) return undefined
  const eventId = text(message.messageId) ?? text(message.message_id)
  return {
    ...(trackingId !== undefined && { trackingId }),
    ...(reference !== undefined && { reference }),
    carrierStatus: statusIn(payload),
    at: instant(message.publishTime ?? message.publish_time, '+00:00') ?? new Date(context.now()).toISOString(),
    ...(eventId !== undefined && { eventId }),
  }
}

function statusIn(payload: Row): string {
  const status = wordOf(payload.status) || wordOf(payload.new_status) || NEWS
  return status === ABORTED ? ABORTED_SOMEHOW : status
}

/** Decodes the payload: older senders encode it once, the present one twice. */
function payloadIn(data: unknown): Row | undefined {
  let words = text(data) ?? ''
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    words = new TextDecoder().decode(base64Bytes(words))
    const value = jsonIn(words)
    if (isRow(value)) return value
    if (typeof value === 'string') words = value
  }
  return undefined
}
