import { signatureHeader } from '../../../lib/crypto/signature.ts'
import { newId } from '../../../lib/ids.ts'
import type { Outbound } from '../../../lib/net/outbound.ts'
import { OutboundError } from '../../../lib/net/outbound-error.ts'
import type { DeliveryAttempt } from '../webhooks.model.ts'
import { ATTEMPT_TIMEOUT_MS } from './schedule.ts'

/** Bytes of the response body that are stored. */
const HEAD_BYTES = 1024
const TYPE_MAX = 200

/** Webhook message to send. */
export interface WebhookMessage {
  readonly url: string
  readonly secrets: readonly string[]
  readonly eventId: string
  readonly eventType: string
  /** Exact body, as it was built with the event. */
  readonly body: string
}

/** Returns true if the receiver responded with a 2xx status. */
export const isSuccess = ({ status }: DeliveryAttempt) => status !== null && status >= 200 && status < 300

/** Signs and sends a message once. Returns the attempt, successful or not; never throws. */
export async function sendAttempt(outbound: Outbound, message: WebhookMessage, timeoutMs = ATTEMPT_TIMEOUT_MS): Promise<DeliveryAttempt> {
  const startedAt = Date.now()
  const started = performance.now()
  const seconds = Math.floor(startedAt / 1000)
  const record = {
    id: newId('att'),
    at: new Date(startedAt).toISOString(),
    url: message.url,
    signature: signatureHeader(message.secrets, seconds, message.body),
  }
  try {
    const headers = requestHeaders({ ...record, eventId: message.eventId, eventType: message.eventType })
    const answer = await outbound({
      url: message.url,
      method: 'POST',
      headers,
      body: message.body,
      timeoutMs,
      headBytes: HEAD_BYTES,
    })
    const failed = answer.status < 200 || answer.status > 299
    return {
      ...record,
      durationMs: Math.round(performance.now() - started),
      status: answer.status,
      responseType: storable(answer.headers.get('content-type')?.slice(0, TYPE_MAX) ?? '') || null,
      responseHead: storable(new TextDecoder().decode(answer.body)),
      error: failed ? `The receiver answered ${answer.status}.` : null,
    }
  } catch (error) {
    const reason = error instanceof OutboundError ? error.message : 'The request could not be made.'
    return {
      ...record,
      durationMs: Math.round(performance.now() - started),
      status: null,
      responseType: null,
      responseHead: null,
      error: reason,
    }
  }
}

/** Builds the request headers of an attempt. */
export const requestHeaders = ({
  id,
  at,
  signature,
  eventId,
  eventType,
}: {
  id: string
  at: string
  signature: string
  eventId: string
  eventType: string
}) => ({
  'content-type': 'application/json',
  'user-agent': 'Serai-Webhooks/1',
  'X-Service-Cloud-Signature': signature,
  'X-Service-Cloud-Id': eventId,
  'X-Service-Cloud-Type': eventType,
  'X-Service-Cloud-Timestamp': String(Math.floor(Date.parse(at) / 1000)),
  'X-Service-Cloud-Delivery': id,
})

/** Replaces NUL characters, which `jsonb` cannot hold. */
const storable = (text: string) => text.replaceAll('\0', '\uFFFD')
