import type { Awaitable, ChallengeAnswer, InboundRequest, WebhookResult } from '../adapter.ts'

/** Steps that prove the sender of a callback. */
export interface ProofSteps<Context> {
  /** Answers a proof-of-ownership request; null if the request is not one. It needs `challenges` in the definition. */
  challenge?(request: InboundRequest, context: Context): Awaitable<ChallengeAnswer | null>
  /** Returns true if these exact bytes come from the platform. Compare in constant time; return false if nothing can be proven. */
  verify(request: InboundRequest, context: Context): Awaitable<boolean>
}

/** Steps of a callback. */
export interface ReceivingSteps<Event, Context> extends ProofSteps<Context> {
  /** Parses proven bytes into events. Leaves out an event that cannot be read and logs it, without losing the others. */
  parse(request: InboundRequest, context: Context): Awaitable<Event[]>
  /** False if `verify` only compares a secret in the address. True by default. */
  readonly signed?: boolean
}

/** Builds `webhook.receive` from its steps. Nothing is parsed before the sender is proven. */
export const createReceiver =
  <Event, Context>({ parse, signed = true, ...steps }: ReceivingSteps<Event, Context>) =>
  async (request: InboundRequest, context: Context): Promise<WebhookResult<Event>> =>
    (await proveSender(steps, request, context)) ?? { outcome: 'events', signed, events: await parse(request, context) }

/** Returns the result of a callback that is a challenge or not proven; null if its sender is proven. */
export async function proveSender<Context>(
  { challenge, verify }: ProofSteps<Context>,
  request: InboundRequest,
  context: Context,
): Promise<Extract<WebhookResult, { outcome: 'challenge' | 'invalid' }> | null> {
  const answer = (await challenge?.(request, context)) ?? null
  if (answer) return { outcome: 'challenge', answer }
  return (await verify(request, context)) ? null : { outcome: 'invalid' }
}
