import type { InboundRequest } from '../../../plugins/adapter.ts'
import type { MountedAdapter } from '../../../plugins/host/registry.ts'
import type { AdapterOf } from '../../../plugins/kind.ts'
import type { KindByName, KindName } from '../../../plugins/kinds.ts'
import type { Context } from '../../context.ts'
import type { Connection } from '../connections/connection.ts'

type WebhookOf<K extends KindName> = AdapterOf<KindByName<K>> extends { readonly webhook?: infer W } ? NonNullable<W> : never

/** Name of a kind whose adapters receive callbacks. */
export type WebhookKind = { [K in KindName]: [WebhookOf<K>] extends [never] ? never : K }[KindName]

type ResultOf<K extends WebhookKind> = WebhookOf<K> extends { receive(...given: never[]): infer Result } ? Awaited<Result> : never

/** Callback whose sender is proven. Its events are trusted if they are `signed`; otherwise they are hints at resources to read again. */
export type ProvenWebhook<K extends WebhookKind = WebhookKind> = Exclude<ResultOf<K>, { readonly outcome: 'challenge' | 'invalid' }>

/** Connection that a callback is for. */
export interface Recipient<K extends WebhookKind> {
  readonly connection: Connection<MountedAdapter<K>>
  /** Returns false for a proven callback that this connection does not accept. By default it accepts all. */
  accepts?(webhook: ProvenWebhook<K>): boolean
}

/** Handles a proven callback of one connection. Stores what must not be lost before it returns the `data` of the answer. */
export type WebhookHandler<K extends WebhookKind> = (
  context: Context,
  connection: Recipient<K>['connection'],
  webhook: ProvenWebhook<K>,
  request: InboundRequest,
) => Promise<object>

/** Handlers of callbacks that a feature declares, by kind. */
export type WebhookHandlers = {
  readonly [K in WebhookKind]?: {
    readonly handle: WebhookHandler<K>
    /** Finds the connections behind the webhook address of a store. The oldest one by default. Throws `not_found` if there is none. */
    findRecipients?(context: Context, storeId: string, key: string): Promise<readonly Recipient<K>[]>
    /** Unregisters the webhooks of a store's connection at the provider before it ends. Does not throw for failures of the provider. */
    unregister?(context: Context, connection: Connection['row']): Promise<void>
  }
}

/** Handlers of one kind, for callers that do not know the kind. Method types make a handler of any kind assignable. */
export interface AnyWebhookHandlers {
  handle(context: Context, connection: Connection, webhook: object, request: InboundRequest): Promise<object>
  findRecipients?(context: Context, storeId: string, key: string): Promise<readonly { readonly connection: Connection }[]>
  unregister?(context: Context, connection: Connection['row']): Promise<void>
}
