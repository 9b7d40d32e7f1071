import type { Adapter, AdapterContext, ChallengeAnswer, InboundRequest, WebhookResult } from '../adapter.ts'
import { assertEqual, check } from './checks.ts'

/** Adapter with callbacks, as far as these checks need it. */
interface Receiving<Event> extends Pick<Adapter, 'slug'> {
  readonly webhook?: {
    readonly unsigned?: string
    readonly challenges?: true
    receive(
      request: InboundRequest,
      context: AdapterContext,
    ): WebhookResult<Event> | OtherResult | Promise<WebhookResult<Event> | OtherResult>
  }
}
/** Results that only some kinds have. */
type OtherResult = { readonly outcome: 'unread' | 'tokens' }

/** Receives a callback. Fails for one of an adapter that has none. */
async function receive<Event>({ slug, webhook }: Receiving<Event>, request: InboundRequest, context: AdapterContext) {
  check(webhook, `${slug} receives callbacks`)
  const result = await webhook.receive(request, context)
  if (result.outcome === 'challenge') check(webhook.challenges, 'an adapter that answers challenges declares it')
  if (result.outcome === 'events' && webhook.unsigned !== undefined) assertEqual(result.signed, false, 'signed, of an unsigned webhook')
  return result
}

/** Returns true if the adapter considers the sender of a callback proven. */
export async function isProven<Event>(adapter: Receiving<Event>, request: InboundRequest, context: AdapterContext): Promise<boolean> {
  const { outcome } = await receive(adapter, request, context)
  return outcome !== 'invalid' && outcome !== 'challenge'
}

/** Returns the events of a proven callback. Fails for any other. */
export async function eventsIn<Event>(adapter: Receiving<Event>, request: InboundRequest, context: AdapterContext): Promise<Event[]> {
  const result = await receive(adapter, request, context)
  assertEqual(result.outcome, 'events', 'outcome of a proven callback')
  return (result as Extract<WebhookResult<Event>, { outcome: 'events' }>).events
}

/** Checks that a callback with valid proof, but without meaning, is not accepted or has no events. */
export async function assertIgnored<Event>(
  adapter: Receiving<Event>,
  request: InboundRequest,
  context: AdapterContext,
  what: string,
): Promise<void> {
  const result = await receive(adapter, request, context)
  if (result.outcome !== 'invalid') assertEqual(result, { ...result, outcome: 'events', events: [] }, what)
}

/** Returns the answer to a challenge; null for any other request. */
export async function answerTo<Event>(
  adapter: Receiving<Event>,
  request: InboundRequest,
  context: AdapterContext,
): Promise<ChallengeAnswer | null> {
  const result = await receive(adapter, request, context)
  return result.outcome === 'challenge' ? result.answer : null
}
