import type { Awaitable, InboundRequest } from '../adapter.ts'
import { proveSender, type ReceivingSteps } from '../toolkit/receive.ts'
import type { Handed } from './linking.model.ts'
import type { ConnectorAdapter } from './members.ts'
import type { ShopEvent } from './model.ts'

/** Result of a callback of a shop. */
export type ShopWebhookResult = Awaited<ReturnType<NonNullable<ConnectorAdapter['webhook']>['receive']>>

/** Steps of a callback of a shop. */
export interface ShopReceivingSteps<Context> extends ReceivingSteps<ShopEvent, Context> {
  /**
   * Returns the tokens that a proven callback delivers: empty if they are not for this connection, null if it delivers none. Check which
   * shop the tokens belong to: the sender of one valid callback must not reach another shop.
   */
  tokens?(request: InboundRequest, context: Context): Awaitable<Handed>
}

interface LoggingContext {
  log(message: string, fields?: Readonly<Record<string, unknown>>): void
}

/**
 * Builds `webhook.receive` of a shop platform from its steps. A proven callback whose parsing throws is `unread`: it is stored and read
 * again later. A stored callback is only parsed.
 */
export const createShopReceiver =
  <Context extends LoggingContext>({ tokens, parse, signed = true, ...proof }: ShopReceivingSteps<Context>) =>
  async (request: InboundRequest, context: Context): Promise<ShopWebhookResult> => {
    if (request.isStored) return { outcome: 'events', signed, events: await parse(request, context) }
    const unproven = await proveSender(proof, request, context)
    if (unproven) return unproven
    const handed = await tokens?.(request, context)
    if (handed) return { outcome: 'tokens', ...handed }
    try {
      return { outcome: 'events', signed, events: await parse(request, context) }
    } catch (error) {
      context.log('could not read a callback, which is stored', { reason: String(error).slice(0, 200) })
      return { outcome: 'unread', signed }
    }
  }
